import type { Metadata } from 'next'
import { hasPermission } from '@/lib/api-contract/permission'
import { requirePageSession } from '@/lib/server/auth/session'
import * as words from '@/lib/words/customers'
import { loadList, type SearchParams } from '../load-list'
import { CustomersList } from './customers-list'
import { customersTable } from './customers-table'

export const metadata: Metadata = { title: words.customers }

export default async function CustomersPage({ searchParams }: { searchParams: SearchParams }) {
  const session = await requirePageSession()
  const first = await loadList(session, customersTable, searchParams)
  return <CustomersList initialPage={first} mayManage={hasPermission(session.role, 'manage')} />
}
