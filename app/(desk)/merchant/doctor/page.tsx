import type { Metadata } from 'next'
import { BackLink } from '@/components/back-link'
import { PageHeader } from '@/components/page-header'
import { RoleRefusal } from '@/components/role-refusal'
import { mayRole } from '@/lib/contract/permission'
import { getConnection } from '@/lib/server/connection'
import { requirePageSession } from '@/lib/server/session'
import * as words from '@/lib/words/doctor'
import { Doctor } from './doctor'

export const metadata: Metadata = { title: words.doctor }

/** Holds the deployment behind the desk against the interface, for admins; begins on a click and only reads. */
export default async function DoctorPage() {
  const session = await requirePageSession()
  const isAllowed = mayRole(session.role, 'administer')
  return (
    <>
      <BackLink href="/merchant">{words.merchant}</BackLink>
      <PageHeader title={words.doctor} about={words.whatThisDeployment} />
      {isAllowed ? (
        <Doctor service={getConnection(session.scope.connectionId).baseUrl.host} />
      ) : (
        <RoleRefusal what={words.haveTheDeploymentExamined} />
      )}
    </>
  )
}
