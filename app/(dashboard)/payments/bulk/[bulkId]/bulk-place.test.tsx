import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { layOut } from '@/components/data-table/testing/lay-out'
import { makeBulkRow, makeBulkView } from '@/components/cancellations/testing/bulk-fixture'
import { facts } from '@/components/data-table/testing/render-rows'
import { pass } from '@/components/infinite-list/testing/open-list'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import type { BulkRows } from '@/lib/domain/cancellations/bulk-cancellation'
import { BulkPage } from './bulk-page'

const desk = setDeskForEach()
const COUNT = 90
const view = makeBulkView({
  state: 'finished',
  startedAt: '2026-11-28T09:00:00Z',
  endedAt: '2026-11-28T10:00:00Z',
  count: COUNT,
  settled: COUNT,
})
const rows = Array.from({ length: COUNT }, (_, at) => ({
  ...makeBulkRow(at),
  outcome: at % 2 === 0 ? ('cancelled' as const) : ('not-cancelled' as const),
}))
const counts = { ...view.counts, cancelled: COUNT / 2, 'not-cancelled': COUNT / 2 }
const whole: BulkRows = { rows, next: null, asOf: '2026-11-28T10:00:00.000Z' }

beforeEach(() => {
  history.replaceState(null, '', '/payments/bulk/b1')
  layOut()
  desk.answerWith(({ path }) => ({
    json: path.includes('/rows') ? { ...whole, rows: path.includes('since') ? [] : rows } : { ...view, counts },
  }))
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const page = (firstRows: BulkRows | null, loadId = 'first') => (
  <AppRouterContext value={router}>
    <SearchParamsContext value={new URLSearchParams(location.search)}>
      <AppConfigProvider config={facts}>
        <QueryProvider>
          <main id="content" tabIndex={-1}>
            <BulkPage
              initialView={{ ...view, counts }}
              {...{ firstRows, loadId }}
              mayCancel={false}
              isMine
              rule={null}
            />
          </main>
        </QueryProvider>
      </AppConfigProvider>
    </SearchParamsContext>
  </AppRouterContext>
)
const positions = (within: ParentNode = document) =>
  [...within.querySelectorAll<HTMLElement>('[data-position]')].map(({ dataset }) => Number(dataset.position))
const table = () => screen.getByRole('table')

it.each([
  ['all of them', whole],
  ['the first of them', { ...whole, rows: rows.slice(0, 50), next: 50 }],
])('the rows of a bulk that has ended are in the server’s HTML: %s', (_, first) => {
  const root = document.createElement('div')
  root.innerHTML = renderToString(page(first))
  expect(positions(root).slice(0, 15)).toEqual(Array.from({ length: 15 }, (__, at) => at))
  expect(root.textContent).not.toContain('Loading')
})

it('the chosen chip stands in the address, and is chosen for who comes back', async () => {
  const { unmount } = render(page(whole))
  fireEvent.click(screen.getByRole('button', { name: /^Not cancelled/u }))
  expect(location.search).toBe('?outcome=not-cancelled')
  unmount()
  render(page(whole))
  expect(screen.getByRole('button', { name: /^Not cancelled/u }).getAttribute('aria-pressed')).toBe('true')
  expect(positions().slice(0, 3)).toEqual([1, 3, 5])
  fireEvent.click(document.querySelector('[data-count=all]') ?? document.body)
  expect(location.search).toBe('')
  cleanup()
  // The chip of the list that was confirmed.
  history.replaceState(null, '', '?verdict=cancellable')
  render(page(whole))
  expect(positions().slice(0, 3)).toEqual([0, 1, 2])
})

it('the row with the focus stays while one scrolls, and who comes back finds both', async () => {
  const { unmount } = render(page(whole, 'second'))
  const link = document.querySelector<HTMLElement>('[data-position="2"] a')
  act(() => link?.focus())
  act(() => table().scrollTo({ top: 44 * 60 }))
  await pass(30)
  expect(positions()).toContain(60)
  expect(document.activeElement).toBe(link)
  unmount()
  render(page(whole, 'second'))
  await pass(30)
  expect(table().scrollTop).toBe(44 * 60)
  expect(document.activeElement?.closest<HTMLElement>('[data-position]')?.dataset.position).toBe('2')
})
