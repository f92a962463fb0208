'use client'

import type { InitialList } from '@/lib/client/list-queries'
import { DataTable } from '@/components/data-table/data-table'
import { mandatesTable } from './mandates-table'

/** The mandates' table in the browser. */
export function MandatesList({ first }: { first: InitialList }) {
  return <DataTable definition={mandatesTable} first={first} />
}
