import type { Metadata } from 'next'
import { BackLink } from '@/components/back-link'
import { PageHeader } from '@/components/page-header'
import { RoleRefusal } from '@/components/role-refusal'
import { mayRole } from '@/lib/contract/permission'
import { requirePageSession } from '@/lib/server/session'
import { NewCustomer } from './new-customer'

export const metadata: Metadata = { title: 'New customer' }

export default async function NewCustomerPage() {
  const { role } = await requirePageSession()
  return (
    <>
      <BackLink href="/customers">Customers</BackLink>
      <PageHeader title="New customer" about="Customers are the payers." />
      {mayRole(role, 'manage') ? <NewCustomer /> : <RoleRefusal what="create customers" />}
    </>
  )
}
