'use client'

import { DataTable } from '@/components/data-table/data-table'
import type { FirstPage } from '@/components/data-table/first-page'
import { mandatesTable } from './mandates-table'

/** The mandates' table in the browser. */
export function MandatesList({ first }: { first: FirstPage }) {
  return <DataTable definition={mandatesTable} first={first} />
}
