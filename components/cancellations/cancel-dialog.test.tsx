import { act, fireEvent, renderHook, screen, waitFor, within } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { describe, expect, it } from 'vitest'
import { cancellationWatch } from '@/lib/client/cancellations'
import { closePrompt } from '@/lib/client/identity-prompt'
import { takePendingToasts } from '../feedback/toast-store'
import { router as testRouter } from '@/lib/client/testing/page'
import { makeProblem, setStageForEach } from './testing/cancel-fixture'
import { useApprovalRequest } from './use-approval-request'
import { useCancelRequest } from './use-cancel-request'

const stage = setStageForEach()

describe('the reason', () => {
  const type = async (text: string) => {
    const { reason, submit } = await stage.openDialog()
    fireEvent.change(reason, { target: { value: text } })
    return submit
  }
  const waitForClose = () => waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())

  it('is there again after Escape', async () => {
    stage.show()
    await type('Asked by phone')
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
    await waitForClose()
    expect((await stage.openDialog()).reason.value).toBe('Asked by phone')
    expect(stage.getSent()).toEqual([])
  })

  it('is gone once the cancellation was asked for', async () => {
    const view = stage.makeView('not-cancelled', { reason: 'too-late', detail: 'Settled' })
    stage.desk.answerWith(() => ({ status: 202, json: view }))
    stage.show()
    const submit = await type('Asked by phone')
    fireEvent.click(submit())
    fireEvent.click(await screen.findByRole('button', { name: 'Close' }))
    await waitForClose()
    expect(Object.keys(window.sessionStorage).filter((key) => key.includes(stage.payment.id ?? ''))).toEqual([])
  })
})

