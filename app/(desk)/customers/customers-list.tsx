'use client'

import type { LoadedList } from '@/lib/browser/list-query'
import { DataTable } from '@/components/data-table/data-table'
import { buttonClasses } from '@/components/ui/button'
import { customersTable } from './customers-table'
import { Link } from '@/components/link'
import * as words from '@/lib/words/customers'

const actions = (
  <>
    <Link href="/customers/import" className={buttonClasses()}>
      {words.importWord}
    </Link>
    <Link href="/customers/new" className={buttonClasses('primary')}>
      {words.newCustomer}
    </Link>
  </>
)

/** The customers' table in the browser: functions of a declaration do not cross from the server. */
export function CustomersList({ first, mayManage }: { first: LoadedList; mayManage: boolean }) {
  return <DataTable first={first} definition={customersTable} actions={mayManage ? actions : null} />
}
