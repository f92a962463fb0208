import { BackLink, PageHeader } from '@/components/layout/page-header'
import { RoleRefusal } from '@/components/feedback/refusals'
import { hasPermission } from '@/lib/api-contract/permission'
import { requirePageSession } from '@/lib/server/auth/session'
import { NewAgreement } from './new-agreement'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.newAgreement_newAgreement)

export default async function NewAgreementPage() {
  const { role } = await requirePageSession()
  return (
    <>
      <BackLink href="/agreements">{m.newAgreement_agreements()}</BackLink>
      <PageHeader title={m.newAgreement_newAgreement()} about={m.newAgreement_agreementTiesTheMerchant()} />
      {hasPermission(role, 'manage') ? <NewAgreement /> : <RoleRefusal what={m.newAgreement_createAgreements()} />}
    </>
  )
}
