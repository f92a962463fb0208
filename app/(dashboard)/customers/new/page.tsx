import { BackLink, PageHeader } from '@/components/layout/page-header'
import { RoleRefusal } from '@/components/feedback/refusals'
import { hasPermission } from '@/lib/api-contract/permission'
import { requirePageSession } from '@/lib/server/auth/session'
import { NewCustomer } from './new-customer'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.customerForms_newCustomer)

export default async function NewCustomerPage() {
  const { role } = await requirePageSession()
  return (
    <>
      <BackLink href="/customers">{m.customerForms_customers()}</BackLink>
      <PageHeader title={m.customerForms_newCustomer()} about={m.customerForms_customersAreThePayers()} />
      {hasPermission(role, 'manage') ? <NewCustomer /> : <RoleRefusal what={m.customerForms_createCustomers()} />}
    </>
  )
}
