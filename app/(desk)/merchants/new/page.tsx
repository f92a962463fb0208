import type { Metadata } from 'next'
import { BackLink } from '@/components/back-link'
import { PageHeader } from '@/components/page-header'
import { RoleRefusal } from '@/components/role-refusal'
import { mayRole } from '@/lib/contract/permission'
import { requirePageSession } from '@/lib/server/session'
import { NewMerchant } from './new-merchant'

export const metadata: Metadata = { title: 'Connect merchant' }

export default async function NewMerchantPage() {
  const { role } = await requirePageSession()
  return (
    <>
      <BackLink href="/merchants">Merchants</BackLink>
      <PageHeader
        title="Connect merchant"
        about="For a merchant that the service already has. It is asked with the credential before anything is stored."
      />
      {mayRole(role, 'administer') ? <NewMerchant /> : <RoleRefusal what="connect merchants" />}
    </>
  )
}
