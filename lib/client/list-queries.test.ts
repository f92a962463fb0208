import { dehydrate, hydrate, InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Page } from '@/lib/api-contract/pagination'
import {
  changePages,
  columnsKey,
  cacheChoice,
  findCachedValues,
  type ListPages,
  listKey,
  patchRows,
} from './list-queries'

type Row = { id: string; status: string }

const key = listKey('listPayments', {}, 'visit')
const row = (id: string, status = 'Pending'): Row => ({ id, status })

let client: QueryClient
let letGo: (() => void) | undefined

beforeEach(() => {
  client = new QueryClient()
  letGo = undefined
})
afterEach(() => client.clear())

function makePage(results: Row[], after: string | null): Page<Row> {
  return { results, unreadable: 0, continuation: after === null ? { kind: 'end' } : { kind: 'more', after } }
}

/** A list with one page and the second in flight until `letGo`. */
function openList() {
  client.setQueryData(key, { pages: [makePage([row('a'), row('b')], '2')], pageParams: [null] })
  const observer = new InfiniteQueryObserver<Page<Row>, Error, ListPages<Row>, typeof key, string | null>(client, {
    queryKey: key,
    queryFn: ({ signal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('given up')))
        letGo = () => resolve(makePage([row('c')], null))
      }),
    initialPageParam: null,
    getNextPageParam: ({ continuation }) => (continuation.kind === 'more' ? continuation.after : undefined),
    staleTime: 'static',
    structuralSharing: false,
  })
  const close = observer.subscribe(() => undefined)
  return { observer, close }
}

const rows = () => client.getQueryData<ListPages<Row>>(key)?.pages.flatMap(({ results }) => results) ?? []
const states = () => rows().map(({ id, status }) => `${id} ${status}`)

describe('a row that is patched while the next page is on its way', () => {
  it('stays as it was patched when that page is there', async () => {
    const { observer } = openList()
    const next = observer.fetchNextPage()
    patchRows(client, 'listPayments', [row('a', 'Cancelled')])
    expect(states()).toEqual(['a Cancelled', 'b Pending'])
    letGo?.()
    await next
    expect(states()).toEqual(['a Cancelled', 'b Pending', 'c Pending'])
  })

  it('stays as it was patched when that page is given up', async () => {
    const { observer, close } = openList()
    void observer.fetchNextPage().catch(() => undefined)
    patchRows(client, 'listPayments', [row('b', 'Cancelled')])
    close()
    await new Promise((resolve) => setTimeout(resolve))
    expect(states()).toEqual(['a Pending', 'b Cancelled'])
  })

  it('is told again by a page that was asked for later', async () => {
    const { observer } = openList()
    const next = observer.fetchNextPage()
    patchRows(client, 'listPayments', [row('a', 'Cancelled')])
    letGo?.()
    await next
    patchRows(client, 'listPayments', [row('a', 'Settled')])
    expect(states()[0]).toBe('a Settled')
  })
})

it('rows that are put on top meanwhile stay there, once', async () => {
  const { observer } = openList()
  const next = observer.fetchNextPage()
  changePages<Row>(client, key, (data) => {
    const [first, ...others] = data.pages
    if (!first || first.results.some(({ id }) => id === 'new')) return data
    return { ...data, pages: [{ ...first, results: [row('new'), ...first.results] }, ...others] }
  })
  letGo?.()
  await next
  expect(rows().map(({ id }) => id)).toEqual(['new', 'a', 'b', 'c'])
})

it('a patch of rows that are in no reading changes none of them', () => {
  openList()
  const before = client.getQueryData(key)
  patchRows(client, 'listPayments', [row('elsewhere')])
  expect(client.getQueryData(key)).toBe(before)
})

it('what a reader chose stays when the page of before is come back to, though the server’s clock is ahead', () => {
  const server = new QueryClient()
  server.setQueryData(columnsKey('payments'), 'payer', { updatedAt: Date.now() + 600_000 })
  const page = dehydrate(server)
  hydrate(client, page)
  cacheChoice(client, columnsKey('payments'), 'payer.amount')
  hydrate(client, page)
  expect(client.getQueryData(columnsKey('payments'))).toBe('payer.amount')
})

it('offers the values of a list that another choice has left out of its rows, and of no other list', () => {
  const cache = (list: 'listPayments' | 'listMandates', request: string, states: string[][]) =>
    client.setQueryData(listKey(list, { filter: request }, 'load'), {
      pages: states.map((page) => ({ results: page.map((state) => ({ state })) })),
      pageParams: [],
    })
  cache('listPayments', '', [['Pending'], ['Settled']])
  cache('listPayments', 'chosen', [['Pending']])
  cache('listMandates', '', [['Active']])
  expect(findCachedValues(client, 'state', 'listPayments')).toEqual(['Pending', 'Settled'])
})
