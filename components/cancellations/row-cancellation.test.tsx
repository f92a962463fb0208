import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { cancellationWatch } from '@/lib/client/cancellations'
import type { DeskReply } from '@/lib/client/testing/desk-server'
import { readPastNotices } from '../feedback/toast-store'
import { CancelDialogHost, CancellationCell, openCancelDialog } from './row-cancellation'
import { makeProblem, setStageForEach, Shell } from './testing/cancel-fixture'

const stage = setStageForEach()

// jsdom lacks CSS.escape; these ids need none.
vi.stubGlobal('CSS', { escape: String })

it('a row says why its payment was not cancelled, on hover', async () => {
  const why = { outcome: 'not-cancelled', reason: 'too-late', detail: 'Settled', closed: true } as const
  render(
    <Shell>
      <CancellationCell payment={stage.payment} />
    </Shell>,
  )
  act(() => cancellationWatch.remember({ ...stage.makeView('not-cancelled'), ...why }))
  expect(screen.getByText('Not cancelled')).toBeTruthy()
  const reason = 'Too late: the payment’s state is already Settled.'
  expect(await screen.findByTitle(reason)).toBeTruthy()
  // A row that is scrolled into view later has it at once.
  cleanup()
  render(
    <Shell>
      <CancellationCell payment={stage.payment} />
    </Shell>,
  )
  expect(screen.getByTitle(reason)).toBeTruthy()
})

