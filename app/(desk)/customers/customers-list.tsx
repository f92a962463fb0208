'use client'

import type { ComponentProps } from 'react'
import { DataTable } from '@/components/data-table/data-table'
import { customersTable } from './customers-table'

type CustomersListProps = Omit<ComponentProps<typeof DataTable<'listCustomers'>>, 'table'>

/** The customers' table in the browser: functions of a declaration do not cross from the server. */
export function CustomersList(props: CustomersListProps) {
  return <DataTable table={customersTable} {...props} />
}
