import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { layOut } from '@/components/data-table/testing/lay-out'
import { makeBulkRow, makeBulkView } from '@/components/cancellations/testing/bulk-fixture'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { type DeskServer, startDeskServer } from '@/lib/client/testing/desk-server'
import type { BulkResultRow, BulkView } from '@/lib/domain/cancellations/bulk-cancellation'
import { BulkPage } from './bulk-page'
import { router } from '@/lib/client/testing/page'

let desk: DeskServer

beforeEach(async () => {
  layOut()
  desk = await startDeskServer()
})
afterEach(async () => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await desk.close()
})

const awaiting = makeBulkView({
  state: 'awaiting',
  approval: {
    requestedAt: '2026-11-28T08:00:00Z',
    expiresAt: '2026-11-29T08:00:00Z',
    decidedAt: null,
    decidedBy: null,
    note: null,
  },
  count: 1,
})

function open(view: BulkView): void {
  render(
    <AppRouterContext value={router}>
      <SearchParamsContext value={new URLSearchParams()}>
        <AppConfigProvider config={facts}>
          <QueryProvider>
            <main id="content" tabIndex={-1}>
              <BulkPage initialView={view} mayCancel isMine rule={null} firstRows={null} loadId="first" />
            </main>
          </QueryProvider>
        </AppConfigProvider>
      </SearchParamsContext>
    </AppRouterContext>,
  )
}

it('once a request is decided on, the focus is in the page’s content, for the button is gone', async () => {
  const decided = { decidedAt: '2026-11-28T09:00:00Z', decidedBy: 'ann@shop.example' }
  let view = awaiting
  desk.answerWith(({ method, path }) => {
    if (path.includes('/rows')) return { json: { rows: [], asOf: '', next: null } }
    if (method === 'POST' && awaiting.approval)
      view = { ...awaiting, state: 'declined', problem: 'withdrawn', approval: { ...awaiting.approval, ...decided } }
    return { json: view }
  })
  open(awaiting)
  const opener = await screen.findByRole('button', { name: /withdraw/iu })
  opener.focus()
  fireEvent.click(opener)
  const dialog = await screen.findByRole('alertdialog')
  fireEvent.click(within(dialog).getByRole('button', { name: /withdraw/iu }))
  await vi.waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('content'), { timeout: 3_000 })
})

it('the focus stays on the button that pauses and resumes, and goes to the content once there is nothing to stop', async () => {
  let view: BulkView = { ...awaiting, state: 'running', approval: null, startedAt: '2026-11-28T09:00:00Z', written: 1 }
  desk.answerWith(({ method, path, body }) => {
    if (path.includes('/rows')) return { json: { rows: [], asOf: '', next: null } }
    const { action } = (method === 'POST' ? body : {}) as { action?: 'pause' | 'resume' | 'stop' }
    if (action === 'pause') view = { ...view, state: 'paused' }
    if (action === 'resume') view = { ...view, state: 'running' }
    if (action === 'stop') view = { ...view, state: 'stopped', endedAt: '2026-11-28T10:00:00Z', settled: 1 }
    return { json: view }
  })
  open(view)
  const pause = await screen.findByRole('button', { name: 'Pause' })
  pause.focus()
  fireEvent.click(pause)
  const resume = await screen.findByRole('button', { name: 'Resume' })
  expect(document.activeElement).toBe(resume)
  await vi.waitFor(() => expect(resume.getAttribute('aria-disabled')).toBeNull())
  fireEvent.click(resume)
  await screen.findByRole('button', { name: 'Pause' })
  const stop = screen.getByRole('button', { name: 'Stop' })
  await vi.waitFor(() => expect(stop.getAttribute('aria-disabled')).toBeNull())
  stop.focus()
  fireEvent.click(stop)
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Stop' }))
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull())
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('content'), { timeout: 3_000 })
})

it('a bulk that ends by itself takes no focus that was on no button of it', async () => {
  let view: BulkView = { ...awaiting, state: 'running', approval: null, startedAt: '2026-11-28T09:00:00Z', written: 1 }
  desk.answerWith(({ path }) => ({ json: path.includes('/rows') ? { rows: [], asOf: '', next: null } : view }))
  open(view)
  await screen.findByRole('button', { name: 'Pause' })
  const focus = vi.spyOn(document.getElementById('content') ?? document.body, 'focus')
  view = { ...view, state: 'finished', endedAt: '2026-11-28T10:00:00Z', settled: 1 }
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull(), { timeout: 5_000 })
  await new Promise((resolve) => setTimeout(resolve, 350))
  expect(focus).not.toHaveBeenCalled()
})

