'use client'

import { type ComponentProps, useCallback } from 'react'
import type { Filter } from '@/lib/contract/filter'
import type { Payment } from '@/lib/contract/payments'
import { type BesideTable, DataTable } from '../data-table/data-table'
import { CancelDialogHost } from './cancel-dialog-host'
import { collectedTable } from './collected-table'
import { useListedCancellations } from './use-listed-cancellations'

/** The first of them as the server read them, which they are, and whether the reader may cancel them. */
export type CollectedFirst = Pick<ComponentProps<typeof DataTable<'listPayments'>>, 'first' | 'proofs'> & {
  within: Filter
  mayCancel: boolean
}

/** The dialog that cancels from a row, and the news that a cancellation ended. */
function BesideCollected({ list, proofs }: BesideTable<'listPayments'>) {
  const take = useCallback((payment: Payment) => list.patch(payment), [list])
  useListedCancellations(list, proofs)
  return <CancelDialogHost onPaymentRead={take} />
}

/** The payments of one customer or mandate: the shared table as a part of its page. */
export function CollectedPayments(props: CollectedFirst) {
  return <DataTable {...props} table={collectedTable} beside={BesideCollected} />
}
