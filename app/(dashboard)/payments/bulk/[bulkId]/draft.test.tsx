import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeBulkRow, makeBulkView, noCounts } from '@/components/cancellations/testing/bulk-fixture'
import { clearListPlace } from '@/components/data-table/list-place'
import { layOut } from '@/components/data-table/testing/lay-out'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { followOtherTab } from '@/lib/client/testing/other-tab'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import type { Arrived } from '@/lib/client/testing/desk-server'
import type { BulkResultRow, BulkRowChange } from '@/lib/domain/cancellations/bulk-cancellation'
import { BulkPage } from './bulk-page'

const desk = setDeskForEach()

/** A draft as the desk keeps it: its rows, when each was changed, and whether it was discarded. */
let rows: BulkResultRow[]
let changes: number[]
let now: number
let isGone: boolean

const isIn = ({ verdict }: BulkResultRow) => verdict === 'cancellable'
const getView = () => makeBulkView({ read: 3, count: rows.filter(isIn).length, counts: noCounts })

function change({ position, isLeftOut }: BulkRowChange): void {
  now += 1
  changes[position] = now
  rows = rows.map((row) =>
    row.position === position ? { ...row, verdict: isLeftOut ? 'left-out' : 'cancellable' } : row,
  )
}

function answer({ method, path, body }: Arrived) {
  if (isGone) return { status: 404, json: { type: 'urn:debitdesk:not-found', title: 'Not found', status: 404 } }
  if (method === 'DELETE') {
    isGone = true
    return { status: 204 }
  }
  // Guarantee: the page is the only one to write here.
  if (method === 'PATCH') change(body as BulkRowChange)
  if (method === 'PATCH' || !path.includes('/rows')) return { json: getView() }
  const since = Number(new URL(path, 'http://desk').searchParams.get('since') ?? -1)
  const changed = rows.filter((_, position) => (changes[position] ?? 0) > since)
  return { json: { rows: changed, asOf: String(now), next: null } }
}

let otherTab: ReturnType<typeof followOtherTab>

beforeEach(() => {
  layOut()
  clearListPlace('first')
  rows = [0, 1, 2].map(makeBulkRow)
  changes = []
  now = 1
  isGone = false
  desk.answerWith(answer)
  otherTab = followOtherTab('draft')
})
afterEach(() => {
  cleanup()
  act(otherTab.stop)
  window.sessionStorage.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function open(): Promise<void> {
  render(
    <AppRouterContext value={router}>
      <SearchParamsContext value={new URLSearchParams()}>
        <AppConfigProvider config={facts}>
          <QueryProvider>
            <main id="content" tabIndex={-1}>
              <BulkPage initialView={getView()} mayCancel isMine rule={null} firstRows={null} loadId="first" />
            </main>
          </QueryProvider>
        </AppConfigProvider>
      </SearchParamsContext>
    </AppRouterContext>,
  )
  await screen.findByRole('button', { name: 'Leave out row 1' })
}

const reads = () => desk.arrived.filter(({ method, path }) => method === 'GET' && path.includes('/rows'))
const press = (name: string) => {
  const button = screen.getByRole('button', { name })
  button.focus()
  fireEvent.click(button)
}
/** What a screen reader is told of the list. */
const findStatus = () => screen.getByText('3 payments can be cancelled, 0 rows can’t').closest('output')
const tell = () => act(() => otherTab.tell({ bulk: ['b1'] }))
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 100)))

