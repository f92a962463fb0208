'use client'

import type { ComponentProps } from 'react'
import { DataTable } from '@/components/data-table/data-table'
import { buttonClasses } from '@/components/ui/button'
import { customersTable } from './customers-table'
import { Link } from '@/components/link'

type CustomersListProps = Omit<ComponentProps<typeof DataTable<'listCustomers'>>, 'table' | 'actions'> & {
  mayManage: boolean
}

const actions = (
  <>
    <Link href="/customers/import" className={buttonClasses()}>
      Import
    </Link>
    <Link href="/customers/new" className={buttonClasses('primary')}>
      New customer
    </Link>
  </>
)

/** The customers' table in the browser: functions of a declaration do not cross from the server. */
export function CustomersList({ mayManage, ...props }: CustomersListProps) {
  return <DataTable {...props} table={customersTable} actions={mayManage ? actions : null} />
}
