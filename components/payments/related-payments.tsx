'use client'

import type { InitialList } from '@/lib/client/list-queries'
import type { Filter } from '@/lib/api-contract/filter'
import { DataTable, type SidePanelProps } from '../data-table/data-table'
import { CancelDialogHost, MayCancel, useListedCancellations } from '../cancellations/row-cancellation'
import { relatedPaymentsTable } from './payment-columns'
import { PaymentMenu } from './payment-menu'

/** Which payments, the first page that the server read, and whether the reader may cancel them. */
export type RelatedPaymentsProps = { baseFilter: Filter; initialPage: InitialList; mayCancel: boolean }

/** The menu of a row, the cancel dialog, and updates from cancellations. */
function RelatedPaymentsSidePanel({ list, proofs }: SidePanelProps<'listPayments'>) {
  useListedCancellations(list, proofs)
  return (
    <>
      <PaymentMenu list={list} />
      <CancelDialogHost />
    </>
  )
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
