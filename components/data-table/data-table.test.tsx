import { dehydrate, QueryClient } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { PathnameContext, SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listKey, type InitialList } from '@/lib/client/list-queries'
import { startDeskServer, type DeskServer } from '@/lib/client/testing/desk-server'
import { makePayments } from '@/lib/client/testing/list-service'
import { usedCapabilities } from '@/lib/domain/lists/capabilities'
import { listPayments } from '@/lib/api-contract/payments'
import { AppConfigProvider } from '../layout/app-config'
import { relatedPaymentsTable } from '../payments/payment-columns'
import { paymentsTable } from '../payments/payments-table'
import { QueryProvider } from '../layout/query-provider'
import { DataTable, type DataTableProps } from './data-table'
import { layOut } from './testing/lay-out'
import { pass, waitUntil } from '../infinite-list/testing/open-list'
import { facts } from './testing/render-rows'

type Entry = Record<string, unknown>

let desk: DeskServer
/** The API's list, which tests change. */
let all: Entry[] = []
let refreshed = 0

const stay = () => undefined
const refresh = () => void (refreshed += 1)
const router = { back: stay, forward: stay, refresh, push: stay, replace: stay, prefetch: stay, bfcacheId: '' }

function serve(after: string | null) {
  const from = Number(after ?? 0)
  const hasMore = from + 100 < all.length
  const nextOffset = hasMore ? String(from + 100) : null
  return listPayments.reply.parse({ results: all.slice(from, from + 100), hasMore, nextOffset })
}

// No capability is proven: filters and sorting are client-side.
const proofs = Object.fromEntries(usedCapabilities.listPayments.map((ability) => [ability, false]))

/** The server's initial data, as app/(dashboard)/load-list.ts creates it. */
function makeFirst(
  loadId: string,
  failure: InitialList['failure'] = null,
  proven: Record<string, boolean> = {},
): InitialList {
  const client = new QueryClient()
  if (!failure) client.setQueryData(listKey('listPayments', {}, loadId), { pages: [serve(null)], pageParams: [null] })
  return { loadId, requestKey: '{}', proofs: { ...proofs, ...proven }, state: dehydrate(client), failure }
}

const page = (
  first: InitialList,
  props: Partial<DataTableProps<'listPayments'>> & Pick<DataTableProps<'listPayments'>, 'definition'> = {
    definition: relatedPaymentsTable,
  },
) => (
  <AppRouterContext value={router}>
    <PathnameContext value="/payments">
      <SearchParamsContext value={new URLSearchParams(location.search)}>
        <AppConfigProvider config={facts}>
          <QueryProvider>
            <DataTable {...props} initialPage={first} />
          </QueryProvider>
        </AppConfigProvider>
      </SearchParamsContext>
    </PathnameContext>
  </AppRouterContext>
)

const ids = (within: ParentNode = document) =>
  [...within.querySelectorAll<HTMLElement>('[data-row-id]')].map(({ dataset }) => dataset.rowId)
const walk = () => document.querySelector<HTMLElement>('[data-walk]')?.dataset.walk
const listReads = () => desk.arrived.filter(({ path }) => path.startsWith('/api/service/Payments'))

/** Renders the page; the returned function re-renders it, as Next.js does when the URL or the server data changes. */
function show(first: InitialList): (next?: InitialList) => void {
  const { rerender } = render(page(first))
  return (next = first) => rerender(page(next))
}

beforeEach(async () => {
  history.replaceState(null, '', '/payments')
  layOut()
  refreshed = 0
  all = makePayments(0, 50)
  desk = await startDeskServer()
  desk.answerWith(({ path }) => ({ json: serve(new URL(path, 'http://desk').searchParams.get('after')) }))
})

afterEach(async () => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await desk.close()
})

it('says in which order the rows stand where no heading shows it', () => {
  const table = { definition: paymentsTable }
  const { rerender } = render(page(makeFirst('orders'), table))
  const orders = [/provider’s order/u, /within each currency/u].map((order) => () => screen.queryByText(order) !== null)
  const read = () => orders.map((isSaid) => isSaid())
  expect(read()).toEqual([true, false])
  const shown = ['?sort=amount', '?sort=amount&currency=DKK', '?sort=paymentDate'].map((query) => {
    history.replaceState(null, '', `/payments${query}`)
    rerender(page(makeFirst('orders'), table))
    return read()
  })
  expect(shown).toEqual([
    [false, true],
    [false, false],
    [false, false],
  ])
})

