'use client'

import type { ComponentProps } from 'react'
import { DataTable } from '@/components/data-table/data-table'
import { mandatesTable } from './mandates-table'

type MandatesListProps = Omit<ComponentProps<typeof DataTable<'listMandates'>>, 'table'>

/** The mandates' table in the browser. */
export function MandatesList(props: MandatesListProps) {
  return <DataTable table={mandatesTable} {...props} />
}
