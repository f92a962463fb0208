'use client'

import type { InitialList } from '@/lib/client/list-queries'
import { DataTable } from '@/components/data-table/data-table'
import { mandatesTable } from './mandates-table'

/** A client component: the definition's functions can't be passed from the server. */
export function MandatesList({ initialPage }: { initialPage: InitialList }) {
  return <DataTable definition={mandatesTable} initialPage={initialPage} />
}