it('the end of a bulk is told with its outcomes', async () => {
  let view: BulkView = { ...awaiting, state: 'running', approval: null, startedAt: '2026-11-28T09:00:00Z', count: 3 }
  desk.answerWith(({ path }) => ({ json: path.includes('/rows') ? { rows: [], asOf: '', next: null } : view }))
  open(view)
  await screen.findByRole('button', { name: 'Pause' })
  const before = { ...awaiting.counts, unsent: 0, unknown: 3 }
  view = { ...view, counts: before }
  await screen.findByText('0 of 3 processed; the outcome of 3 isn’t known yet, and we keep checking', undefined, {
    timeout: 5_000,
  })
  const after = { ...before, unknown: 0, cancelled: 2, left: 1 }
  view = { ...view, state: 'finished', endedAt: '2026-11-28T10:00:00Z', settled: 3, counts: after }
  const told = 'Finished. Cancelled: 2, Not cancelled: 0, Left to another cancellation: 1'
  const end = await screen.findByText(told, undefined, { timeout: 5_000 })
  expect(end.closest('output')).toBeTruthy()
})

it('a stopped bulk is counted once all its outcomes are known', async () => {
  const counted = { ...awaiting.counts, unsent: 0, cancelled: 1, unknown: 1, 'not-cancelled': 1 }
  const stopped = { state: 'stopped', startedAt: '2026-11-28T09:00:00Z', endedAt: '2026-11-28T10:00:00Z' } as const
  let view: BulkView = { ...awaiting, ...stopped, approval: null, count: 3, settled: 2, counts: counted }
  desk.answerWith(({ path }) => ({ json: path.includes('/rows') ? { rows: [], asOf: '', next: null } : view }))
  open(view)
  const told = () => screen.getAllByRole('status')[0]?.textContent
  expect(told()).toBe('Stopped')
  // Accepted is settled, but what becomes of it isn't known yet.
  view = { ...view, settled: 3, counts: { ...counted, unknown: 0, requested: 1 } }
  const readBefore = desk.arrived.length
  await vi.waitFor(() => expect(desk.arrived.length).toBeGreaterThan(readBefore + 1), { timeout: 5_000 })
  expect(told()).toBe('Stopped')
  cleanup()
  view = { ...view, counts: { ...counted, unknown: 0, cancelled: 2 } }
  open(view)
  expect(told()).toBe('Stopped. Cancelled: 2, Not cancelled: 1')
})

it.each([
  ['Stop', { ...awaiting, state: 'running', approval: null, startedAt: '2026-11-28T09:00:00Z' }],
  ['Withdraw request', awaiting],
] satisfies [string, BulkView][])(
  '“%s” that is refused says so at once, whatever becomes of reading again',
  async (label, view) => {
    let isRefused = false
    desk.answerWith(({ method, path }) => {
      if (method === 'POST') isRefused = true
      if (method === 'POST') return { status: 409 }
      if (isRefused) return new Promise(() => undefined)
      return { json: path.includes('/rows') ? { rows: [], asOf: '', next: null } : view }
    })
    open(view)
    fireEvent.click(await screen.findByRole('button', { name: label }))
    const dialog = within(await screen.findByRole('alertdialog'))
    fireEvent.click(dialog.getByRole('button', { name: label }))
    expect(await dialog.findByRole('alert')).toBeTruthy()
  },
)

it('rows that could not be read are read again on request', async () => {
  let isDown = true
  desk.answerWith(({ path }) => {
    if (!path.includes('/rows')) return { json: { ...awaiting, state: 'ready', approval: null } }
    return isDown
      ? { status: 500, json: { type: 'urn:debitdesk:internal', status: 500 } }
      : { json: { rows: [], asOf: '', next: null } }
  })
  open({ ...awaiting, state: 'ready', approval: null })
  const retry = await screen.findByRole('button', { name: 'Retry' }, { timeout: 15_000 })
  isDown = false
  retry.focus()
  fireEvent.click(retry)
  await screen.findByRole('button', { name: /^Discard/u })
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('content'), { timeout: 3_000 })
})

const row: BulkResultRow = {
  ...makeBulkRow(0),
  given: 'p1',
  paymentId: 'p1',
  reason: 'Paid another way',
  outcome: 'cancelled',
  cancellationId: 'c1',
  closed: true,
}

it('what was left out of a bulk is in its result, with the reason', async () => {
  const leftOut = { outcome: 'unsent' as const, cancellationId: null, closed: false }
  const rows: BulkResultRow[] = [
    { ...row, ...leftOut, given: 'p0', paymentId: 'p0', verdict: 'already-cancelled' },
    { ...row, position: 1 },
    { ...row, ...leftOut, position: 2, given: 'p2', paymentId: 'p2', verdict: 'left-out' },
  ]
  const view: BulkView = {
    ...awaiting,
    state: 'finished',
    approval: null,
    startedAt: '2026-11-28T09:00:00Z',
    endedAt: '2026-11-28T10:00:00Z',
    counts: { ...awaiting.counts, unsent: 0, cancelled: 1 },
    written: 1,
    settled: 1,
  }
  desk.answerWith(({ path }) => ({ json: path.includes('/rows') ? { rows, asOf: '', next: null } : view }))
  open(view)
  fireEvent.click(await screen.findByRole('button', { name: /^Not part of it ?2$/u }))
  const [, ...shown] = screen.getAllByRole('row')
  expect(shown.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^1p0.*Not part of itAlready cancelled/u),
    expect.stringMatching(/^3p2.*Not part of itTaken out of the list before it was confirmed/u),
  ])
  // Nothing was sent for them.
  expect(shown.some(({ textContent }) => textContent?.includes('Paid another way'))).toBe(false)
  fireEvent.click(screen.getByRole('button', { name: /^Whole list ?3$/u }))
  expect(screen.getAllByRole('row')).toHaveLength(4)
})

