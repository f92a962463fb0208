import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { act, render, type RenderResult, waitFor } from '@testing-library/react'
import { type ReactNode, useEffect } from 'react'
import type { CallError } from '@/lib/client/api-client'
import { listKey } from '@/lib/client/list-queries'
import { type ListService, makePayments, startListService } from '@/lib/client/testing/list-service'
import type { Payment } from '@/lib/api-contract/payments'
import { QueryProvider } from '../../layout/query-provider'
import type { ClientSideRules } from '@/lib/client/client-side-rows'
import { type RowList, useListQuery } from '../use-list-query'

type Answer = Parameters<typeof startListService>[0]

export type ListProps = {
  /** Names the reading, as the server's page does. */
  visit?: string
  rules?: ClientSideRules<Payment> | null
  refusal?: CallError | null
  /** The index of the last row that can be seen, as the grid tells it; null before there is a grid. */
  seen?: number | null
  /** Names what is listed, whatever its order. */
  scope?: string
}

const idOf = (row: Payment) => row.id

/** A list of payments in the browser, for one test after the other. */
export type ListStage = {
  readonly list: RowList<Payment>
  readonly client: QueryClient
  readonly service: ListService
  /** Starts a service and opens a list at it. */
  open: (answer: Answer, props?: ListProps) => Promise<void>
  /** Changes what the list is opened with, or comes back to it. */
  show: (props: ListProps) => void
  /** Goes to another page of the desk, which has no list. */
  leave: () => void
  /** Waits until nothing is being read. */
  settle: () => Promise<void>
  /** Waits until the list has ended in one of its ways, and a little longer for what must not be asked any more. */
  finish: () => Promise<void>
  close: () => Promise<void>
}

/** `useMore` is what else is done with the list where it is shown, and what is drawn of it. */
export function setListStage(useMore: (list: RowList<Payment>, props: ListProps) => ReactNode = () => null): ListStage {
  let opened: (RenderResult & { service: ListService }) | undefined
  let current: { list: RowList<Payment>; client: QueryClient } | undefined
  let props: ListProps = {}

  function getOpened() {
    if (!opened) throw new Error('No list was opened.')
    return opened
  }

  function getCurrent() {
    if (!current) throw new Error('No list is shown.')
    return current
  }

  function Probe(given: ListProps) {
    const { visit = 'visit', rules = null, refusal: serverError = null, seen = 0 } = given
    const client = useQueryClient()
    const { service } = getOpened()
    const list = useListQuery<Payment>(
      {
        key: listKey('listPayments', {}, visit),
        getId: idOf,
        fetchPage: (after, signal) => service.read(after ?? undefined, signal),
      },
      { rules, serverError },
    )
    useEffect(() => {
      if (seen !== null) list.loadUntil(seen)
    }, [list, seen])
    current = { list, client }
    return useMore(list, given)
  }

  const wrap = (page: ReactNode) => <QueryProvider>{page}</QueryProvider>

  const stage: ListStage = {
    get list() {
      return getCurrent().list
    },
    get client() {
      return getCurrent().client
    },
    get service() {
      return getOpened().service
    },
    async open(answer, given = {}) {
      props = given
      const service = await startListService(answer)
      opened = Object.assign(render(wrap(null)), { service })
      stage.show({})
    },
    show(given) {
      props = { ...props, ...given }
      getOpened().rerender(wrap(<Probe {...props} />))
    },
    leave() {
      getOpened().rerender(wrap(null))
    },
    settle: () => waitUntil(() => stage.list.pagination.kind !== 'loading'),
    async finish() {
      await waitUntil(() => !['loading', 'more'].includes(stage.list.pagination.kind))
      await pass(20)
    },
    async close() {
      current?.client.clear()
      opened?.unmount()
      await opened?.service.close()
      opened = undefined
      current = undefined
    },
  }
  return stage
}

/** Waits until a condition holds, while React draws; fails after ten seconds. */
export function waitUntil(condition: () => boolean): Promise<void> {
  const check = () => {
    if (!condition()) throw new Error(`It never came to be that ${condition.toString()}`)
  }
  return waitFor(check, { timeout: 10_000, interval: 5 })
}

/** Lets so much time pass (milliseconds) that what must not happen would have happened. */
export function pass(time: number): Promise<void> {
  return act(() => new Promise<void>((resolve) => setTimeout(resolve, time)))
}

/** The keys of the rows as they stand. */
export function readKeys(list: RowList<Payment>): string[] {
  return Array.from({ length: list.size }, (_, index) => list.keyAt(index))
}

/** `p0`, `p1` and so on. */
export function keysFrom(first: number, end: number): string[] {
  return Array.from({ length: end - first }, (_, index) => `p${first + index}`)
}

/** An honest service of `total` payments in pages of 100. */
export function honest(total: number) {
  return (after: string | null) => {
    const first = after === null ? 0 : Number(after)
    const count = Math.min(100, total - first)
    const hasMore = first + count < total
    return {
      body: { results: makePayments(first, count), hasMore, nextOffset: hasMore ? String(first + count) : null },
    }
  }
}
