'use client'

import { useEffect, useLayoutEffect, useState } from 'react'
import { CallError } from '@/lib/browser/call-error'
import { type KeptList, ListPlace } from '@/lib/browser/list-memory'
import { readListPage } from '@/lib/browser/read-list-page'
import { type ListRules, RowList } from '@/lib/browser/row-list'
import { isTraversal } from '@/lib/browser/traversal'
import { compareRows } from '@/lib/contract/compare-rows'
import type { Ability, ListId, Proofs } from '@/lib/contract/ability'
import { type FieldKind, filterFields } from '@/lib/contract/filter'
import { matchFilter } from '@/lib/contract/match-filter'
import { asListPage, type ListRow } from '@/lib/contract/list-page'
import type { TableDefinition } from './define-table'
import type { ListPlan } from './plan-query'
import type { FirstRows, HandedPage } from './first-rows'

type Input<List extends ListId> = {
  table: TableDefinition<List>
  /** The address of the view without the open row: what Back leads to. */
  address: string
  plan: ListPlan
  proofs: Proofs
  first: FirstRows
  doubt: (abilities: readonly Ability[]) => void
}

function makeRules<List extends ListId>({ table, plan: { rest } }: Input<List>): ListRules<ListRow<List>> | null {
  const { filter, order } = rest
  if (!filter && !order) return null
  const kinds: Record<string, FieldKind> = filterFields[table.list]
  return {
    name: JSON.stringify(rest),
    ...(filter && { matches: (row) => matchFilter(filter, row) }),
    ...(order && { compare: compareRows(order, kinds[order.field] ?? 'text') }),
  }
}

/** The server waits 1.5 s for the second page; a response that stands still is not waited for longer (milliseconds). */
const patience = 5_000

/** A page that the server read. */
function takeHanded<List extends ListId>({ table }: Input<List>, handed: HandedPage) {
  if (handed === null) return null
  if ('page' in handed) return { page: asListPage(table.list, JSON.parse(handed.page)) }
  const { status, code, problem, retryAfter } = handed.failure
  return { error: new CallError(status, code, problem, retryAfter) }
}

type Held<List extends ListId> = KeptList<ListRow<List>> & { address: string; first: FirstRows }

function openList<List extends ListId>(input: Input<List>, ask: string, before: Held<List> | null): Held<List> {
  const { table, address, plan, first, doubt } = input
  const place = new ListPlace()
  const kept = isTraversal() ? table.memory.find(address) : undefined
  if (kept?.ask === ask) return { ...kept, address, first }
  if (before?.ask === ask) return { ...before, place, address }
  // What the server read belongs to the view that it was read for, and is used once.
  const isOurs = first !== before?.first && first.ask === ask
  let next = isOurs ? first.next : null
  async function takeNext() {
    const tooLate = new Promise<null>((resolve) => setTimeout(resolve, patience, null))
    try {
      return takeHanded(input, await Promise.race([next, tooLate]))
    } catch {
      // The response was cut off.
      return null
    } finally {
      next = null
    }
  }
  const list = new RowList<ListRow<List>>(
    {
      idOf: (row) => row.id,
      read: async (after, signal) => {
        const second = after === undefined ? null : await takeNext()
        if (second?.page) return second.page
        if (second) throw second.error
        return readListPage(table.list, {
          ask: plan.ask,
          asked: plan.asked,
          after,
          signal,
          onContradiction: () => doubt(plan.abilities),
        })
      },
    },
    isOurs ? takeHanded(input, first.result) : null,
    makeRules(input),
  )
  // The same view, asked for in another way since more is proven of the service.
  const replaced = before?.address === address ? before : kept
  if (replaced) list.selection.carry(replaced.list.selection)
  return { ask, address, list, place, first }
}

/**
 * The list of a view: the one that was left when the reader comes Back, the present one when only its
 * loaded rows are looked at differently, else a new one that begins with the page the server read.
 */
export function useRowList<List extends ListId>(input: Input<List>): KeptList<ListRow<List>> {
  const { table, address } = input
  const ask = JSON.stringify(input.plan.ask)
  const [held, setHeld] = useState(() => openList(input, ask, null))
  let current = held
  if (held.address !== address || held.ask !== ask) {
    current = openList(input, ask, held)
    setHeld(current)
  }
  const { list, place } = current
  const rules = makeRules(input)
  const rulesName = rules?.name

  // oxlint-disable-next-line react/exhaustive-deps -- rules of the same name are the same
  useLayoutEffect(() => list.setRules(rules), [list, rulesName])
  // Not after the first paint: where the page's script is slow, the next page would be asked for a fifth of a second later.
  useLayoutEffect(() => list.open(), [list])
  useEffect(
    () => () => table.memory.keep(current.address, { ask: current.ask, list: current.list, place: current.place }),
    [table, current],
  )
  return { ask, list, place }
}
