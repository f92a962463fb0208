import type { Metadata } from 'next'
import { BackLink } from '@/components/back-link'
import { PageHeader } from '@/components/page-header'
import { RoleRefusal } from '@/components/role-refusal'
import { mayRole } from '@/lib/contract/permission'
import { requirePageSession } from '@/lib/server/session'
import { NewAgreement } from './new-agreement'

export const metadata: Metadata = { title: 'New agreement' }

export default async function NewAgreementPage() {
  const { role } = await requirePageSession()
  return (
    <>
      <BackLink href="/agreements">Agreements</BackLink>
      <PageHeader title="New agreement" about="An agreement ties the merchant to a scheme." />
      {mayRole(role, 'manage') ? <NewAgreement /> : <RoleRefusal what="create agreements" />}
    </>
  )
}
