import type { Metadata } from 'next'
import { BackLink } from '@/components/back-link'
import { PageHeader } from '@/components/page-header'
import { RoleRefusal } from '@/components/role-refusal'
import { mayRole } from '@/lib/contract/permission'
import { requirePageSession } from '@/lib/server/session'
import * as words from '@/lib/words/customer-forms'
import { NewCustomer } from './new-customer'

export const metadata: Metadata = { title: words.newCustomer }

export default async function NewCustomerPage() {
  const { role } = await requirePageSession()
  return (
    <>
      <BackLink href="/customers">{words.customers}</BackLink>
      <PageHeader title={words.newCustomer} about={words.customersAreThePayers} />
      {mayRole(role, 'manage') ? <NewCustomer /> : <RoleRefusal what={words.createCustomers} />}
    </>
  )
}
