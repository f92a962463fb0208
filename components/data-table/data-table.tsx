'use client'

import { HydrationBoundary, useQueryClient } from '@tanstack/react-query'
import { usePathname, useRouter } from 'next/navigation'
import { type ComponentType, type ReactNode, useCallback, useMemo } from 'react'
import { type FieldKind, type Filter, filterFields } from '@/lib/api-contract/filter'
import { CallError } from '@/lib/client/api-client'
import type { ClientSideRules } from '@/lib/client/client-side-rows'
import { type InitialList, listKey } from '@/lib/client/list-queries'
import { withMerchantParam } from '@/lib/client/page-context'
import { readListPage } from '@/lib/client/read-list-page'
import { useCapabilities } from '@/lib/client/use-capabilities'
import type { ListId } from '@/lib/domain/lists/capabilities'
import type { ListRow } from '@/lib/domain/lists/list-pages'
import { createRowComparator, matchesFilter } from '@/lib/domain/lists/row-matching'
import { useCount } from '../layout/app-config'
import { PageHeader } from '../layout/page-header'
import { ListTools } from '../list-tools/list-tools'
import { RefreshButton } from '../list-tools/refresh-button'
import { UntrustedText } from '../ui/untrusted-text'
import { describeColumns } from './column-layout'
import type { ListDefinition } from './list-definition'
import { ListState } from './list-state'
import { ListStatus } from './list-status'
import { clearScrollPosition } from './scroll-position'
import { type SidePanelProps, TableBody } from './table-body'
import { TableToolbar, useSeenValues } from './table-toolbar'
import { type ListPlan, planQuery, type TableView, writeView } from './table-view'
import { useColumns } from './use-columns'
import { useListQuery } from './use-list-query'
import { type ChangeView, useShownView, useTableView } from './use-table-view'
import * as words from '@/lib/words/lists'

type TableFrameProps = {
  name: string
  /** The name of the saved view that is shown, if any. */
  viewName: string | undefined
  /** Whether the table is a section of another page. */
  isPart: boolean
  /** The number of rows. */
  size: number
  actions: ReactNode
  refresh: ReactNode
  children: ReactNode
}

/** Rows that an embedded table shows at once. */
const fewest = 4
const most = 10

/** The frame of a table: a page of its own fills the screen under its h1, an embedded one is as high as its rows. */
export function TableFrame({ name, viewName, isPart, size, actions, refresh, children }: TableFrameProps) {
  if (!isPart) {
    return (
      <div className="dt-page fill-screen flex min-h-0 flex-col">
        <PageHeader title={name} beside={viewName && <UntrustedText>{viewName}</UntrustedText>}>
          {refresh}
          {actions}
        </PageHeader>
        {children}
      </div>
    )
  }
  return (
    <section
      aria-label={name}
      className="dt-part flex flex-col border-t border-line"
      style={{ ['--dt-count' as string]: Math.min(most, Math.max(fewest, size)) }}
    >
      <div className="dt-part-head">
        <h2 className="text-base font-semibold">{name}</h2>
        <div className="flex flex-wrap items-center gap-2">
          {refresh}
          {actions}
        </div>
      </div>
      {children}
    </section>
  )
}

export type DataTableProps<List extends ListId> = {
  definition: ListDefinition<List>
  first: InitialList
  /** Rendered beside the list; shows the row named in the URL where rows have no page of their own. */
  beside?: ComponentType<SidePanelProps<List>>
  /** Whether rows can be selected, for the side panel. */
  selects?: boolean
  /** Buttons beside the heading. */
  actions?: ReactNode
  /** Embeds the table in another page, showing only the rows that satisfy this filter. */
  within?: Filter
  /** Replaces the definition's message for an empty list. */
  empty?: { title: string; advice: string }
}

/** While a client-side base filter has not seen all rows yet, "none" can't be claimed. */
const noneSoFar = { title: words.noneSoFar, advice: words.noneOfTheRows }

function makeRules<List extends ListId>(list: List, { rest }: ListPlan): ClientSideRules<ListRow<List>> | null {
  const { filter, order } = rest
  if (!filter && !order) return null
  const kinds: Record<string, FieldKind> = filterFields[list]
  return {
    name: JSON.stringify(rest),
    ...(filter && { matches: (row) => matchesFilter(filter, row) }),
    ...(order && { compare: createRowComparator(order, kinds[order.field] ?? 'text') }),
  }
}

const idOf = (row: { id: string | null }) => row.id

