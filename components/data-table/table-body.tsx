'use client'

import type { ComponentType, ReactNode } from 'react'
import type { ListId, CapabilityProofs } from '@/lib/domain/lists/capabilities'
import type { ListRow } from '@/lib/domain/lists/list-pages'
import type { ListPlan, TableView } from './table-view'
import { TableGrid, type TableGridProps } from './table-grid'
import type { RowList } from './use-list-query'
import { type Selection, useSelection } from './use-selection'

/** What a table passes to its side panel. */
export type SidePanelProps<List extends ListId> = {
  list: RowList<ListRow<List>>
  selection: Selection<ListRow<List>>
  /** The key of the open row. */
  openRowId: string | null
  /** Opens another row in its place. */
  open: (key: string) => void
  close: () => void
  proofs: CapabilityProofs
  /** The current filters, and how they are split between the API and the browser. */
  view: TableView
  plan: ListPlan
}

type TableBodyProps<List extends ListId> = Omit<TableGridProps<List>, 'selection' | 'openRowId'> &
  Omit<SidePanelProps<List>, 'selection' | 'openRowId'> & {
    sidePanel: ComponentType<SidePanelProps<List>> | undefined
    isSelectable: boolean
    /** Rendered below the rows. */
    children: ReactNode
  }

/** The rows and the side panel. Selection state lives here so that a selection re-renders nothing outside. */
export function TableBody<List extends ListId>(props: TableBodyProps<List>) {
  const { sidePanel: SidePanel, isSelectable, children, open, close, proofs, view, plan, ...grid } = props
  const { list, viewKey } = grid
  const selection = useSelection(list, JSON.stringify(view.values), viewKey)
  const openRowId = view.openRowId
  return (
    <>
      <TableGrid {...grid} openRowId={openRowId} selection={isSelectable ? selection : null} />
      {children}
      {SidePanel ? <SidePanel {...{ list, selection, openRowId, open, close, proofs, view, plan }} /> : null}
    </>
  )
}
