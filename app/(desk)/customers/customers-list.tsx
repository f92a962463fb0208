'use client'

import type { ComponentProps } from 'react'
import { DataTable } from '@/components/data-table/data-table'
import { buttonClasses } from '@/components/ui/button'
import { customersTable } from './customers-table'
import { Link } from '@/components/link'
import * as words from '@/lib/words/customers'

type CustomersListProps = Omit<ComponentProps<typeof DataTable<'listCustomers'>>, 'table' | 'actions'> & {
  mayManage: boolean
}

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
export function CustomersList({ mayManage, ...props }: CustomersListProps) {
  return <DataTable {...props} table={customersTable} actions={mayManage ? actions : null} />
}
