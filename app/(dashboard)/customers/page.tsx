import { hasPermission } from '@/lib/api-contract/permission'
import { requirePageSession } from '@/lib/server/auth/session'
import { loadList, type SearchParams } from '../load-list'
import { CustomersList } from './customers-list'
import { customersTable } from './customers-table'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.customers_customers)

export default async function CustomersPage({ searchParams }: { searchParams: SearchParams }) {
  const session = await requirePageSession()
  const first = await loadList(session, customersTable, searchParams)
  return <CustomersList initialPage={first} mayManage={hasPermission(session.role, 'manage')} />
}
