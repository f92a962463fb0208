'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type LoadedList, patchRows } from '@/lib/browser/list-query'
import type { Filter } from '@/lib/contract/filter'
import { DataTable } from '../data-table/data-table'
import type { BesideTable } from '../data-table/table-body'
import { CancelDialogHost } from './cancel-dialog-host'
import { MayCancel } from './cancellation-cell'
import { collectedTable } from './collected-table'
import { useListedCancellations } from './use-listed-cancellations'

/** Which payments, the first of them as the server read them, and whether the reader may cancel them. */
export type CollectedProps = { within: Filter; first: LoadedList; mayCancel: boolean }

/** The dialog that cancels from a row, and the news that a cancellation ended. */
function BesideCollected({ list, proofs }: BesideTable<'listPayments'>) {
  const client = useQueryClient()
  useListedCancellations(list, proofs)
  return <CancelDialogHost onPaymentRead={(payment) => patchRows(client, 'listPayments', [payment])} />
}

/** The payments of one customer or mandate: the shared table as a part of its page. */
export function CollectedPayments({ within, first, mayCancel }: CollectedProps) {
  return (
    <MayCancel value={mayCancel}>
      <DataTable definition={collectedTable} first={first} within={within} beside={BesideCollected} />
    </MayCancel>
  )
}
