import { act, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { afterEach, expect, it, vi } from 'vitest'
import { makeBulkView } from '@/components/cancellations/testing/bulk-fixture'
import { facts, makeClosedView } from '@/components/cancellations/testing/cancel-fixture'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { followOtherTab } from '@/lib/client/testing/other-tab'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import type { Attention } from '@/lib/domain/attention'
import { AttentionLists } from './attention-lists'

const desk = setDeskForEach()

afterEach(() => vi.useRealTimers())

const nothing: Attention = { awaiting: [], unconfirmed: [], requests: [], unknown: [] }
const listUnknown = (...ids: string[]): Attention => ({
  ...nothing,
  unknown: ids.map((id) => ({ ...makeClosedView(id), outcome: 'unknown' as const, closed: false })),
})

const makeList = (name: string) => makeBulkView({ id: name, source: { kind: 'list', name }, count: 2 })

function open(initial: Attention): void {
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <QueryProvider>
          <AttentionLists initial={initial} />
        </QueryProvider>
      </AppConfigProvider>
    </AppRouterContext>,
  )
}

/** Waits until just these payments are listed. */
const waitForLinks = (...ids: string[]) =>
  vi.waitFor(() => expect(screen.queryAllByRole('link').map(({ textContent }) => textContent)).toEqual(ids))

it('what was settled since the page was made is no longer listed; it is read without extending the session', async () => {
  desk.answerWith(() => ({ json: nothing }))
  open(listUnknown('p1'))
  expect(screen.getByRole('link').textContent).toContain('p1')
  expect(await screen.findByText('No cancellation needs to be looked into.')).toBeTruthy()
  expect(screen.queryByRole('link')).toBeNull()
  expect(desk.arrived.map(({ path, headers }) => [path, headers['x-debitdesk-quiet']])).toEqual([
    ['/api/desk/attention', '1'],
  ])
})

it('is read again at once when something changes; the focus of a row that is gone is at its heading', async () => {
  let now = listUnknown('p1', 'p2')
  desk.answerWith(() => ({ json: now }))
  open(now)
  await vi.waitFor(() => expect(desk.arrived).toHaveLength(1))
  screen.getByRole('link', { name: 'p1' }).focus()
  now = listUnknown('p2')
  const otherTab = followOtherTab('attention')
  otherTab.tell({ cancellation: ['p1'] })
  await waitForLinks('p2')
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Cancellations to look into' }))
  act(otherTab.stop)
})

it('is read every 15 seconds where no change is told, also after a read that failed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  desk.answerWith(() => ({ status: 403, json: { type: 'urn:debitdesk:forbidden', status: 403 } }))
  open(listUnknown('p1'))
  await vi.waitFor(() => expect(desk.arrived).toHaveLength(1))
  desk.answerWith(() => ({ json: listUnknown('p2') }))
  vi.advanceTimersByTime(15_000)
  await waitForLinks('p2')
})

it('an unknown outcome is listed with its payment’s reference and amount', () => {
  desk.answerWith(() => ({ status: 503 }))
  const [view] = listUnknown('p1').unknown
  if (!view) throw new Error('there is none')
  open({ ...nothing, unknown: [{ ...view, named: 'INV-2041', seen: { amount: 124_500, currency: 'DKK' } }] })
  expect(screen.getByRole('link').textContent).toBe('INV-2041, 1,245.00\u00A0DKK')
})

it('lists of as many payments are told apart by their names', () => {
  desk.answerWith(() => ({ status: 503 }))
  open({ ...nothing, unconfirmed: ['INV-1, INV-2', 'INV-3, INV-4'].map(makeList) })
  expect(screen.getByRole('link', { name: /^2 payments INV-1, INV-2 / })).toBeTruthy()
  expect(screen.getByRole('link', { name: /^2 payments INV-3, INV-4 / })).toBeTruthy()
})
