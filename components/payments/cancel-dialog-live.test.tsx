// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { cancellationWatch } from '@/lib/browser/cancellations'
import { setStageForEach } from './testing/cancel-stage'

const stage = setStageForEach()

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

  it('leaves a page that tells it is on its way, though the desk has not answered', async () => {
    const sending = stage.makeView('sending')
    let answer: () => void = () => undefined
    const held = new Promise<void>((resolve) => (answer = resolve))
    stage.desk.answerWith(async ({ method }) => {
      if (method === 'GET') return { json: { cancellations: [sending] } }
      await held
      return { status: 202, json: stage.makeView('requested') }
    })
    stage.show()
    const { inside, reason, submit } = await stage.openDialog()
    fireEvent.change(reason, { target: { value: 'Asked by phone' } })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    fireEvent.click(submit())
    await act(() => vi.advanceTimersByTimeAsync(9_000))
    vi.useRealTimers()
    fireEvent.click(inside.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(cancellationWatch.get(stage.payment.id ?? '')?.outcome).toBe('sending'))
    expect(screen.getByText('A cancellation is already on its way.')).toBeTruthy()
    answer()
  })

  it('warns where an earlier cancellation needs a person, until that is handled', async () => {
    const earlier = stage.makeView('needs-person', { reason: 'absent' })
    cancellationWatch.remember(earlier)
    stage.show()
    const { inside } = await stage.openDialog()
    expect(inside.getByText(/needs a person: look the payment up at the service/u)).toBeTruthy()
    fireEvent.click(inside.getByRole('button', { name: 'Keep payment' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    const handled = { at: new Date().toISOString(), by: 'ann@example.com', note: 'Looked it up' }
    act(() => cancellationWatch.remember({ ...earlier, handled }))
    const again = await stage.openDialog()
    expect(again.inside.queryByText(/needs a person/u)).toBeNull()
  })
})
