import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { act, render, type RenderResult, waitFor } from '@testing-library/react'
import { type ReactNode, useEffect } from 'react'
import type { SerializedFailure } from '@/lib/api-contract/problem'
import { listKey } from '@/lib/client/list-queries'
import { type ListService, makePayments, startListService } from '@/lib/client/testing/list-service'
import type { Payment } from '@/lib/api-contract/payments'
import { facts } from '../../data-table/testing/render-rows'
import { AppConfigProvider } from '../../layout/app-config'
import { QueryProvider } from '../../layout/query-provider'
import type { ClientSideRules } from '@/lib/client/client-side-rows'
import { type RowList, useListQuery } from '../use-list-query'

type Answer = Parameters<typeof startListService>[0]

export type ListProps = {
  /** Identifies the page load. */
  visit?: string
  rules?: ClientSideRules<Payment> | null
  failure?: SerializedFailure | null
  /** The index of the last visible row; null before there is a grid. */
  seen?: number | null
  /** Identifies the filters, regardless of sorting. */
  scope?: string
}

/** A list of payments in the browser, one test at a time. */
export type ListStage = {
  readonly list: RowList<Payment>
  readonly client: QueryClient
  readonly service: ListService
  /** Starts an API server and opens a list on it. */
  open: (answer: Answer, props?: ListProps) => Promise<void>
  /** Re-renders the list with other props, or returns to it. */
  show: (props: ListProps) => void
  /** Navigates to a page without a list. */
  leave: () => void
  /** Waits until no request is in flight. */
  settle: () => Promise<void>
  /** Waits until the list has settled, and a little longer for requests that must not follow. */
  finish: () => Promise<void>
  close: () => Promise<void>
}

/** `useMore`: further hooks on the list, and what to render of it. */
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
    const { visit = 'visit', rules = null, failure = null, seen = 0 } = given
    const client = useQueryClient()
    const { service } = getOpened()
    const list = useListQuery<Payment>({
      key: listKey('listPayments', {}, visit),
      fetchPage: (after, signal) => service.read(after ?? undefined, signal),
      rules,
      failure,
    })
    useEffect(() => {
      if (seen !== null) list.loadUntil(seen)
    }, [list, seen])
    current = { list, client }
    return useMore(list, given)
  }

  const wrap = (page: ReactNode) => (
    <AppConfigProvider config={facts}>
      <QueryProvider>{page}</QueryProvider>
    </AppConfigProvider>
  )

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

/** Waits for a condition while React renders; fails after ten seconds. */
export function waitUntil(condition: () => boolean): Promise<void> {
  const check = () => {
    if (!condition()) throw new Error(`It never came to be that ${condition.toString()}`)
  }
  return waitFor(check, { timeout: 10_000, interval: 5 })
}

/** Waits this long (milliseconds) for something that must not happen. */
export function pass(time: number): Promise<void> {
  return act(() => new Promise<void>((resolve) => setTimeout(resolve, time)))
}

/** The keys of all rows in order. */
export function readKeys(list: RowList<Payment>): string[] {
  return Array.from({ length: list.size }, (_, index) => list.keyAt(index))
}

/** `p0`, `p1` and so on. */
export function keysFrom(first: number, end: number): string[] {
  return Array.from({ length: end - first }, (_, index) => `p${first + index}`)
}

/** A well-behaved API with `total` payments in pages of 100. */
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
