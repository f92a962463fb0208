import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { clearListPlace } from '@/components/data-table/list-place'
import { facts } from '@/components/data-table/testing/render-rows'
import { honest, setListStage, waitUntil } from '@/components/infinite-list/testing/open-list'
import { type Selection, useSelection } from '@/components/data-table/use-selection'
import { hasPendingToasts, takePendingToasts } from '@/components/feedback/toast-store'
import { AppConfigProvider } from '@/components/layout/app-config'
import { type DeskServer, startDeskServer } from '@/lib/client/testing/desk-server'
import type { Payment } from '@/lib/api-contract/payments'
import { onRouterTransitionStart } from '@/instrumentation-client'
import { PaymentSelection } from './payment-selection'

let selection: Selection<Payment>
let desk: DeskServer

const stay = () => undefined
const pushed: string[] = []
const push = (page: string) => void pushed.push(page)
const router = { back: stay, forward: stay, refresh: stay, push, replace: stay, prefetch: stay, bfcacheId: '' }
const view = { values: {}, sorting: null, columns: null, openRowId: null }

const stage = setListStage((list, { visit = 'plain' }) => {
  selection = useSelection(list, 'all', visit)
  return (
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <PaymentSelection list={list} selection={selection} view={view} />
      </AppConfigProvider>
    </AppRouterContext>
  )
})

beforeEach(async () => {
  clearListPlace('plain')
  pushed.length = 0
  desk = await startDeskServer()
})
afterEach(async () => {
  await stage.close()
  cleanup()
  await desk.close()
})

const button = () => screen.getByRole('button', { name: 'Cancel selected' })
const sent = () => desk.arrived.filter(({ method }) => method === 'POST')

it('tells what is selected as the list has it, and sends nothing else', async () => {
  await stage.open(honest(500), { visit: 'plain', seen: 350 })
  await waitUntil(() => stage.list.size === 500)
  act(() => selection.toggle(340, false))
  act(() => selection.toggle(3, false))
  await screen.findByText('2 payments selected')
  expect(button().getAttribute('aria-disabled')).toBeNull()
  stage.client.clear()
  stage.leave()
  // After returning the selection is there before the rows.
  stage.show({ visit: 'plain', seen: null })
  await screen.findByText('0 payments selected')
  fireEvent.click(button())
  await stage.settle()
  await screen.findByText('1 payment selected')
  expect(button().getAttribute('aria-disabled')).toBe('true')
  fireEvent.click(button())
  expect(sent()).toEqual([])
  stage.show({ visit: 'plain', seen: 350 })
  await waitUntil(() => stage.list.size === 500)
  await screen.findByText('2 payments selected')
  expect(button().getAttribute('aria-disabled')).toBeNull()
})

it('selects all that match once they are loaded, also after the provider asked to wait, and never a part', async () => {
  let isBusy = true
  await stage.open(
    (after) =>
      after === '200' && isBusy ? { status: 429, headers: { 'retry-after': '1' }, body: null } : honest(900)(after),
    {
      visit: 'plain',
      seen: 0,
    },
  )
  await waitUntil(() => stage.list.size === 200)
  act(() => selection.toggle(3, false))
  fireEvent.click(await screen.findByRole('button', { name: 'Select all matching' }))
  await waitUntil(() => stage.list.pagination.kind === 'failed')
  expect(selection.count).toBe(1)
  await screen.findByRole('button', { name: 'Stop loading' })
  isBusy = false
  await screen.findByText('900 payments selected', {}, { timeout: 10_000 })
})

it('gives up selecting all when the list does, selects nothing at a later Retry, and goes on when it is pressed again', async () => {
  let isBusy = true
  await stage.open(
    (after) =>
      after !== null && after !== '100' && isBusy
        ? { status: 429, headers: { 'retry-after': '1' }, body: null }
        : honest(900)(after),
    { visit: 'plain', seen: 0 },
  )
  await waitUntil(() => stage.list.size === 200)
  act(() => selection.toggle(3, false))
  const selectAll = () => screen.findByRole('button', { name: 'Select all matching' }, { timeout: 10_000 })
  fireEvent.click(await selectAll())
  await screen.findByRole('button', { name: 'Stop loading' })
  await selectAll()
  expect(stage.list.pagination).toMatchObject({ kind: 'failed', isWaiting: false })
  isBusy = false
  act(() => stage.list.loadMore())
  await waitUntil(() => stage.list.size > 200 && stage.list.pagination.kind === 'more')
  await stage.settle()
  expect(selection.count).toBe(1)
  isBusy = true
  fireEvent.click(await selectAll())
  await screen.findByRole('button', { name: 'Stop loading' })
  fireEvent.click(await selectAll())
  isBusy = false
  await screen.findByText('900 payments selected', {}, { timeout: 10_000 })
})

