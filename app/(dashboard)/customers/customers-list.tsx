'use client'

import type { InitialList } from '@/lib/client/list-queries'
import { DataTable } from '@/components/data-table/data-table'
import { buttonClasses } from '@/components/ui/button'
import { customersTable } from './customers-table'
import { Link } from '@/components/layout/link'
import * as m from '@/lib/messages/m'

const Actions = () => (
  <>
    <Link href="/customers/import" className={buttonClasses()}>
      {m.customers_importWord()}
    </Link>
    <Link href="/customers/new" className={buttonClasses('primary')}>
      {m.customers_newCustomer()}
    </Link>
  </>
)

/** A client component: the definition's functions can't be passed from the server. */
export function CustomersList({ initialPage, mayManage }: { initialPage: InitialList; mayManage: boolean }) {
  return <DataTable initialPage={initialPage} definition={customersTable} actions={mayManage ? <Actions /> : null} />
}
