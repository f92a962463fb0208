'use client'

import type { ComponentType, ReactNode } from 'react'
import type { ListId, Proofs } from '@/lib/contract/ability'
import type { ListRow } from '@/lib/contract/list-page'
import type { ListPlan } from './plan-query'
import { TableGrid, type TableGridProps } from './table-grid'
import type { TableView } from './table-view'
import type { RowList } from './use-row-list'
import { type Selection, useSelection } from './use-selection'

/** What a table tells of itself to what stands beside it. */
export type BesideTable<List extends ListId> = {
  list: RowList<ListRow<List>>
  selection: Selection<ListRow<List>>
  /** The key of the open row. */
  openKey: string | null
  close: () => void
  proofs: Proofs
  /** What the list shows: its filters and how they are brought about. */
  view: TableView
  plan: ListPlan
}

type TableBodyProps<List extends ListId> = Omit<TableGridProps<List>, 'selection' | 'openKey'> &
  Omit<BesideTable<List>, 'selection' | 'openKey'> & {
    beside: ComponentType<BesideTable<List>> | undefined
    selects: boolean
    /** What stands below the rows. */
    children: ReactNode
  }

/** The rows, and what stands beside them. A tick changes these alone, nothing around them. */
export function TableBody<List extends ListId>(props: TableBodyProps<List>) {
  const { beside: Beside, selects, children, close, proofs, view, plan, ...grid } = props
  const { list, viewKey } = grid
  const selection = useSelection(list, JSON.stringify(view.values), viewKey)
  const openKey = view.open
  return (
    <>
      <TableGrid {...grid} openKey={openKey} selection={selects ? selection : null} />
      {children}
      {Beside ? <Beside {...{ list, selection, openKey, close, proofs, view, plan }} /> : null}
    </>
  )
}