describe('an answer other than success', () => {
  it('keeps the text and the focus on a refusal, and asks again under a new key', async () => {
    const upstream = { status: 403, title: 'Forbidden', detail: 'Missing scope', instance: 'trace-9' }
    stage.desk.answerWith(() =>
      makeProblem('upstream-forbidden', 403, { title: 'The provider refused', detail: 'Read only.', upstream }),
    )
    stage.show()
    const { inside, reason, submit } = await stage.openDialog()
    fireEvent.change(reason, { target: { value: 'Asked by phone' } })
    submit().focus()
    fireEvent.click(submit())
    const alert = await inside.findByRole('alert')
    for (const words of [
      'The provider refused',
      'Read only.',
      'request-1',
      /403 · Forbidden · Missing scope · trace-9/u,
    ]) {
      expect(within(alert).getByText(words)).toBeTruthy()
    }
    expect(reason.value).toBe('Asked by phone')
    expect(document.activeElement).toBe(submit())
    fireEvent.click(submit())
    await waitFor(() => expect(stage.getSent()).toHaveLength(2))
    expect(stage.getSent()[1]?.key).not.toBe(stage.getSent()[0]?.key)
  })

  it('sends the very same request again after a lost connection, and only when told to', async () => {
    stage.desk.answerWith(() => ({ hangUp: true }))
    stage.show()
    const { inside, reason, submit } = await stage.openDialog()
    fireEvent.change(reason, { target: { value: 'Asked by phone' } })
    fireEvent.click(submit())
    const again = await inside.findByRole('button', { name: 'Check again' })
    expect(reason.readOnly).toBe(true)
    expect(stage.getSent()).toHaveLength(1)
    stage.desk.answerWith(() => ({ status: 202, json: stage.makeView('requested') }))
    fireEvent.click(again)
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(stage.getSent()).toHaveLength(2)
    expect(stage.getSent()[1]).toEqual(stage.getSent()[0])
  })

  it('says that it may be done where the store did not answer, keeps the text, and checks under the same key', async () => {
    stage.desk.answerWith(() => makeProblem('outcome-unknown', 503, { detail: 'It may be carried out.' }))
    stage.show()
    const { inside, reason, submit } = await stage.openDialog()
    fireEvent.change(reason, { target: { value: 'Asked by phone' } })
    fireEvent.click(submit())
    const alert = await inside.findByRole('alert')
    expect(within(alert).getByText('We don’t know whether this was done')).toBeTruthy()
    expect(within(alert).getByText('It may be carried out.')).toBeTruthy()
    expect(reason.value).toBe('Asked by phone')
    expect(reason.readOnly).toBe(true)
    // The reply to a second attempt says nothing about the first.
    stage.desk.answerWith(() => makeProblem('store-unavailable', 503))
    fireEvent.click(inside.getByRole('button', { name: 'Check again' }))
    await waitFor(() => expect(stage.getSent()).toHaveLength(2))
    stage.desk.answerWith(() => ({ status: 202, json: stage.makeView('requested') }))
    fireEvent.click(await inside.findByRole('button', { name: 'Check again' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(new Set(stage.getSent().map(({ key }) => key)).size).toBe(1)
  })

  it.each([
    ['signed-out', 401],
    ['another-user', 409],
    ['forbidden', 403],
    ['too-many-attempts', 429],
    ['not-found', 404],
    ['http-403', 403],
  ])('goes on checking under the same key where the check itself is turned away: %s', async (code, status) => {
    stage.desk.answerWith(() => ({ hangUp: true }))
    stage.show()
    const { inside, reason, submit } = await stage.openDialog()
    fireEvent.change(reason, { target: { value: 'Asked by phone' } })
    fireEvent.click(submit())
    const again = await inside.findByRole('button', { name: 'Check again' })
    stage.desk.answerWith(() => makeProblem(code, status))
    fireEvent.click(again)
    await waitFor(() => expect(stage.getSent()).toHaveLength(2))
    expect(await inside.findByText(/We don’t know yet whether the request arrived/u)).toBeTruthy()
    expect(inside.getByRole('button', { name: 'Close' })).toBeTruthy()
    stage.desk.answerWith(() => ({ status: 202, json: stage.makeView('requested') }))
    fireEvent.click(await inside.findByRole('button', { name: 'Check again' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(new Set(stage.getSent().map(({ key }) => key)).size).toBe(1)
    act(() => closePrompt(false))
  })

  it('takes a reply that tells of the cancellation for definite, also after a lost one', async () => {
    stage.desk.answerWith(() => ({ hangUp: true }))
    stage.show()
    const { inside, reason, submit } = await stage.openDialog()
    fireEvent.change(reason, { target: { value: 'Asked by phone' } })
    fireEvent.click(submit())
    const again = await inside.findByRole('button', { name: 'Check again' })
    const cancellation = stage.makeView('not-cancelled', { reason: 'too-late', detail: 'Settled' })
    stage.desk.answerWith(() => makeProblem('not-cancellable', 409, { cancellation }))
    fireEvent.click(again)
    expect(await inside.findByText('Not cancelled')).toBeTruthy()
    expect(inside.queryByRole('button', { name: 'Check again' })).toBeNull()
  })

  it('left while it checks again, says that nobody knows, though the check was turned away', async () => {
    const label = 'Jens Holm'
    const nothing = () => undefined
    let release: () => void = nothing
    const held = new Promise<void>((resolve) => (release = resolve))
    stage.desk.answerWith(() => ({ hangUp: true }))
    const { result, unmount } = renderHook(() =>
      useCancelRequest(stage.payment, { label, onPaymentRead: nothing, onAsked: nothing, onDone: nothing }),
    )
    act(() => result.current.send('Asked by phone', false))
    await waitFor(() => expect(result.current.answer?.kind).toBe('lost'))
    stage.desk.answerWith(async () => {
      await held
      return makeProblem('forbidden', 403)
    })
    act(() => result.current.sendAgain())
    unmount()
    release()
    await waitFor(() =>
      expect(takePendingToasts().map(({ title }) => title)).toEqual(['Unknown whether the request arrived: Jens Holm']),
    )
  })

  it('lets the user change the text where the desk is sure that it has kept nothing', async () => {
    stage.desk.answerWith(() => makeProblem('store-unavailable', 503))
    stage.show()
    const { inside, reason, submit } = await stage.openDialog()
    fireEvent.change(reason, { target: { value: 'Asked by phone' } })
    fireEvent.click(submit())
    expect(within(await inside.findByRole('alert')).getByText('Nothing was sent.')).toBeTruthy()
    expect(reason.value).toBe('Asked by phone')
    expect(reason.readOnly).toBe(false)
  })

  it('shows what has changed beside what was seen and asks under a new key with what is seen now', async () => {
    const fresh = { ...stage.payment, amount: 99_500, modifiedAt: '2026-11-20T12:00:00Z' }
    const difference = {
      amount: { seen: 124_500, now: 99_500 },
      modifiedAt: { seen: stage.payment.modifiedAt, now: fresh.modifiedAt },
    }
    const cancellation = stage.makeView('not-cancelled', { reason: 'changed' })
    stage.desk.answerWith(() => makeProblem('changed-since-seen', 409, { difference, payment: fresh, cancellation }))
    stage.show()
    const { inside, reason, submit } = await stage.openDialog()
    fireEvent.change(reason, { target: { value: 'Asked by phone' } })
    fireEvent.click(submit())
    const row = await inside.findByRole('row', { name: /^Amount/u })
    expect(
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['1,245.00 DKK', '995.00 DKK'])
    expect(stage.onPaymentRead).toHaveBeenCalledWith(fresh)
    fireEvent.click(submit())
    await waitFor(() => expect(stage.getSent()).toHaveLength(2))
    expect(stage.getSent()[1]?.key).not.toBe(stage.getSent()[0]?.key)
    expect(stage.getSent()[1]?.seen).toEqual({
      amount: 99_500,
      currency: 'DKK',
      status: 'Pending',
      modifiedAt: fresh.modifiedAt,
    })
    expect(stage.getSent()[1]?.reason).toBe('Asked by phone')
  })

  it('does not ask again when the change means that it is too late', async () => {
    const fresh = { ...stage.payment, status: 'Settled' }
    const cancellation = stage.makeView('not-cancelled', { reason: 'too-late', detail: 'Settled' })
    const difference = { status: { seen: 'Pending', now: 'Settled' } }
    stage.desk.answerWith(() => makeProblem('changed-since-seen', 409, { difference, payment: fresh, cancellation }))
    stage.show()
    const { inside, reason, submit } = await stage.openDialog()
    fireEvent.change(reason, { target: { value: 'Asked by phone' } })
    fireEvent.click(submit())
    await inside.findByRole('row', { name: /^State/u })
    expect(submit().getAttribute('aria-disabled')).toBe('true')
    fireEvent.click(submit())
    expect(stage.getSent()).toHaveLength(1)
    expect(cancellationWatch.get(stage.payment.id ?? '')?.reason).toBe('too-late')
    expect(inside.getByRole('button', { name: 'Close' })).toBeTruthy()
  })

  it('asks for a second word when the payment could not be read again', async () => {
    stage.desk.answerWith(() =>
      makeProblem('confirmation-needed', 409, {
        detail: 'Nothing was sent. The provider asked us to wait another minute.',
        cancellation: stage.makeView('not-cancelled', { reason: 'unreadable' }),
      }),
    )
    stage.show()
    const { inside, reason, submit } = await stage.openDialog()
    fireEvent.change(reason, { target: { value: 'Asked by phone' } })
    fireEvent.click(submit())
    const box = await inside.findByRole('checkbox')
    expect(inside.getByText(/asked us to wait another minute/u)).toBeTruthy()
    fireEvent.click(submit())
    expect(stage.getSent()).toHaveLength(1)
    stage.desk.answerWith(() => ({ status: 202, json: stage.makeView('requested') }))
    fireEvent.click(box)
    fireEvent.click(submit())
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(stage.getSent().map(({ unread }) => unread)).toEqual([undefined, true])
    expect(stage.getSent()[1]?.key).not.toBe(stage.getSent()[0]?.key)
  })

  it('stays, as while it is sending, until a second person is asked', async () => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    stage.desk.answerWith(async ({ path }) => {
      if (!path.endsWith('/bulk')) return makeProblem('approval-needed', 409)
      await held
      return makeProblem('store-unavailable', 503)
    })
    stage.show()
    const { inside, reason, submit } = await stage.openDialog()
    fireEvent.change(reason, { target: { value: 'Asked by phone' } })
    fireEvent.click(submit())
    fireEvent.click(await inside.findByRole('button', { name: 'Request approval' }))
    const keep = inside.getByRole('button', { name: 'Keep payment' })
    await waitFor(() => expect(keep.getAttribute('aria-disabled')).toBe('true'))
    fireEvent.click(keep)
    expect(reason.readOnly).toBe(true)
    release()
    await waitFor(() => expect(keep.getAttribute('aria-disabled')).toBeNull())
    expect(screen.getByRole('alertdialog')).toBeTruthy()
  })

  it('shows who was first and does not ask again', async () => {
    const cancellation = stage.makeView('requested', { requestedBy: 'admin@debitdesk.example' })
    stage.desk.answerWith(() => makeProblem('conflict', 409, { cancellation }))
    stage.show()
    const { inside, reason, submit } = await stage.openDialog()
    fireEvent.change(reason, { target: { value: 'Asked by phone' } })
    fireEvent.click(submit())
    expect(await inside.findByText(/Requested by admin@debitdesk\.example/u)).toBeTruthy()
    expect(submit().getAttribute('aria-disabled')).toBe('true')
  })

  it('stays open with an unknown outcome and shows the truth when it is known', async () => {
    const view = stage.makeView('unknown')
    let known = view
    stage.desk.answerWith(({ method }) =>
      method === 'GET' ? { json: { cancellations: [known] } } : { status: 202, json: view },
    )
    stage.show()
    const { inside, reason, submit } = await stage.openDialog()
    fireEvent.change(reason, { target: { value: 'Asked by phone' } })
    fireEvent.click(submit())
    expect((await inside.findByText('Outcome unknown')).closest('[data-outcome]')?.getAttribute('data-outcome')).toBe(
      'unknown',
    )
    expect(submit().getAttribute('aria-disabled')).toBe('true')
    known = { ...view, outcome: 'cancelled', closed: true }
    expect(await inside.findByText('Cancelled', {}, { timeout: 5_000 })).toBeTruthy()
    expect(stage.getSent()).toHaveLength(1)
  })
})

describe('asking a second person, left before the reply', () => {
  it.each([
    [
      'says that nobody was asked, and leads to the list',
      { json: { id: 'bulk-1' } },
      ['Approval not requested: Jens Holm', '/payments/bulk/bulk-1'],
    ],
    ['says by a toast that it failed', makeProblem('store-unavailable', 503), ['Not cancelled: Jens Holm', undefined]],
  ])('%s', async (_what, reply, toast) => {
    const opened: string[] = []
    const router = { ...testRouter, push: (address: string) => opened.push(address) }
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    stage.desk.answerWith(async () => {
      await held
      return reply
    })
    const onDone = () => opened.push('closed')
    const { result, unmount } = renderHook(
      () =>
        useApprovalRequest(stage.payment, { reason: 'By phone', label: 'Jens Holm', onAsked: () => undefined, onDone }),
      { wrapper: ({ children }) => <AppRouterContext value={router}>{children}</AppRouterContext> },
    )
    let asking: Promise<void> | undefined
    act(() => {
      asking = result.current.begin()
    })
    unmount()
    release()
    await asking
    expect(opened).toEqual([])
    expect(takePendingToasts().map(({ title, link }) => [title, link?.href])).toEqual([toast])
  })
})
