'use client'

import { HydrationBoundary, useQueryClient } from '@tanstack/react-query'
import { usePathname, useRouter } from 'next/navigation'
import { type ComponentType, type ReactNode, useRef, useState } from 'react'
import type { Filter } from '@/lib/api-contract/filter'
import { makeRules } from '@/lib/client/client-side-rows'
import { type InitialList, listKey } from '@/lib/client/list-queries'
import { withMerchantParam } from '@/lib/client/page-context'
import { readListPage } from '@/lib/client/read-list-page'
import { useFocusContent } from '@/lib/client/page-lifecycle'
import { useCapabilities } from '@/lib/client/use-capabilities'
import type { CapabilityProofs, ListId } from '@/lib/domain/lists/capabilities'
import type { ListRow } from '@/lib/domain/lists/list-pages'
import { useAppConfig, useFormatCount } from '../layout/app-config'
import { filterContext, MAX_VALUE_LENGTH } from '@/lib/domain/lists/filter-values'
import { showToast } from '../feedback/toast-store'
import { ListTools } from '../list-tools/list-tools'
import { RefreshButton } from '../list-tools/refresh-button'
import { describeColumns } from './column-layout'
import { focusList } from './grid-actions'
import type { ListDefinition } from './list-definition'
import { focusFirstFilter } from '../forms/form-elements'
import { ListState } from '../infinite-list/list-state'
import { ListStatus } from '../infinite-list/list-status'
import { clearListPlace } from './list-place'
import { TableFrame } from './table-frame'
import { TableGrid } from './table-grid'
import { TableToolbar } from './table-toolbar'
import { formatView, type TableView } from './table-view'
import { listOrders, type ListPlan, planQuery } from '@/lib/domain/lists/list-plan'
import { useColumns } from './use-columns'
import { useOpenPlace } from './use-open-place'
import { type Selection, useSelection } from './use-selection'
import { type RowList, useListQuery } from '../infinite-list/use-list-query'
import type { SheetMoves } from '../ui/side-sheet'
import { type ChangeView, useShownView, useTableView } from './use-table-view'
import * as m from '@/lib/messages/m'

/** What a table passes to its selection bar. */
export type SelectionProps<List extends ListId> = {
  list: RowList<ListRow<List>>
  selection: Selection<ListRow<List>>
  view: TableView
}

/** What a table passes to its tabs. `addressOf`: of a view, its path and query. */
export type TabsProps = { view: TableView; change: ChangeView; addressOf: (view: TableView) => string }

/** What a table passes to its side panel. */
export type SidePanelProps<List extends ListId> = {
  list: RowList<ListRow<List>>
  openRowId: string | null
  open: (key: string) => void
  moves: SheetMoves
  /** What gets the focus when the panel closes and the open row is not rendered. */
  findHeir: () => HTMLElement | null
  close: () => void
  proofs: CapabilityProofs
  /** How the filters are split between the API and the browser. */
  plan: ListPlan
}

type SelectingProps<Row> = {
  list: RowList<Row>
  scope: string
  viewKey: string
  children: (selection: Selection<Row>) => ReactNode
}

/** Holds the selection, so that a tick renders nothing else of the table. */
function Selecting<Row>({ list, scope, viewKey, children }: SelectingProps<Row>) {
  return children(useSelection(list, scope, viewKey))
}

export type DataTableProps<List extends ListId> = {
  definition: ListDefinition<List>
  initialPage: InitialList
  /** Rendered beside the list; shows the row named in the URL where rows have no page of their own. */
  sidePanel?: ComponentType<SidePanelProps<List>>
  /** Shows what is selected and what can be done with it. Without it rows can't be selected. */
  selectionBar?: ComponentType<SelectionProps<List>> | undefined
  /** Buttons beside the heading. */
  actions?: ReactNode
  /** Embeds the table in another page, showing only the rows that satisfy this filter. */
  baseFilter?: Filter
  /** The common views above the filters. */
  renderTabs?: (props: TabsProps) => ReactNode
  /** Replaces the definition's message for an empty list. */
  empty?: { title: string; advice: string }
}