describe("the server's page", () => {
  it('has the first rows to read, which the browser takes as they are, without a request', async () => {
    const first = makeFirst('served')
    const root = document.createElement('div')
    document.body.append(root)
    root.innerHTML = renderToString(page(first))
    expect(ids(root).slice(0, 25)).toEqual(Array.from({ length: 25 }, (_, at) => `p${at}`))
    expect(root.textContent).toContain('PMT-24')
    const served = [...root.querySelectorAll('[data-row-id]')]
    const complaints: unknown[] = []
    const console_ = vi.spyOn(console, 'error').mockImplementation((...said) => void complaints.push(said))
    const hydrated = await act(async () =>
      hydrateRoot(root, page(first), { onRecoverableError: (error) => complaints.push(error) }),
    )
    await waitUntil(() => walk() === 'complete')
    expect(complaints).toEqual([])
    console_.mockRestore()
    expect([...root.querySelectorAll('[data-row-id]')].slice(0, 10)).toEqual(served.slice(0, 10))
    expect(listReads()).toEqual([])
    act(() => hydrated.unmount())
    root.remove()
  })

  it('says why there are no rows, and reads them once a person says so', async () => {
    const problem = { type: 'about:blank#upstream-broken', title: 'The service is broken', status: 502 }
    show(makeFirst('refused', { status: 502, code: 'upstream-broken', problem, retryAfter: null }))
    expect(walk()).toBe('failed')
    expect(listReads()).toEqual([])
    fireEvent.click(screen.getByRole('button', { name: /retry/iu }))
    await waitUntil(() => walk() === 'complete')
    expect(ids()[0]).toBe('p0')
    expect(document.querySelector('[data-problem]')).toBeNull()
  })
})

describe('Refresh', () => {
  const press = (name: RegExp) => fireEvent.click(screen.getByRole('button', { name }))

  it('offers what came on top, and puts it there when a person wants it', async () => {
    show(makeFirst('top'))
    all = [...makePayments(9_000, 3), ...all.map((row, at) => (at === 1 ? { ...row, status: 'Cancelled' } : row))]
    press(/^refresh$/iu)
    await screen.findByRole('button', { name: '3 new' }, { timeout: 10_000 })
    expect(ids()[0]).toBe('p0')
    // Loaded rows are updated.
    await waitUntil(() => document.querySelector('[data-row-id=p1]')?.getAttribute('data-status') === 'Cancelled')
    press(/^3 new$/u)
    await waitUntil(() => ids()[0] === 'p9000')
    expect(ids().slice(0, 5)).toEqual(['p9000', 'p9001', 'p9002', 'p0', 'p1'])
    expect(screen.queryByRole('button', { name: /new/u })).toBeNull()
    expect(refreshed).toBe(0)
  })

  it.each([
    ['an empty list to which three come', 0, () => makePayments(9_000, 3), /^3 new: reload list$/u],
    ['150 new ones on 100', 100, () => [...makePayments(9_000, 150), ...makePayments(0, 100)], /^100 new: reload/u],
    [
      'one among the others',
      50,
      () => [...makePayments(0, 9), ...makePayments(9_000, 1), ...makePayments(9, 41)],
      /^1 new: reload/u,
    ],
  ])('offers to load the list anew for %s', async (_, before, after, offer) => {
    all = makePayments(0, before)
    const again = show(makeFirst('before'))
    await waitUntil(() => walk() === 'complete')
    all = after()
    press(/^refresh$/iu)
    await screen.findByRole('button', { name: offer }, { timeout: 10_000 })
    press(offer)
    await waitUntil(() => refreshed === 1)
    again(makeFirst('after'))
    await waitUntil(() => ids()[0] === String(all[0]?.['id']))
    expect(screen.queryByRole('button', { name: /new/u })).toBeNull()
  })

  it('comes by itself for who was away for more than a minute, and not for who looked away', async () => {
    show(makeFirst('away'))
    all = [...makePayments(9_000, 2), ...all]
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const visibility = vi.spyOn(document, 'visibilityState', 'get')
    const look = (state: DocumentVisibilityState) => {
      visibility.mockReturnValue(state)
      act(() => void document.dispatchEvent(new Event('visibilitychange')))
    }
    look('hidden')
    vi.setSystemTime(Date.now() + 50_000)
    look('visible')
    await pass(50)
    expect(listReads()).toEqual([])
    look('hidden')
    vi.setSystemTime(Date.now() + 61_000)
    look('visible')
    vi.useRealTimers()
    await screen.findByRole('button', { name: '2 new' }, { timeout: 10_000 })
    expect(ids()[0]).toBe('p0')
  })

  it('says why it failed, and keeps the rows', async () => {
    show(makeFirst('failing'))
    desk.answerWith(() => ({
      status: 502,
      json: { type: 'about:blank#upstream-broken', title: 'Broken', status: 502 },
    }))
    press(/^refresh$/iu)
    const alert = await screen.findByRole('alert', {}, { timeout: 10_000 })
    expect(alert.textContent).toContain('Not refreshed')
    expect(ids()[0]).toBe('p0')
  })
})

