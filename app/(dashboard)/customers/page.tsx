import type { Metadata } from 'next'
import { hasPermission } from '@/lib/api-contract/permission'
import { requirePageSession } from '@/lib/server/auth/session'
import { loadList, type SearchParams } from '../load-list'
import { CustomersList } from './customers-list'
import { customersTable } from './customers-table'
import * as m from '@/lib/messages/m'

export const generateMetadata = (): Metadata => ({ title: m.customers_customers() })

export default async function CustomersPage({ searchParams }: { searchParams: SearchParams }) {
  const session = await requirePageSession()
  const first = await loadList(session, customersTable, searchParams)
  return <CustomersList initialPage={first} mayManage={hasPermission(session.role, 'manage')} />
}
