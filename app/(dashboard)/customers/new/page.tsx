import type { Metadata } from 'next'
import { BackLink, PageHeader } from '@/components/layout/page-header'
import { RoleRefusal } from '@/components/feedback/refusals'
import { hasPermission } from '@/lib/api-contract/permission'
import { requirePageSession } from '@/lib/server/auth/session'
import * as words from '@/lib/words/customer-forms'
import { NewCustomer } from './new-customer'

export const metadata: Metadata = { title: words.newCustomer }

export default async function NewCustomerPage() {
  const { role } = await requirePageSession()
  return (
    <>
      <BackLink href="/customers">{words.customers}</BackLink>
      <PageHeader title={words.newCustomer} about={words.customersAreThePayers} />
      {hasPermission(role, 'manage') ? <NewCustomer /> : <RoleRefusal what={words.createCustomers} />}
    </>
  )
}