it('a row that is left out stays left out when an earlier read of the rows comes later', async () => {
  await open()
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  desk.answerWith(async (request) => {
    const reply = answer(request)
    if (request.method === 'GET' && request.path.includes('/rows')) await held
    return reply
  })
  const before = reads().length
  tell()
  await vi.waitFor(() => expect(reads().length).toBeGreaterThan(before))
  press('Leave out row 2')
  await screen.findByText('2 payments can be cancelled')
  desk.answerWith(answer)
  release()
  await settle()
  expect(screen.getByText('2 payments can be cancelled')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Take row 2 back in' })).toBeTruthy()
})

it('rows that are left out quickly one after the other, here and elsewhere, are all left out', async () => {
  await open()
  for (const row of [1, 2]) press(`Leave out row ${row}`)
  await screen.findByText('1 payment can be cancelled')
  change({ position: 2, isLeftOut: true })
  change({ position: 0, isLeftOut: false })
  tell()
  await screen.findByRole('button', { name: 'Take row 3 back in' })
  expect(screen.getByRole('button', { name: 'Leave out row 1' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Take row 2 back in' })).toBeTruthy()
  // Only what has changed is read again.
  expect(reads().filter(({ path }) => !path.includes('since'))).toHaveLength(1)
})

it('what becomes of a row is said; the focus goes to the next one where a filter hides it', async () => {
  await open()
  const status = findStatus()
  fireEvent.click(screen.getByRole('button', { name: /^Can be cancelled ?3$/u }))
  press('Leave out row 2')
  await vi.waitFor(() => expect(status?.textContent).toBe('Row 2 left out, 2 payments left'))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Leave out row 3' }))
  press('Leave out row 3')
  await vi.waitFor(() => expect(status?.textContent).toBe('Row 3 left out, 1 payment left'))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Leave out row 1' }))
  press('Leave out row 1')
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('table')))
  fireEvent.click(screen.getByRole('button', { name: /^Whole list ?3$/u }))
  press('Take row 3 back in')
  await vi.waitFor(() => expect(status?.textContent).toBe('Row 3 taken back in, 1 payment in all'))
})

it('what somebody else changes is said after an own change; nothing of that is said again', async () => {
  await open()
  const status = findStatus()
  press('Leave out row 2')
  await vi.waitFor(() => expect(status?.textContent).toBe('Row 2 left out, 2 payments left'))
  change({ position: 0, isLeftOut: true })
  tell()
  await vi.waitFor(() => expect(status?.textContent).toBe('1 payment can be cancelled, 0 rows can’t'))
  change({ position: 1, isLeftOut: false })
  tell()
  await vi.waitFor(() => expect(status?.textContent).toBe('2 payments can be cancelled, 0 rows can’t'), {
    timeout: 5_000,
  })
})

it('a row that is scrolled away, or that somebody else takes from sight, leaves no other row’s button focused', async () => {
  rows = Array.from({ length: 60 }, (_, position) => makeBulkRow(position))
  await open()
  const focusRow = (row: number) => screen.getByRole('button', { name: `Leave out row ${row}` }).focus()
  const table = screen.getByRole('table')
  press('Leave out row 2')
  const back = await screen.findByRole('button', { name: 'Take row 2 back in' })
  expect(document.activeElement).toBe(back)
  act(() => table.scrollTo({ top: 44 * 12 }))
  await vi.waitFor(() => expect(document.activeElement).toBe(table))
  fireEvent.click(screen.getByRole('button', { name: /^Can be cancelled ?59$/u }))
  focusRow(12)
  change({ position: 11, isLeftOut: true })
  tell()
  await vi.waitFor(() => expect(document.activeElement).toBe(table))
})

it('a row that is scrolled away while it is being left out keeps its focus in the table', async () => {
  rows = Array.from({ length: 60 }, (_, position) => makeBulkRow(position))
  await open()
  desk.answerWith((request) => (request.method === 'PATCH' ? new Promise(() => undefined) : answer(request)))
  press('Leave out row 2')
  const table = screen.getByRole('table')
  act(() => table.scrollTo({ top: 44 * 12 }))
  await vi.waitFor(() => expect(document.activeElement).toBe(table))
})

it('a key that is held down leaves out no row after row', async () => {
  await open()
  const button = screen.getByRole('button', { name: 'Leave out row 1' })
  expect(fireEvent.keyDown(button, { key: 'Enter', repeat: true })).toBe(false)
  expect(fireEvent.keyDown(button, { key: 'Enter' })).toBe(true)
  expect(fireEvent.keyDown(button, { key: 'Tab', repeat: true })).toBe(true)
})

it('reasons that were filled in are counted aloud, and the focus stays beside the button that is gone', async () => {
  await open()
  const status = findStatus()
  fireEvent.click(screen.getByRole('checkbox', { name: 'A reason for each row' }))
  fireEvent.change(screen.getByRole('textbox', { name: 'Reason for row 1' }), { target: { value: 'Paid twice' } })
  press('Fill empty reasons with the first one')
  expect(status?.textContent).toBe('2 reasons filled in')
  expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'A reason for each row' }))
  const before = status?.firstChild
  for (const row of [2, 3])
    fireEvent.change(screen.getByRole('textbox', { name: `Reason for row ${row}` }), { target: { value: '' } })
  press('Fill empty reasons with the first one')
  // The same words are only read out again where they are new on the page.
  expect(status?.textContent).toBe('2 reasons filled in')
  expect(status?.firstChild).not.toBe(before)
})

it('a list that changed before it was confirmed is shown as it is now', async () => {
  await open()
  fireEvent.change(screen.getByRole('textbox', { name: 'Reason' }), { target: { value: 'Paid twice' } })
  change({ position: 1, isLeftOut: true })
  desk.answerWith((request) => (request.method === 'POST' ? { status: 409 } : answer(request)))
  press('Cancel 3 payments')
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel 3 payments' }))
  expect(await screen.findByRole('alertdialog', { name: 'Cancel 2 payments?' })).toBeTruthy()
})

it('a refused confirmation is shown at once, whatever becomes of reading the list again', async () => {
  await open()
  fireEvent.change(screen.getByRole('textbox', { name: 'Reason' }), { target: { value: 'Paid twice' } })
  desk.answerWith(({ method }) => (method === 'POST' ? { status: 409 } : new Promise(() => undefined)))
  press('Cancel 3 payments')
  const dialog = within(await screen.findByRole('alertdialog'))
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel 3 payments' }))
  expect(await dialog.findByRole('alert')).toBeTruthy()
  fireEvent.click(dialog.getByRole('button', { name: 'Keep payments' }))
  await vi.waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
})

it.each(['here', 'elsewhere'])('a draft that is discarded %s is calmly said to be gone', async (where) => {
  await open()
  if (where === 'elsewhere') {
    isGone = true
    tell()
  } else {
    press('Discard draft')
    desk.answerWith((request) => {
      const reply = answer(request)
      if (request.method === 'DELETE') otherTab.tell({ bulk: ['b1'] })
      return reply
    })
    fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Discard draft' }))
  }
  await screen.findByText(/^This draft was discarded/u)
  await settle()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('content'), { timeout: 3_000 })
})
