import { BackLink, PageHeader } from '@/components/layout/page-header'
import { RoleRefusal } from '@/components/feedback/refusals'
import { hasPermission } from '@/lib/api-contract/permission'
import { getConnection } from '@/lib/server/upstream/connection'
import { requirePageSession } from '@/lib/server/auth/session'
import { Diagnostics } from './diagnostics'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.doctor_doctor)

/** Checks the deployment against the API contract, for admins; starts on a click and only reads. */
export default async function DoctorPage() {
  const session = await requirePageSession()
  const isAllowed = hasPermission(session.role, 'administer')
  return (
    <>
      <BackLink href="/merchant">{m.doctor_merchant()}</BackLink>
      <PageHeader title={m.doctor_doctor()} about={m.doctor_whatThisDeployment()} />
      {isAllowed ? (
        <Diagnostics service={getConnection(session.scope.connectionId).baseUrl.host} />
      ) : (
        <RoleRefusal what={m.doctor_haveTheDeploymentExamined()} />
      )}
    </>
  )
}