async function chooseSettled(): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name: 'State' }))
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Settled' }))
}

describe('filters and orders that the service was not proven to do', () => {
  const statusOf = (at: number) => (at % 2 === 0 ? 'Pending' : 'Settled')

  it('work on the loaded rows, say so, and stand in the address', async () => {
    all = makePayments(0, 40).map((row, at) => ({ ...row, status: statusOf(at), amount: 100 - at }))
    const again = show(makeFirst('local'))
    await chooseSettled()
    again()
    expect(location.search).toBe('?state=Settled')
    expect(ids().slice(0, 3)).toEqual(['p1', 'p3', 'p5'])
    expect(document.body.textContent).toContain('within 40 loaded rows')
    const head = screen.getByRole('columnheader', { name: /Amount/u })
    fireEvent.click(within(head).getByRole('button'))
    again()
    expect(location.search).toBe('?state=Settled&sort=amount')
    expect(ids().slice(0, 3)).toEqual(['p39', 'p37', 'p35'])
    const clear = screen.getAllByRole('button', { name: /clear filters/iu })[0]
    clear?.focus()
    fireEvent.click(clear ?? document.body)
    again()
    // What was pressed is gone.
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'State' }))
    expect(location.search).toBe('?sort=amount')
    expect(ids().slice(0, 3)).toEqual(['p39', 'p38', 'p37'])
    expect(listReads()).toEqual([])
  })

  it('are those of the address that was given', () => {
    history.replaceState(null, '', '/payments?state=Settled')
    all = makePayments(0, 40).map((row, at) => ({ ...row, status: statusOf(at) }))
    show(makeFirst('given'))
    expect(ids().slice(0, 3)).toEqual(['p1', 'p3', 'p5'])
  })
})

describe('filters that the service does', () => {
  const statusOf = (at: number) => (at % 2 === 0 ? 'Pending' : 'Settled')

  it('are read once each; who clears them and comes back finds the rows as they were', async () => {
    all = makePayments(0, 40).map((row, at) => ({ ...row, status: statusOf(at) }))
    desk.answerWith(({ path }) => {
      const { searchParams } = new URL(path, 'http://desk')
      const { results } = serve(null)
      return {
        json: {
          ...serve(null),
          results: searchParams.get('filter') ? results.filter(({ status }) => status === 'Settled') : results,
        },
      }
    })
    const again = show(makeFirst('served', null, { 'eq:status': true }))
    const filtered = () => listReads().filter(({ path }) => path.includes('filter='))
    await chooseSettled()
    again()
    await waitUntil(() => ids()[0] === 'p1')
    expect(filtered()).toHaveLength(1)
    fireEvent.click(screen.getAllByRole('button', { name: /clear filters/iu })[0] ?? document.body)
    again()
    await waitUntil(() => ids()[0] === 'p0' && walk() === 'complete')
    // Back, as Next.js reports it.
    history.replaceState(null, '', '/payments?state=Settled')
    again()
    expect(ids().slice(0, 3)).toEqual(['p1', 'p3', 'p5'])
    await pass(50)
    expect(filtered()).toHaveLength(1)
  })
})

it('an amount without one currency shows no row: nobody must select all payments for it', async () => {
  history.replaceState(null, '', '/payments?amount=1000..5000')
  const table = () => page(makeFirst('rows'), { definition: paymentsTable })
  const { rerender } = render(table())
  await waitUntil(() => walk() === 'complete')
  expect(ids()).toEqual([])
  expect(document.querySelector('.list-no-rows')?.textContent).not.toContain(paymentsTable.empty.title())
  fireEvent.click(screen.getByRole('button', { name: 'Remove filter: Amount' }))
  rerender(table())
  expect(ids()).toContain('p0')
})

it('says of a search that is too long that nothing is shown', () => {
  history.replaceState(null, '', `/payments?search=${'a'.repeat(201)}`)
  render(page(makeFirst('rows'), { definition: paymentsTable }))
  expect(screen.getByText(/search longer than 200 characters: nothing is shown/u)).toBeTruthy()
})