function ListTable<List extends ListId>(props: DataTableProps<List>) {
  const { definition, first, beside: Beside, selects = false, actions, within, empty = props.definition.empty } = props
  const router = useRouter()
  const client = useQueryClient()
  const pathname = usePathname()
  const formatCount = useCount()
  const { list: listId, filters, address: addressOf } = definition
  const { visit } = first
  const { proofs, doubt } = useCapabilities(listId, first.proofs)
  const nameView = (of: TableView) =>
    `${visit} ${pathname}${writeView(definition, { ...of, columns: null, open: null })}`
  const [view, write] = useTableView(definition)
  const plan = planQuery(filters, view, proofs, within)
  const ask = JSON.stringify(plan.ask)
  const viewKey = nameView(view)
  const change: ChangeView = (part, history) => {
    const next = write(part, history)
    // Choosing a view reads it again; going back to it finds it as it was.
    if (nameView(next) === viewKey) return next
    clearScrollPosition(nameView(next))
    const { ask: nextAsk } = planQuery(filters, next, proofs, within)
    if (JSON.stringify(nextAsk) !== ask)
      client.removeQueries({ queryKey: listKey(listId, nextAsk, visit), exact: true })
    return next
  }
  const rules = makeRules(listId, plan)
  const { failure } = first
  const refusal = useMemo(() => failure && CallError.of(failure), [failure])
  const list = useListQuery<ListRow<List>>(
    {
      key: listKey(listId, plan.ask, visit),
      idOf,
      read: (after, signal) =>
        readListPage(listId, {
          ask: plan.ask,
          asked: plan.asked,
          after: after ?? undefined,
          signal,
          onContradiction: () => doubt(plan.abilities),
        }),
    },
    { rules, refusal: first.ask === ask ? refusal : null },
  )
  const choice = useColumns(definition, view, change, within !== undefined)
  const shown = useShownView(definition, view, choice.layout)
  const seen = useSeenValues(list, filters)
  const loaded = rules ? list.loaded : 0

  const isOpen = view.open !== null
  // Back closes the panel; moving from row to row adds no history entries.
  const openRow = (key: string) => change({ open: key }, isOpen ? 'replace' : 'push')
  const close = useCallback(() => void write({ open: null }, 'replace'), [write])
  function openPage(key: string): void {
    const row = list.get(key)
    const page = row && addressOf?.(row)
    if (page) router.push(withMerchantParam(page))
  }

  const note = [
    ...(loaded > 0 ? [words.withinLoadedRows(loaded, formatCount(loaded))] : []),
    ...(plan.mindsCase ? [words.capitalLettersCount] : []),
  ].join(', ')
  const refresh = (
    <RefreshButton
      key={`${visit} ${ask}`}
      listId={listId}
      list={list}
      onTop={() => document.querySelector('[data-scroller]')?.scrollTo({ top: 0 })}
    />
  )
  return (
    <TableFrame
      name={definition.name}
      viewName={shown.name}
      isPart={within !== undefined}
      size={list.size}
      actions={actions}
      refresh={refresh}
    >
      <TableToolbar filters={filters} view={view} change={change} seen={seen} note={note}>
        {within ? null : (
          <ListTools
            list={listId}
            name={definition.name}
            filters={filters}
            columns={describeColumns(definition.columns)}
            choice={choice}
            view={view}
            plan={plan}
            shown={shown}
          />
        )}
      </TableToolbar>
      <TableBody
        definition={definition}
        columns={choice.columns}
        list={list}
        viewKey={viewKey}
        order={view.order}
        onOrder={(order) => change({ order })}
        onOpen={addressOf ? openPage : Beside ? openRow : undefined}
        onLayout={within ? undefined : choice.change}
        beside={Beside}
        selects={selects}
        close={close}
        proofs={proofs}
        view={view}
        plan={plan}
      >
        <ListState
          list={list}
          name={definition.name}
          empty={within && plan.rest.filter && list.walk.kind !== 'complete' ? noneSoFar : empty}
          isFiltered={Object.keys(view.values).length > 0}
          onClear={() => change({ values: {} })}
        />
        <ListStatus key={`${viewKey} ${ask}`} list={list} isNarrowed={plan.rest.filter !== null} />
      </TableBody>
    </TableFrame>
  )
}

/** A resource's page: heading, filters, the infinite grid and its state, all derived from the definition. */
export function DataTable<List extends ListId>(props: DataTableProps<List>) {
  return (
    <HydrationBoundary state={props.first.state}>
      <ListTable {...props} />
    </HydrationBoundary>
  )
}