function ListTable<List extends ListId>(props: DataTableProps<List>) {
  const { definition, initialPage, actions, baseFilter, renderTabs } = props
  const { sidePanel: SidePanel, selectionBar: SelectionBar } = props
  const router = useRouter()
  const client = useQueryClient()
  const pathname = usePathname()
  const formatCount = useFormatCount()
  const config = useAppConfig()
  const { listId, filters, address: addressOfRow } = definition
  const { loadId } = initialPage
  const isEmbedded = baseFilter !== undefined
  const { proofs, invalidate } = useCapabilities(listId, initialPage.proofs)
  const getViewKey = (of: TableView) =>
    `${loadId} ${pathname}${formatView(definition, { ...of, columns: null, openRowId: null })}`
  const { view, change: changeView, close, addressOf } = useTableView(definition)
  const context = filterContext(config)
  const plan = planQuery(filters, view, proofs, context, baseFilter)
  const requestKey = JSON.stringify(plan.request)
  const viewKey = getViewKey(view)
  // Where the focused control went with its filter.
  useFocusContent(viewKey)
  const applyChange: ChangeView = (part, history) => {
    const next = changeView(part, history)
    // Choosing a view reads it again; going back to it finds it as it was.
    if (getViewKey(next) === viewKey) return next
    clearListPlace(getViewKey(next))
    const { request: nextRequest } = planQuery(filters, next, proofs, context, baseFilter)
    if (JSON.stringify(nextRequest) !== requestKey)
      client.removeQueries({ queryKey: listKey(listId, nextRequest, loadId), exact: true })
    return next
  }
  const rules = makeRules(listId, plan.clientSide)
  const frame = useRef<HTMLDivElement>(null)
  /** The list that has rows which only a reload shows. */
  const [outgrown, setOutgrown] = useState<string | null>(null)
  const list = useListQuery<ListRow<List>>({
    key: listKey(listId, plan.request, loadId),
    fetchPage: (after, signal, quiet = false) =>
      readListPage(listId, {
        request: plan.request,
        requestedFilter: plan.requestedFilter,
        after: after ?? undefined,
        signal,
        quiet,
        onContradiction: () => invalidate(plan.requiredCapabilities),
      }),
    rules,
    failure: initialPage.requestKey === requestKey ? initialPage.failure : null,
  })
  const columnChoice = useColumns(definition, view, applyChange, isEmbedded)
  const shown = useShownView(definition, view, columnChoice.layout)
  const loaded = rules ? list.loaded : 0

  // Rows with a page of their own open there.
  const openRowId = SidePanel && !addressOfRow ? view.openRowId : null
  const isOpen = openRowId !== null
  // Back closes the panel; moving from row to row adds no history entries.
  const openRow = (key: string) => applyChange({ openRowId: key }, isOpen ? 'replace' : 'push')
  const { moves, findHeir } = useOpenPlace(list, openRowId, viewKey, (choose) =>
    applyChange((current) => ({ openRowId: choose(current.openRowId) ?? current.openRowId }), 'replace'),
  )
  function openPage(key: string): void {
    const row = list.get(key)
    const page = row && addressOfRow?.(row)
    if (page) router.push(withMerchantParam(page))
  }

  const isTooLong = (view.values.search?.length ?? 0) > MAX_VALUE_LENGTH
  const note = [
    ...(isTooLong ? [m.lists_searchIsTooLong({ max: MAX_VALUE_LENGTH })] : []),
    ...(loaded > 0 ? [m.lists_withinLoadedRows({ count: loaded, written: formatCount(loaded) })] : []),
    ...(plan.isCaseSensitive ? [m.lists_capitalLettersCount()] : []),
  ].join(', ')
  const listed = `${loadId} ${requestKey}`
  const refresh = (
    <RefreshButton
      key={listed}
      listId={listId}
      list={list}
      onTop={(count) => {
        if (plan.clientSide.orders.length > 0)
          showToast(m.lists_freshSortedIn({ count, written: formatCount(count) }), '', { isBrief: true })
        else frame.current?.querySelector('[data-scroller]')?.scrollTo({ top: 0 })
        focusList()
      }}
      onRead={(needsReload) => setOutgrown(needsReload ? listed : null)}
    />
  )
  const isFiltered = Object.keys(view.values).length > 0
  const empty = props.empty ?? { title: definition.empty.title(), advice: definition.empty.advice() }
  const foot = (
    <>
      <ListState
        list={list}
        name={definition.name()}
        empty={empty}
        isFiltered={isFiltered}
        onClear={() => {
          focusFirstFilter(frame.current)
          applyChange({ values: {} })
        }}
      />
      <ListStatus
        list={list}
        isOutgrown={outgrown === listed}
        view={`${viewKey} ${requestKey}`}
        isFilteredClientSide={plan.clientSide.filter !== null}
        order={
          !view.sorting
            ? m.lists_providersOrder()
            : listOrders(filters, view).length > 1
              ? m.lists_withinEachCurrency()
              : undefined
        }
      />
    </>
  )
  return (
    <TableFrame
      ref={frame}
      name={definition.name()}
      viewName={shown.name}
      isEmbedded={isEmbedded}
      hasPanel={isOpen}
      hasShortCards={definition.columns.every(({ meta }) => !meta?.cardSlot?.startsWith('footer'))}
      actions={
        <>
          {refresh}
          {actions}
        </>
      }
    >
      {renderTabs?.({ view, change: applyChange, addressOf })}
      <TableToolbar listId={listId} filters={filters} view={view} change={applyChange} note={note}>
        {isEmbedded ? null : (
          <ListTools
            listId={listId}
            name={definition.name()}
            filters={filters}
            columns={describeColumns(definition.columns)}
            columnChoice={columnChoice}
            view={view}
            plan={plan}
            planFor={(values) => planQuery(filters, { ...view, values }, proofs, context)}
            shown={shown}
          />
        )}
      </TableToolbar>
      <Selecting list={list} scope={JSON.stringify(view.values)} viewKey={viewKey}>
        {(selection) => (
          <>
            <TableGrid
              definition={definition}
              columns={columnChoice.columns}
              readColumns={columnChoice.readNewest}
              list={list}
              viewKey={viewKey}
              sorting={view.sorting}
              onSortingChange={(sorting) => applyChange({ sorting })}
              onOpen={addressOfRow ? openPage : openRow}
              onLayoutChange={isEmbedded ? undefined : columnChoice.change}
              openRowId={openRowId}
              selection={SelectionBar ? selection : null}
            />
            {foot}
            {SelectionBar ? <SelectionBar {...{ list, selection, view }} /> : null}
          </>
        )}
      </Selecting>
      {SidePanel ? (
        <SidePanel {...{ list, proofs, plan, moves, findHeir }} openRowId={openRowId} open={openRow} close={close} />
      ) : null}
    </TableFrame>
  )
}

/** A resource's page: heading, filters, the infinite grid and its state, all derived from the definition. */
export function DataTable<List extends ListId>(props: DataTableProps<List>) {
  return (
    <HydrationBoundary state={props.initialPage.state}>
      <ListTable {...props} />
    </HydrationBoundary>
  )
}
