import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import { PathnameContext, SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { viewsKey } from '@/lib/client/list-queries'
import type { NamedView } from '@/lib/domain/lists/list-preferences'
import { AppConfigProvider } from '../layout/app-config'
import { paymentsTable } from '../payments/payments-table'
import { facts } from './testing/render-rows'
import type { TableView } from './table-view'
import { type ChangeView, useShownView, useTableView } from './use-table-view'

let client: QueryClient
let hook: ReturnType<typeof renderTable>

const Page = ({ children }: { children: ReactNode }) => (
  <PathnameContext value="/payments">
    <SearchParamsContext value={new URLSearchParams(location.search)}>
      <AppConfigProvider config={facts}>
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      </AppConfigProvider>
    </SearchParamsContext>
  </PathnameContext>
)

const renderTable = () =>
  renderHook(
    () => {
      const table = useTableView(paymentsTable)
      return { table, shown: useShownView(paymentsTable, table.view, null) }
    },
    { wrapper: Page },
  )

const table = () => hook.result.current.table
const shown = () => hook.result.current.shown

/** Opens the list at an address; the entry before it is `/elsewhere`. */
function open(search: string): void {
  history.pushState(null, '', '/elsewhere')
  history.pushState(null, '', `/payments${search}`)
  hook = renderTable()
}

/** Renders the page as Next.js does once the address has changed, or the server has sent it again. */
const follow = () => hook.rerender()

function change(...given: Parameters<ChangeView>): void {
  act(() => void table().change(...given))
  follow()
}

/** Waits for the entry that Back leads to. */
async function goBack(back: () => void): Promise<void> {
  await new Promise<void>((resolve) => {
    window.addEventListener('popstate', () => setTimeout(resolve), { once: true })
    act(back)
  })
  follow()
}

it('a row without an id that another page load has shown is in the address no longer', () => {
  open(`?state=Pending&open=${encodeURIComponent('\0other.1.3')}`)
  expect([location.search, table().view.openRowId]).toEqual(['?state=Pending', null])
})

beforeEach(() => {
  client = new QueryClient()
})
afterEach(cleanup)

describe('changes that are made faster than the page renders', () => {
  /** Next.js writes the address that it has just rendered. */
  function renderLate(address: string): void {
    history.replaceState(history.state, '', address)
    follow()
  }

  it('are each made to the newest, also while Next.js writes an earlier address again', () => {
    open('')
    const openNext = ({ openRowId }: TableView) => ({ openRowId: `p${Number(openRowId?.slice(1) ?? 0) + 1}` })
    act(() => void table().change(openNext))
    act(() => void table().change(openNext))
    renderLate('/payments?open=p1')
    act(() => void table().change(openNext))
    expect(location.search).toBe('?open=p3')
    renderLate('/payments?open=p2')
    act(() => void table().change({ values: { state: 'Pending' } }))
    expect(location.search).toBe('?state=Pending&open=p3')
    follow()
    // A link to another view, and the way back.
    history.pushState(null, '', '/payments?state=Settled')
    follow()
    act(() => void table().change(openNext))
    expect(location.search).toBe('?state=Settled&open=p1')
  })

  it('are none of the entry that Back leads to', async () => {
    open('?open=p7')
    act(() => void table().change({ values: { state: 'Pending' } }))
    await goBack(() => history.back())
    change({ sorting: { field: 'amount', direction: 'asc' } })
    expect(location.search).toBe('?sort=amount&open=p7')
  })
})

describe('a saved view', () => {
  const views: NamedView[] = [
    { name: 'Open ones', query: 'state=Pending%2CScheduled', isDefault: false },
    { name: 'Ann', query: 'search=ann%2C+bob&sort=-amount', isDefault: false },
  ]
  beforeEach(() => client.setQueryData(viewsKey('payments'), views))

  it.each([
    ['?state=Pending%2CScheduled', 'Open ones'],
    ['?state=Pending,Scheduled', 'Open ones'],
    ['?state=Pending,Scheduled&open=p1', 'Open ones'],
    ['?sort=-amount&search=ann,%20bob', 'Ann'],
    ['?state=Pending', undefined],
  ])('is recognised in %s', (search, name) => {
    open(search)
    expect(shown().name).toBe(name)
    expect(views.filter(({ query }) => shown().isShown(query)).map((view) => view.name)).toEqual(name ? [name] : [])
  })

  it('that is chosen again adds no history entry', () => {
    open('?state=Pending%2CScheduled')
    const before = history.length
    change({ values: { state: 'Pending,Scheduled' } })
    expect(history.length).toBe(before)
    change({ values: { state: 'Pending' } })
    expect(history.length).toBe(before + 1)
  })
})

describe('a panel that is closed', () => {
  /** As Next.js writes an entry when it reads its page again. */
  function refresh(): void {
    history.replaceState({ __NA: true }, '')
    follow()
  }

  it('leaves no history entry that shows the list again, also where the page was read again beside it', async () => {
    open('')
    change({ openRowId: 'p1' })
    refresh()
    change({ openRowId: 'p2' }, 'replace')
    refresh()
    expect(history.state).toEqual({ opensPanel: true })
    await goBack(table().close)
    expect(location.href.slice(location.origin.length)).toBe('/payments')
    await goBack(() => history.back())
    expect(location.pathname).toBe('/elsewhere')
  })

  it('closes by going back at once after the page was read again', async () => {
    open('')
    change({ openRowId: 'p1' })
    // Next.js has written the entry, and the list is not rendered again yet.
    history.replaceState({ __NA: true }, '')
    await goBack(table().close)
    await goBack(() => history.back())
    expect(location.pathname).toBe('/elsewhere')
  })

  it('stays on the page where the address had opened it', () => {
    open('?open=p1')
    const back = vi.spyOn(history, 'back')
    refresh()
    act(() => table().close())
    expect([location.search, back.mock.calls]).toEqual(['', []])
    back.mockRestore()
  })

  it('is not taken for one that was opened here once another entry shows it', async () => {
    open('')
    change({ openRowId: 'p1' })
    await goBack(() => history.back())
    // A link of the page, as from a search.
    history.pushState({ __NA: true }, '', '/payments?open=p1')
    follow()
    const back = vi.spyOn(history, 'back')
    act(() => table().close())
    expect([location.search, back.mock.calls]).toEqual(['', []])
    back.mockRestore()
  })
})
