'use client'

import { type ReactNode, useCallback, useMemo, useSyncExternalStore } from 'react'
import type { KeptList } from '@/lib/browser/list-memory'
import type { ListId, Proofs } from '@/lib/contract/ability'
import { useDeskFacts } from '../desk-facts'
import { PageHeader } from '../page-header'
import { useViewerZone } from '../use-viewer-zone'
import './data-table.css'
import type { CellFacts } from './cell-facts'
import type { ListRow } from '@/lib/contract/list-page'
import type { TableDefinition } from './define-table'
import type { FirstRows } from './first-rows'
import { isNewestFirst } from './is-newest-first'
import { planQuery } from './plan-query'
import { RefreshButton } from './refresh-button'
import { TableFace } from './table-face'
import { TableGrid } from './table-grid'
import { TableToolbar } from './table-toolbar'
import { writeView } from './table-view'
import { useProofs } from './use-proofs'
import { useRowList } from './use-row-list'
import { useSeenValues } from './use-seen-values'
import { useTableView } from './use-table-view'
import { formatCount } from './walk-words'
import { WalkStatus } from './walk-status'

/** What a table tells of itself to what stands beside it. */
export type BesideTable<List extends ListId> = {
  list: KeptList<ListRow<List>>['list']
  /** The key of the open row. */
  openKey: string | null
  close: () => void
  proofs: Proofs
}

type DataTableProps<List extends ListId> = {
  table: TableDefinition<List>
  first: FirstRows<List>
  proofs: Proofs
  /** What stands beside the list and opens the row in the URL; without it rows do not open. */
  beside?: (context: BesideTable<List>) => ReactNode
}

function useCellFacts(): CellFacts {
  const { locale, amounts, schemeZone } = useDeskFacts()
  const viewerZone = useViewerZone()
  return useMemo(() => ({ locale, amounts, schemeZone, viewerZone }), [locale, amounts, schemeZone, viewerZone])
}

/** A resource's page: heading, filters, the infinite grid and its state. All of it follows from the declaration. */
export function DataTable<List extends ListId>({ table, first, proofs: known, beside }: DataTableProps<List>) {
  const [view, change] = useTableView(table)
  const { proofs, doubt } = useProofs(table.list, known)
  const plan = planQuery(table.filters, view, proofs)
  const address = writeView(table, { ...view, open: null })
  const kept = useRowList({ table, address, plan, proofs, first, doubt })
  const { list, place } = kept
  const facts = useCellFacts()
  const seen = useSeenValues(list, table.filters)
  const readLoaded = () => (plan.rest.filter || plan.rest.order ? list.rows.size : 0)
  const loaded = useSyncExternalStore(list.changes.subscribe, readLoaded, readLoaded)

  const { order } = view
  const isOpen = view.open !== null
  // Back closes what is open; going from row to row leaves no trail.
  const openRow = useCallback((key: string) => change({ open: key }, isOpen ? 'replace' : 'push'), [change, isOpen])
  const close = useCallback(() => change({ open: null }, 'replace'), [change])

  function showFresh(): void {
    place.scrollTop = 0
    list.showFresh()
    document.querySelector('[data-scroller]')?.scrollTo({ top: 0 })
  }

  return (
    <div className="fill-screen flex min-h-0 flex-col">
      <PageHeader title={table.name}>
        <RefreshButton
          key={kept.ask}
          list={list}
          isNewestFirst={isNewestFirst(list, table.createdField, plan)}
          onShowFresh={showFresh}
        />
      </PageHeader>
      <TableToolbar
        filters={table.filters}
        view={view}
        change={change}
        seen={seen}
        note={loaded > 0 ? `within ${formatCount(loaded)} loaded rows` : null}
      />
      <TableGrid
        key={`${kept.ask} ${address}`}
        table={table}
        kept={kept}
        facts={facts}
        order={order}
        onOrder={(next) => change({ order: next })}
        onOpen={beside ? openRow : undefined}
        openKey={view.open}
      />
      <TableFace
        list={list}
        empty={table.empty}
        isFiltered={Object.keys(view.values).length > 0}
        onClear={() => change({ values: {} })}
      />
      <WalkStatus list={list} isNarrowed={plan.rest.filter !== null} />
      {beside?.({ list, openKey: view.open, close, proofs })}
    </div>
  )
}
