import { act, render, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { cancellationWatch } from '@/lib/client/cancellations'
import { readPastNotices } from '../feedback/toast-store'
import { NoticesDialog } from '../search/shell-dialog'
import { OutcomeAnnouncer } from './outcome-announcer'
import { setStageForEach, Shell } from './testing/cancel-fixture'

const stage = setStageForEach()

const titles = () => readPastNotices().map(({ title }) => title)

it('says what becomes of a cancellation, and keeps each word of it but that it is being sent', () => {
  render(<OutcomeAnnouncer />)
  const view = stage.makeView('sending')
  act(() => cancellationWatch.remember(view, 'INV-1'))
  expect(titles()).toEqual([])
  act(() => cancellationWatch.remember({ ...view, outcome: 'cancelled', closed: true }, 'INV-1'))
  expect(screen.getByText('Cancelled: INV-1')).toBeTruthy()
  act(() => cancellationWatch.remember({ ...view, outcome: 'cancelled', closed: true }, 'INV-1'))
  expect(titles()).toEqual(['Cancelled: INV-1'])
})

it('keeps each of several that come at once, and names the payment of one that it knows no name of', () => {
  render(<OutcomeAnnouncer />)
  const before = readPastNotices().length
  const [first, second] = [stage.makeView('cancelled'), stage.makeView('not-cancelled', { reason: 'stopped' })]
  act(() => {
    cancellationWatch.remember({ ...first, paymentId: 'pay-one', closed: true }, 'INV-2')
    cancellationWatch.remember({ ...second, id: 'another', paymentId: 'pay-two', closed: true })
  })
  const [unnamed, named] = readPastNotices()
  expect(readPastNotices().length).toBe(before + 2)
  expect(named?.title).toBe('Cancelled: INV-2')
  expect(unnamed?.text).toContain('pay-two')
  render(<NoticesDialog onClose={() => undefined} />, { wrapper: Shell })
  const [last] = within(screen.getByRole('list')).getAllByRole('listitem')
  expect(last?.textContent).toMatch(/^Not cancelled pay-two The bulk cancellation was stopped/u)
})
