'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type InitialList, patchRows } from '@/lib/client/list-queries'
import type { Filter } from '@/lib/api-contract/filter'
import { DataTable, type SidePanelProps } from '../data-table/data-table'
import { CancelDialogHost, MayCancel, useListedCancellations } from '../cancellations/row-cancellation'
import { relatedPaymentsTable } from './payment-columns'

/** Which payments, the first page that the server read, and whether the reader may cancel them. */
export type RelatedPaymentsProps = { baseFilter: Filter; initialPage: InitialList; mayCancel: boolean }

/** The cancel dialog, and updates from cancellations. */
function RelatedPaymentsSidePanel({ list, proofs }: SidePanelProps<'listPayments'>) {
  const client = useQueryClient()
  useListedCancellations(list, proofs)
  return <CancelDialogHost onPaymentRead={(payment) => patchRows(client, 'listPayments', [payment])} />
}

/** The payments of one customer or mandate, embedded in its page. */
export function RelatedPayments({ baseFilter, initialPage, mayCancel }: RelatedPaymentsProps) {
  return (
    <MayCancel value={mayCancel}>
      <DataTable
        definition={relatedPaymentsTable}
        initialPage={initialPage}
        baseFilter={baseFilter}
        sidePanel={RelatedPaymentsSidePanel}
      />
    </MayCancel>
  )
}
