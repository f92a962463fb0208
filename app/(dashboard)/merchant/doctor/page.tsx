import type { Metadata } from 'next'
import { BackLink, PageHeader } from '@/components/layout/page-header'
import { RoleRefusal } from '@/components/feedback/refusals'
import { hasPermission } from '@/lib/api-contract/permission'
import { getConnection } from '@/lib/server/upstream/connection'
import { requirePageSession } from '@/lib/server/auth/session'
import * as words from '@/lib/words/doctor'
import { Diagnostics } from './diagnostics'

export const metadata: Metadata = { title: words.doctor }

/** Checks the deployment against the API contract, for admins; starts on a click and only reads. */
export default async function DoctorPage() {
  const session = await requirePageSession()
  const isAllowed = hasPermission(session.role, 'administer')
  return (
    <>
      <BackLink href="/merchant">{words.merchant}</BackLink>
      <PageHeader title={words.doctor} about={words.whatThisDeployment} />
      {isAllowed ? (
        <Diagnostics service={getConnection(session.scope.connectionId).baseUrl.host} />
      ) : (
        <RoleRefusal what={words.haveTheDeploymentExamined} />
      )}
    </>
  )
}
