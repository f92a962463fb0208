'use client'

import type { LoadedList } from '@/lib/browser/list-query'
import { DataTable } from '@/components/data-table/data-table'
import { mandatesTable } from './mandates-table'

/** The mandates' table in the browser. */
export function MandatesList({ first }: { first: LoadedList }) {
  return <DataTable definition={mandatesTable} first={first} />
}
