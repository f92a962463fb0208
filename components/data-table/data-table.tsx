'use client'

import { HydrationBoundary, useQueryClient } from '@tanstack/react-query'
import { usePathname, useRouter } from 'next/navigation'
import { type ComponentType, type ReactNode, useCallback, useMemo } from 'react'
import { CallError } from '@/lib/browser/call-error'
import { keepMerchant } from '@/lib/browser/keep-merchant'
import { listKey, type LoadedList } from '@/lib/browser/list-query'
import { readListPage } from '@/lib/browser/read-list-page'
import type { ListId } from '@/lib/contract/ability'
import { compareRows } from '@/lib/contract/compare-rows'
import { type FieldKind, type Filter, filterFields } from '@/lib/contract/filter'
import type { ListRow } from '@/lib/contract/list-page'
import { matchFilter } from '@/lib/contract/match-filter'
import * as words from '@/lib/words/lists'
import { ListTools } from '../list-tools/list-tools'
import { useCount } from '../use-count'
import { describeColumns } from './column-layout'
import type { ListDefinition } from './list-definition'
import { forgetPlace } from './list-places'
import type { LocalRules } from './local-rows'
import { type ListPlan, planQuery } from './plan-query'
import { RefreshButton } from './refresh-button'
import { type BesideTable, TableBody } from './table-body'
import { TableFace } from './table-face'
import { TableFrame } from './table-frame'
import { TableToolbar } from './table-toolbar'
import { type TableView, writeView } from './table-view'
import { useColumns } from './use-columns'
import { useProofs } from './use-proofs'
import { useRowList } from './use-row-list'
import { useSeenValues } from './use-seen-values'
import { useShownView } from './use-shown-view'
import { type ChangeView, useTableView } from './use-table-view'
import { WalkStatus } from './walk-status'

export type DataTableProps<List extends ListId> = {
  definition: ListDefinition<List>
  first: LoadedList
  /** What stands beside the list; it opens the row in the URL, where rows have no page of their own. */
  beside?: ComponentType<BesideTable<List>>
  /** Whether rows can be selected, for what stands beside the list. */
  selects?: boolean
  /** What can be done here, beside the heading. */
  actions?: ReactNode
  /** Makes it a part of another page: only the rows that satisfy this. */
  within?: Filter
  /** What that part says where there is none, in place of what an empty list says. */
  empty?: { title: string; advice: string }
}

/** A part of the list that the desk has to pick out of all rows itself, before it has seen them all. */
const noneSoFar = { title: words.noneSoFar, advice: words.noneOfTheRows }

function makeRules<List extends ListId>(list: List, { rest }: ListPlan): LocalRules<ListRow<List>> | null {
  const { filter, order } = rest
  if (!filter && !order) return null
  const kinds: Record<string, FieldKind> = filterFields[list]
  return {
    name: JSON.stringify(rest),
    ...(filter && { matches: (row) => matchFilter(filter, row) }),
    ...(order && { compare: compareRows(order, kinds[order.field] ?? 'text') }),
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
  const { proofs, doubt } = useProofs(listId, first.proofs)
  const nameView = (of: TableView) =>
    `${visit} ${pathname}${writeView(definition, { ...of, columns: null, open: null })}`
  const [view, write] = useTableView(definition)
  const plan = planQuery(filters, view, proofs, within)
  const ask = JSON.stringify(plan.ask)
  const viewKey = nameView(view)
  const change: ChangeView = (part, history) => {
    const next = write(part, history)
    // Who chooses a view reads it anew; who comes back to it finds it as it was.
    if (nameView(next) === viewKey) return next
    forgetPlace(nameView(next))
    const { ask: nextAsk } = planQuery(filters, next, proofs, within)
    if (JSON.stringify(nextAsk) !== ask)
      client.removeQueries({ queryKey: listKey(listId, nextAsk, visit), exact: true })
    return next
  }
  const rules = makeRules(listId, plan)
  const { failure } = first
  const refusal = useMemo(() => failure && CallError.of(failure), [failure])
  const list = useRowList<ListRow<List>>(
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
  // Back closes what is open; going from row to row leaves no trail.
  const openRow = (key: string) => change({ open: key }, isOpen ? 'replace' : 'push')
  const close = useCallback(() => void write({ open: null }, 'replace'), [write])
  function openPage(key: string): void {
    const row = list.get(key)
    const page = row && addressOf?.(row)
    if (page) router.push(keepMerchant(page))
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
        <TableFace
          list={list}
          name={definition.name}
          empty={within && plan.rest.filter && list.walk.kind !== 'complete' ? noneSoFar : empty}
          isFiltered={Object.keys(view.values).length > 0}
          onClear={() => change({ values: {} })}
        />
        <WalkStatus key={`${viewKey} ${ask}`} list={list} isNarrowed={plan.rest.filter !== null} />
      </TableBody>
    </TableFrame>
  )
}

/** A resource's page: heading, filters, the infinite grid and its state. All of it follows from the definition. */
export function DataTable<List extends ListId>(props: DataTableProps<List>) {
  return (
    <HydrationBoundary state={props.first.state}>
      <ListTable {...props} />
    </HydrationBoundary>
  )
}