describe('a dialog that is open while the cancellation goes on', () => {
  it('says what has come of it, and lets ask again where the service declined', async () => {
    const view = stage.makeView('unknown')
    stage.desk.answerWith(({ method }) =>
      method === 'GET' ? { json: { cancellations: [view] } } : { status: 202, json: view },
    )
    stage.show()
    const { inside, reason, submit } = await stage.openDialog()
    fireEvent.change(reason, { target: { value: 'Asked by phone' } })
    fireEvent.click(submit())
    expect(await inside.findByText('This cancellation is already on its way.')).toBeTruthy()
    const declined = { outcome: 'not-cancelled', closed: true, reason: 'service-declined' } as const
    act(() => cancellationWatch.remember({ ...view, ...declined }))
    expect(inside.getByText('Not cancelled')).toBeTruthy()
    expect(inside.queryByText('This cancellation is already on its way.')).toBeNull()
    expect(submit().getAttribute('aria-disabled')).toBeNull()
    expect(reason.readOnly).toBe(false)
  })

  /** Leaves the dialog while the reply is pending; `answer` releases it. */
  async function leaveWhileSending(reply: () => DeskReply): Promise<{ answer: () => void }> {
    const sending = stage.makeView('sending')
    let answer: () => void = () => undefined
    const held = new Promise<void>((resolve) => (answer = resolve))
    stage.desk.answerWith(async ({ method }) => {
      if (method === 'GET') return { json: { cancellations: [sending] } }
      await held
      return reply()
    })
    const inside = within(await screen.findByRole('alertdialog'))
    fireEvent.change(inside.getByLabelText('Reason'), { target: { value: 'Asked by phone' } })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    fireEvent.click(inside.getByRole('button', { name: 'Cancel payment' }))
    await act(() => vi.advanceTimersByTimeAsync(9_000))
    vi.useRealTimers()
    fireEvent.click(inside.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    return { answer }
  }

  it.each([
    [
      'is refused',
      () => makeProblem('too-many-attempts', 429, { detail: 'Wait a minute.' }),
      /^Not cancelled: Jens Holm/u,
    ],
    ['is lost', () => ({ hangUp: true }), /^Unknown whether the request arrived: Jens Holm/u],
  ] as const)('tells whoever left it that the request %s', async (_, reply, title) => {
    const known = readPastNotices().length
    stage.show()
    await stage.openDialog()
    const { answer } = await leaveWhileSending(reply)
    answer()
    await waitFor(() => expect(readPastNotices()).toHaveLength(known + 1))
    expect(readPastNotices()[0]?.title).toMatch(title)
  })

  it('left, lets the dialog of another row be when the answer comes', async () => {
    render(
      <Shell>
        <QueryClientProvider client={new QueryClient()}>
          <CancelDialogHost />
        </QueryClientProvider>
      </Shell>,
    )
    act(() => openCancelDialog(stage.payment, null))
    const { answer } = await leaveWhileSending(() => ({ status: 202, json: stage.makeView('requested') }))
    act(() => openCancelDialog({ ...stage.payment, id: crypto.randomUUID() }, null))
    const field = () => screen.getByLabelText<HTMLTextAreaElement>('Reason')
    fireEvent.change(await screen.findByLabelText('Reason'), { target: { value: 'Another reason' } })
    answer()
    await waitFor(() => expect(cancellationWatch.get(stage.payment.id ?? '')?.outcome).toBe('requested'))
    expect(field().value).toBe('Another reason')
  })

  it('leaves a page that tells it is on its way, though the desk has not answered', async () => {
    stage.show()
    await stage.openDialog()
    const { answer } = await leaveWhileSending(() => ({ status: 202, json: stage.makeView('requested') }))
    await waitFor(() => expect(cancellationWatch.get(stage.payment.id ?? '')?.outcome).toBe('sending'))
    expect(screen.getByText('A cancellation is already on its way.')).toBeTruthy()
    answer()
  })

  it('leaves a page that tells it is on its way, though its reply was lost', async () => {
    stage.desk.answerWith(({ method }) => (method === 'GET' ? { json: { cancellations: [] } } : { hangUp: true }))
    stage.show()
    const { inside, reason, submit } = await stage.openDialog()
    fireEvent.change(reason, { target: { value: 'Asked by phone' } })
    fireEvent.click(submit())
    await inside.findByRole('button', { name: 'Check again' })
    stage.desk.answerWith(() => ({ json: { cancellations: [stage.makeView('sending')] } }))
    fireEvent.click(inside.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(cancellationWatch.get(stage.payment.id ?? '')?.outcome).toBe('sending'))
  })

  it('follows the one it was told of, though an earlier one needs a person', async () => {
    cancellationWatch.remember(stage.makeView('needs-person', { requestedAt: '2026-11-20T13:00:00.000Z' }))
    const other = stage.makeView('requested')
    stage.desk.answerWith(({ method }) =>
      method === 'GET' ? { json: { cancellations: [other] } } : makeProblem('conflict', 409, { cancellation: other }),
    )
    stage.show()
    const { inside, reason, submit } = await stage.openDialog()
    fireEvent.change(reason, { target: { value: 'Asked by phone' } })
    fireEvent.click(submit())
    expect(await inside.findByText('A cancellation of this payment is already on its way.')).toBeTruthy()
    const notSent = { outcome: 'not-cancelled', closed: true, reason: 'not-sent' } as const
    act(() => cancellationWatch.remember({ ...other, ...notSent }))
    expect(inside.queryByText('A cancellation of this payment is already on its way.')).toBeNull()
    expect(submit().getAttribute('aria-disabled')).toBeNull()
  })

  it('warns where an earlier cancellation needs a person, until that is handled', async () => {
    const earlier = stage.makeView('needs-person', { reason: 'absent' })
    cancellationWatch.remember(earlier)
    stage.show()
    const { inside } = await stage.openDialog()
    expect(inside.getByText(/needs a person. Check the payment with the provider/u)).toBeTruthy()
    fireEvent.click(inside.getByRole('button', { name: 'Keep payment' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    const handled = { at: new Date().toISOString(), by: 'ann@example.com', note: 'Looked it up' }
    act(() => cancellationWatch.remember({ ...earlier, handled }))
    const again = await stage.openDialog()
    expect(again.inside.queryByText(/needs a person/u)).toBeNull()
  })
})
