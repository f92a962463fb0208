import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { cancellationWatch, useCancellation } from '@/lib/client/cancellations'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { AppConfigProvider } from '../layout/app-config'
import { CancellationNote } from './cancellation-note'
import { facts, makeProblem, setStageForEach } from './testing/cancel-fixture'

const stage = setStageForEach()
afterEach(() => void vi.useRealTimers())

function Live({ first, mayAct }: { first: CancellationView; mayAct: boolean }) {
  return <CancellationNote view={useCancellation(first.paymentId) ?? first} mayAct={mayAct} />
}

function show(view: CancellationView, mayAct = true): void {
  cancellationWatch.remember(view)
  render(
    <AppConfigProvider config={facts}>
      <Live first={view} mayAct={mayAct} />
    </AppConfigProvider>,
  )
}

const button = (name: string | RegExp) => screen.findByRole('button', { name })

it('offers nothing to a viewer, and nothing where there is nothing to find out', async () => {
  show(stage.makeView('needs-person'), false)
  cleanup()
  show(stage.makeView('not-cancelled'))
  expect(screen.queryByRole('button')).toBeNull()
})

it('has the payment read again, and says what the service says; the outcome stays', async () => {
  const view = stage.makeView('needs-person', { reason: 'absent' })
  const checked = { at: '2026-11-21T01:00:00Z', by: 'ann@example.com', kind: 'found' as const, status: 'Cancelled' }
  stage.desk.answerWith(() => ({ json: { ...view, checked } }))
  show(view)
  fireEvent.click(await button('Check again'))
  await waitFor(() => expect(screen.getByText(/Checked by ann@example.com/u).textContent).toContain('Cancelled'))
  expect(document.querySelector('[data-outcome]')?.getAttribute('data-outcome')).toBe('needs-person')
  expect(stage.desk.arrived.at(-1)).toMatchObject({ method: 'POST', path: `/api/desk/cancellations/${view.id}/check` })
})

it('an open one that is checked without a result says so, and until when', async () => {
  const view = stage.makeView('unknown')
  stage.desk.answerWith(() => ({ json: view }))
  show(view)
  const check = await button('Check again')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  fireEvent.click(check)
  await vi.waitFor(() => expect(screen.getByText('Checking now.')).toBeTruthy())
  act(() => void vi.advanceTimersByTime(10_000))
  expect(screen.getByText(/^No outcome yet at \d\d:\d\d\. We keep checking\.$/u)).toBeTruthy()
  expect(screen.queryByText('Checking now.')).toBeNull()
})

it('an open one whose owner is signed out is not said to be checked on', async () => {
  const view = stage.makeView('unknown', { reason: 'owner-signed-out', detail: 'ann@example.com' })
  stage.desk.answerWith(() => ({ json: { ...view, reason: null, detail: null } }))
  show(view)
  const check = await button('Check again')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  fireEvent.click(check)
  await vi.waitFor(() => expect(screen.getByText('Checking now.')).toBeTruthy())
  act(() => void vi.advanceTimersByTime(10_000))
  expect(screen.getByText(/^No outcome yet at \d\d:\d\d\.$/u)).toBeTruthy()
})

it('marks it as handled with a note, which must be there', async () => {
  const view = stage.makeView('needs-person', { reason: 'unconfirmed' })
  const note = 'Called the service.'
  const handled = { at: '2026-11-21T01:00:00Z', by: 'ann@example.com', note }
  stage.desk.answerWith(() => ({ json: { ...view, handled } }))
  show(view)
  fireEvent.click(await button('Mark as handled…'))
  const field = await screen.findByLabelText('Note')
  await waitFor(() => expect(document.activeElement).toBe(field))
  fireEvent.click(await button('Mark as handled'))
  expect(await screen.findByText(/what you found/iu)).toBeTruthy()
  fireEvent.change(field, { target: { value: note } })
  let said = ''
  const watch = new MutationObserver(() => (said += document.body.textContent))
  watch.observe(document.body, { childList: true, subtree: true, characterData: true })
  fireEvent.click(await button('Mark as handled'))
  await waitFor(() => expect(document.querySelector('[data-handled]')?.textContent).toContain(note))
  expect(screen.queryByRole('button', { name: /Mark as handled/u })).toBeNull()
  expect(said).not.toContain('Somebody else')
  watch.disconnect()
  expect(stage.desk.arrived.at(-1)).toMatchObject({ body: { note } })
})

it('keeps the note when it is refused, and says why', async () => {
  stage.desk.answerWith(() => makeProblem('store-unavailable', 503))
  show(stage.makeView('needs-person'))
  fireEvent.click(await button('Mark as handled…'))
  const field = await screen.findByLabelText<HTMLTextAreaElement>('Note')
  fireEvent.change(field, { target: { value: 'Looked it up' } })
  fireEvent.click(await button('Mark as handled'))
  expect(await screen.findByRole('alert')).toBeTruthy()
  expect(field.value).toBe('Looked it up')
})

it('offers nothing for one that was asked for just now, though the one before it was late', async () => {
  const late = stage.makeView('requested', { requestedAt: '2026-11-20T13:00:00.000Z' })
  show(late)
  await button('Check again')
  act(() => cancellationWatch.remember({ ...late, outcome: 'not-cancelled', closed: true }))
  act(() => cancellationWatch.remember(stage.makeView('requested')))
  expect(screen.queryByRole('button')).toBeNull()
})

it('a check that settles it leads the focus to the section that says so, for the button is gone', async () => {
  const view = stage.makeView('unknown')
  stage.desk.answerWith(() => ({ json: { ...view, outcome: 'cancelled', closed: true } }))
  cancellationWatch.remember(view)
  render(
    <AppConfigProvider config={facts}>
      <section tabIndex={-1} aria-label="Cancellation">
        <Live first={view} mayAct />
      </section>
    </AppConfigProvider>,
  )
  const check = await button('Check again')
  check.focus()
  fireEvent.click(check)
  await waitFor(() => expect(document.querySelector('[data-outcome]')?.getAttribute('data-outcome')).toBe('cancelled'))
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Cancellation' }))
})

it('a note that is not sent yet is there again after a reload, and stays when somebody else marks it', async () => {
  const view = stage.makeView('needs-person')
  const openForm = async () => {
    fireEvent.click(await button('Mark as handled…'))
    return screen.findByLabelText<HTMLTextAreaElement>('Note')
  }
  show(view)
  fireEvent.change(await openForm(), { target: { value: 'Called the bank' } })
  cleanup()
  show(view)
  const field = await openForm()
  expect(field.value).toBe('Called the bank')
  const handled = { at: '2026-11-21T01:00:00Z', by: 'bob@example.com', note: 'Done.' }
  act(() => cancellationWatch.remember({ ...view, handled }))
  expect(field.value).toBe('Called the bank')
  expect(screen.getByText(/Somebody else has marked it/u)).toBeTruthy()
  const before = stage.desk.arrived.length
  fireEvent.click(await button('Mark as handled'))
  fireEvent.click(await button('Leave as is'))
  expect(screen.queryByLabelText('Note')).toBeNull()
  expect(stage.desk.arrived).toHaveLength(before)
})
