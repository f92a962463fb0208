import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { MAX_REASON_LENGTH } from '@/lib/api-contract/limits'
import { setStageForEach } from './testing/cancel-fixture'

const stage = setStageForEach()

describe('the button', () => {
  it('is not there for a viewer', () => {
    stage.show({ mayCancel: false })
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('stays reachable and says why when the state does not allow it', () => {
    stage.show({ change: { status: 'Settled' } })
    const button = screen.getByRole('button', {
      name: 'Cancel payment',
      description: /in the state Settled can’t be cancelled/u,
    })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    fireEvent.click(button)
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('compares states without regard to case', () => {
    stage.show({ change: { status: 'PENDING' } })
    expect(screen.getByRole('button').getAttribute('aria-disabled')).toBeNull()
  })
})

describe('the dialog', () => {
  it('says what will be cancelled in the data’s words and starts in the reason', async () => {
    stage.show()
    const { dialog, inside, reason } = await stage.openDialog()
    expect(screen.getByRole('alertdialog', { name: 'Cancel payment INV-2041' })).toBe(dialog)
    for (const words of ['Jens Holm', '1,245.00', 'DKK', '1 Dec 2026', 'Test'])
      expect(inside.getByText(words)).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(reason))
  })

  it('sends one request for a double click, with what was seen, and gives the focus back', async () => {
    stage.show()
    const { reason, submit } = await stage.openDialog()
    fireEvent.change(reason, { target: { value: ' Asked by phone\n' } })
    act(() => {
      submit().click()
      submit().click()
    })
    fireEvent.click(submit())
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(stage.getSent()).toEqual([
      {
        key: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u),
        paymentId: stage.payment.id,
        reason: ' Asked by phone\n',
        seen: { amount: 124_500, currency: 'DKK', status: 'Pending', modifiedAt: '2026-11-01T00:00:00Z' },
      },
    ])
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel payment' })))
    expect(screen.getByRole('button').getAttribute('aria-disabled')).toBe('true')
  })

  it('is not sent by Enter, but by Ctrl or ⌘ with Enter', async () => {
    stage.show()
    const { reason } = await stage.openDialog()
    fireEvent.change(reason, { target: { value: 'Asked by phone' } })
    fireEvent.keyDown(reason, { key: 'Enter' })
    fireEvent.keyDown(reason, { key: 'Enter', ctrlKey: true, isComposing: true })
    expect(stage.getSent()).toHaveLength(0)
    fireEvent.keyDown(reason, { key: 'Enter', metaKey: true })
    await waitFor(() => expect(stage.getSent()).toHaveLength(1))
  })

  it.each([
    ['', /Enter a reason/u],
    ['   ', /Enter a reason/u],
    ['x'.repeat(MAX_REASON_LENGTH + 3), /3 too many/u],
    ['Asked by phone\ud800', /can’t be saved/u],
  ])('refuses the reason %j in the field', async (text, words) => {
    stage.show()
    const { inside, reason, submit } = await stage.openDialog()
    fireEvent.change(reason, { target: { value: text } })
    fireEvent.click(submit())
    expect(inside.getByText(words)).toBeTruthy()
    expect(document.activeElement).toBe(reason)
    expect(reason.getAttribute('aria-invalid')).toBe('true')
    expect(stage.getSent()).toHaveLength(0)
  })

  it('keeps the payment and sends nothing', async () => {
    stage.show()
    const { inside } = await stage.openDialog()
    fireEvent.click(inside.getByRole('button', { name: 'Keep payment' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(stage.getSent()).toHaveLength(0)
  })
})
