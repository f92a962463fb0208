import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { type Payment, payment } from '@/lib/api-contract/payments'
import { cancellationWatch } from '@/lib/client/cancellations'
import { followOtherTab } from '@/lib/client/testing/other-tab'
import { setDeskForEach } from '@/lib/client/testing/page'
import { makeClosedView } from '../cancellations/testing/cancel-fixture'
import { useFollowedPayment, usePaymentAgain } from './use-payment-again'

const desk = setDeskForEach()

it('reads a payment again once its cancellation has closed, also where the first reading fails', async () => {
  desk.answerWith(() =>
    desk.arrived.length === 1
      ? { status: 503 }
      : { json: { results: [{ id: 'open', status: 'Cancelled' }], continuation: { kind: 'complete' }, unreadable: 0 } },
  )
  const read: Payment[] = []
  renderHook(() => usePaymentAgain('open', { 'eq:id': true }, (payment) => read.push(payment)))
  act(() => cancellationWatch.remember(makeClosedView('another')))
  act(() => cancellationWatch.remember(makeClosedView('open')))
  await waitFor(() => expect(read.map(({ status }) => status)).toEqual(['Cancelled']))
  expect(desk.arrived.map(({ path }) => path).every((path) => path.includes('open'))).toBe(true)
  // It doesn't extend the session.
  expect(desk.arrived.map(({ headers }) => headers['x-debitdesk-quiet'])).toEqual(['1', '1'])
})

it('tries only once where it must walk the list', async () => {
  desk.answerWith(() => ({ status: 503 }))
  renderHook(() => usePaymentAgain('walked', {}, () => undefined))
  act(() => cancellationWatch.remember(makeClosedView('walked')))
  await waitFor(() => expect(desk.arrived).toHaveLength(1))
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(desk.arrived).toHaveLength(1)
})

it('what was being read when the page was left is given up, and so is a reading that a newer one follows', async () => {
  const otherTab = followOtherTab('use-payment-again')
  let answer: () => void = () => undefined
  const slow = new Promise<void>((resolve) => (answer = resolve))
  const reply = (status: string) => ({
    json: { results: [{ id: 'told', status }], continuation: { kind: 'complete' }, unreadable: 0 },
  })
  desk.answerWith(async () => {
    if (desk.arrived.length !== 1) return reply('Cancelled')
    await slow
    return reply('Pending')
  })
  const read: (string | null)[] = []
  const loaded = payment.parse({ id: 'told', status: 'Pending' })
  const { unmount } = renderHook(() =>
    useFollowedPayment(loaded, { 'eq:id': true }, ({ status }) => void read.push(status)),
  )
  act(() => otherTab.tell({ payment: ['told'] }))
  await waitFor(() => expect(desk.arrived).toHaveLength(1))
  act(() => cancellationWatch.remember(makeClosedView('told')))
  await waitFor(() => expect(read).toEqual(['Cancelled']))
  answer()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(read).toEqual(['Cancelled'])
  unmount()
  act(() => otherTab.stop())
})
