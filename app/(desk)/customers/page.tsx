import type { Metadata } from 'next'
import { mayRole } from '@/lib/contract/permission'
import { requirePageSession } from '@/lib/server/session'
import * as words from '@/lib/words/customers'
import { loadTable, type SearchParams } from '../load-table'
import { CustomersList } from './customers-list'
import { customersTable } from './customers-table'

export const metadata: Metadata = { title: words.customers }

export default async function CustomersPage({ searchParams }: { searchParams: SearchParams }) {
  const session = await requirePageSession()
  const table = await loadTable(session, customersTable, searchParams)
  return <CustomersList {...table} mayManage={mayRole(session.role, 'manage')} />
}