it('selects all that match also while the loaded rows are still looked through', async () => {
  await stage.open(honest(5_000), { visit: 'plain', seen: 5_000 })
  await waitUntil(() => stage.list.pagination.kind === 'complete')
  act(() => selection.toggle(99, false))
  await screen.findByText('1 payment selected')
  stage.show({ rules: { name: 'ends', matches: (row) => row.reference?.endsWith('99') ?? false } })
  fireEvent.click(screen.getByRole('button', { name: /^Select all/u }))
  await screen.findByText('50 payments selected')
  expect(selection.count).toBe(50)
})

it('offers no cancellation of payments none of which can be cancelled, and says why', async () => {
  const settled = ({ body }: ReturnType<ReturnType<typeof honest>>) => ({
    body: { ...body, results: body.results.map((row, at) => ({ ...row, status: at === 5 ? 'Pending' : 'Settled' })) },
  })
  await stage.open((after) => settled(honest(50)(after)), { visit: 'plain', seen: 0 })
  await waitUntil(() => stage.list.size === 50)
  act(() => selection.toggle(3, false))
  await waitUntil(() => button().getAttribute('aria-disabled') === 'true')
  fireEvent.click(button())
  expect(sent()).toEqual([])
  await screen.findByTitle('None of the selected payments can be cancelled.')
  screen.getByText('None of the selected payments can be cancelled.')
  act(() => selection.toggle(5, false))
  await waitUntil(() => button().getAttribute('aria-disabled') === null)
})

/** Presses "Cancel selected" for one payment; returns what lets the reply come. */
async function cancelOne(status: number): Promise<() => void> {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  desk.answerWith(async () => {
    await held
    return { status, json: { id: 'b1' } }
  })
  await stage.open(honest(50), { visit: 'plain', seen: 0 })
  await waitUntil(() => stage.list.size === 50)
  act(() => selection.toggle(3, false))
  await screen.findByText('1 payment selected')
  takePendingToasts()
  fireEvent.click(button())
  await waitUntil(() => sent().length === 1)
  return release
}

it.each([
  ['stays, and finds its list by a toast', 200, 'Bulk cancellation list created', '/payments/bulk/b1'],
  ['is told where that failed', 503, 'Bulk cancellation list not created', undefined],
])('whoever has left before the list is there %s', async (_what, status, title, href) => {
  const release = await cancelOne(status)
  stage.leave()
  release()
  await waitUntil(hasPendingToasts)
  const [toast] = takePendingToasts()
  expect([toast?.title, toast?.link?.href, pushed]).toEqual([title, href, []])
})

it.each([
  ['on the way to another page goes there, and finds the list by a toast', ['/customers'], '/payments/bulk/b1', []],
  ['back before it was there is led to the list', ['/customers', '/'], undefined, ['/payments/bulk/b1']],
  ['going back over a filter is led to the list', ['/?state=Settled'], undefined, ['/payments/bulk/b1']],
])('whoever is %s', async (_what, addresses, link, opened) => {
  const release = await cancelOne(200)
  // Next.js reads the other page, and this one stays meanwhile.
  addresses.forEach(onRouterTransitionStart)
  release()
  await waitUntil(() => hasPendingToasts() || pushed.length > 0)
  expect([takePendingToasts()[0]?.link?.href, pushed]).toEqual([link, opened])
})

it('leads to the list once it is there', async () => {
  desk.answerWith(() => ({ json: { id: 'b1' } }))
  await stage.open(honest(50), { visit: 'plain', seen: 0 })
  await waitUntil(() => stage.list.size === 50)
  act(() => selection.toggle(3, false))
  await screen.findByText('1 payment selected')
  fireEvent.click(button())
  await waitUntil(() => pushed.length === 1)
  expect(pushed).toEqual(['/payments/bulk/b1'])
})
