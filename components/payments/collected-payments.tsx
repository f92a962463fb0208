'use client'

import type { ComponentProps } from 'react'
import type { Filter } from '@/lib/contract/filter'
import { type BesideTable, DataTable } from '../data-table/data-table'
import { collectedTable } from './collected-table'
import { useListedCancellations } from './use-listed-cancellations'

/** The first of them as the server read them, and which they are. */
export type CollectedFirst = Pick<ComponentProps<typeof DataTable<'listPayments'>>, 'first' | 'proofs'> & {
  within: Filter
}

function BesideCollected({ list, proofs }: BesideTable<'listPayments'>) {
  useListedCancellations(list, proofs)
  return null
}

/** The payments of one customer or mandate: the shared table as a part of its page. */
export function CollectedPayments(props: CollectedFirst) {
  return <DataTable {...props} table={collectedTable} beside={BesideCollected} />
}