it('a reason to approve is in its row whole, however long it is', async () => {
  const rows = [{ ...row, reason: 'Paid another way. '.repeat(25), outcome: 'unsent', closed: false }]
  desk.answerWith(({ path }) => ({ json: path.includes('/rows') ? { rows, asOf: '', next: null } : awaiting }))
  open(awaiting)
  const reason = await screen.findByTitle(/^(?:Paid another way\. ?){25}$/u)
  expect(reason.closest<HTMLElement>('[role=row]')?.style.height).toBe('76px')
})

it('a short reason to approve makes no row higher', async () => {
  const rows = [{ ...row, reason: 'Cancelled at the customer’s request', outcome: 'unsent', closed: false }]
  desk.answerWith(({ path }) => ({ json: path.includes('/rows') ? { rows, asOf: '', next: null } : awaiting }))
  open(awaiting)
  const reason = await screen.findByText('Cancelled at the customer’s request')
  expect(reason.closest<HTMLElement>('[role=row]')?.style.height).toBe('44px')
})

it('payers have the space that no explanation needs', async () => {
  const finished: BulkView = { ...awaiting, state: 'finished', approval: null, startedAt: '2026-11-28T09:00:00Z' }
  const shares = async (rows: BulkResultRow[], view = finished) => {
    cleanup()
    desk.answerWith(({ path }) => ({ json: path.includes('/rows') ? { rows, asOf: '', next: null } : view }))
    open(view)
    await screen.findAllByText('p1')
    return screen.getAllByRole('row')[1]?.style.gridTemplateColumns
  }
  expect(await shares([row])).toMatch(/minmax\(6\.75rem, 1fr\) .* minmax\(7\.5rem, 1fr\) .* 8rem$/u)
  const failed = { ...row, outcome: 'not-cancelled', why: 'stopped' } as const
  expect(await shares([row, { ...failed, position: 1, given: 'p1' }])).toMatch(
    /minmax\(6\.75rem, 1fr\) .* minmax\(8rem, 3fr\)$/u,
  )
  // The columns stay where they are until the last result is known.
  expect(await shares([row], { ...finished, state: 'running' })).toMatch(/minmax\(8rem, 3fr\)$/u)
})

it('rows of a start that was stopped are in its result, and can be tried again', async () => {
  const stopped = { outcome: 'not-cancelled', why: 'stopped' } as const
  const rows: BulkResultRow[] = [
    { ...row, ...stopped },
    { ...row, ...stopped, position: 1, given: 'p1', cancellationId: null },
  ]
  const view: BulkView = {
    ...awaiting,
    state: 'stopped',
    approval: null,
    startedAt: '2026-11-28T09:00:00Z',
    endedAt: '2026-11-28T10:00:00Z',
    count: 2,
    counts: { ...awaiting.counts, unsent: 0, 'not-cancelled': 2 },
    written: 1,
    settled: 2,
  }
  desk.answerWith(({ path }) => ({ json: path.includes('/rows') ? { rows, asOf: '', next: null } : view }))
  open(view)
  await screen.findByRole('button', { name: 'Try 2 again' })
  fireEvent.click(screen.getByRole('button', { name: /^Not cancelled ?2$/u }))
  expect(screen.getAllByRole('row')).toHaveLength(3)
})

it('on a phone the reason of what was left out stands beside its badge, and no card is taller for it', async () => {
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  const leftOut = { outcome: 'unsent', cancellationId: null, closed: false, verdict: 'too-late' } as const
  const rows: BulkResultRow[] = [row, { ...row, ...leftOut, position: 1, given: 'p1', paymentId: 'p1' }]
  const view: BulkView = { ...awaiting, state: 'finished', approval: null, startedAt: '2026-11-28T09:00:00Z' }
  desk.answerWith(({ path }) => ({ json: path.includes('/rows') ? { rows, asOf: '', next: null } : view }))
  open(view)
  const badge = await screen.findByText('Not part of it', { selector: '[data-outcome]' })
  expect(badge.nextElementSibling?.textContent).toBe('Too late')
  expect(badge.closest<HTMLElement>('[role=row]')?.style.height).toBe('100px')
})

it('whoever approves sees what will be cancelled, and can look at the rows that are no part of it', async () => {
  const rows = [
    row,
    { ...row, position: 1, given: 'gone', paymentId: null, verdict: 'unknown' },
    { ...row, position: 2, given: 'p1', paymentId: null, verdict: 'duplicate' },
  ]
  desk.answerWith(({ path }) => ({ json: path.includes('/rows') ? { rows, asOf: '', next: null } : awaiting }))
  open(awaiting)
  await screen.findByText('2 rows of the list won’t be cancelled.')
  expect([screen.queryByText('p1'), screen.queryByText('gone')].map(Boolean)).toEqual([true, false])
  fireEvent.click(screen.getByRole('button', { name: /^Whole list/u }))
  expect(await screen.findByText('gone')).toBeTruthy()
})
