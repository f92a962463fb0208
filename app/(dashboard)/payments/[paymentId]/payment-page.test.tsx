import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { afterEach, expect, it, vi } from 'vitest'
import { Shell } from '@/components/cancellations/testing/cancel-fixture'
import { QueryProvider } from '@/components/layout/query-provider'
import { payment } from '@/lib/api-contract/payments'
import { followOtherTab } from '@/lib/client/testing/other-tab'
import { setDeskForEach } from '@/lib/client/testing/page'
import type { PaymentEvent } from '@/lib/domain/webhooks'
import { PaymentPage } from './payment-page'

const desk = setDeskForEach()
let otherTab: ReturnType<typeof followOtherTab>
let status: string
let events: PaymentEvent[]

afterEach(() => act(() => otherTab.stop()))

const id = '6f1c2a34-0000-4000-8000-00000000abcd'

function open(): { unmount: () => void; back: () => void } {
  status = 'Pending'
  events = []
  const record = { id, reference: 'INV-1', amount: 100, currency: 'DKK', createdAt: '2026-11-20T10:00:00Z' }
  const loaded = payment.parse({ ...record, status })
  desk.answerWith(({ path }) => {
    if (path.includes('/inbox/events')) return { json: { events } }
    if (path.includes('/notes')) return { json: { notes: [], people: [], mayWrite: false } }
    if (path.includes('/activity')) return { json: { results: [], continuation: { kind: 'complete' }, unreadable: 0 } }
    if (path.includes('/service/Payments'))
      return { json: { results: [{ ...record, status }], continuation: { kind: 'complete' }, unreadable: 0 } }
    return { json: { cancellations: [] } }
  })
  otherTab = followOtherTab('payment page')
  const show = () =>
    render(
      <Shell>
        <QueryProvider>
          <main id="content" tabIndex={-1}>
            <PaymentPage id={id} loaded={loaded} proofs={{ 'eq:id': true }} mayCancel />
          </main>
        </QueryProvider>
      </Shell>,
    )
  return { ...show(), back: () => void show() }
}

const listReads = () => desk.arrived.filter(({ path }) => path.includes('/service/Payments'))

const tell = () => otherTab.tell({ payment: [id.toUpperCase()], inbox: null })

it('shows what a webhook tells of, without extending the session; a dialog that is open keeps what was typed', async () => {
  open()
  fireEvent.click(screen.getByRole('button', { name: 'Cancel payment' }))
  const dialog = await screen.findByRole('alertdialog')
  const reason = within(dialog).getByRole<HTMLTextAreaElement>('textbox')
  fireEvent.change(reason, { target: { value: 'Asked by phone' } })
  await vi.waitFor(() => expect(document.activeElement).toBe(reason))
  status = 'Settled'
  tell()
  await vi.waitFor(() => expect(document.querySelector('#content')?.textContent).toContain('Settled'))
  expect(screen.getByRole('alertdialog')).toBe(dialog)
  expect(reason.value).toBe('Asked by phone')
  expect(document.activeElement).toBe(reason)
  expect(listReads().map(({ headers }) => headers['x-debitdesk-quiet'])).toEqual(['1'])
})

it('once others have cancelled it, the focus of the button that is gone is at the content', async () => {
  open()
  screen.getByRole('button', { name: 'Cancel payment' }).focus()
  status = 'Cancelled'
  tell()
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Cancel payment' })).toBeNull())
  expect(document.activeElement?.id).toBe('content')
})

it('where they cancelled it while its dialog was open, the focus is in the content', async () => {
  open()
  fireEvent.click(screen.getByRole('button', { name: 'Cancel payment' }))
  const dialog = await screen.findByRole('alertdialog')
  await vi.waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
  status = 'Cancelled'
  tell()
  await vi.waitFor(() => expect(document.querySelector('#content')?.textContent).toContain('Cancelled'))
  fireEvent.click(within(dialog).getByRole('button', { name: 'Keep payment' }))
  await vi.waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await vi.waitFor(() => expect(document.activeElement?.closest('#content')?.id).toBe('content'))
})

it('after Back shows what is true by then, read once', async () => {
  const { unmount, back } = open()
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
  expect(listReads()).toEqual([])
  unmount()
  status = 'Cancelled'
  back()
  await vi.waitFor(() => expect(document.querySelector('#content')?.textContent).toContain('Cancelled'))
  expect(listReads().map(({ headers }) => headers['x-debitdesk-quiet'])).toEqual(['1'])
})

it('everything that happened has the delivery that has just arrived', async () => {
  open()
  fireEvent.click(screen.getByRole('button', { name: 'Show all activity' }))
  await vi.waitFor(() => expect(desk.arrived.some(({ path }) => path.includes('/inbox/events'))).toBe(true))
  events = [{ sequence: 1, eventType: 'settled', receivedAt: '2026-11-28T10:00:00.000Z', verdict: 'valid', times: 1 }]
  tell()
  await screen.findByText(/settled/u)
})

it.each([
  ['is gone', null, {}],
  ['cannot be read', undefined, { status: 403 }],
])('a cancellation that needs a person can be handled though its payment %s', async (_, loaded, failure) => {
  const stage = { id: 'c1', paymentId: id, outcome: 'needs-person', closed: true, reason: 'absent', detail: null }
  const asked = { text: 'Ordered twice', requestedBy: 'ann@debitdesk.example', requestedAt: '2026-11-20T10:00:00Z' }
  const view = { ...stage, ...asked, closedAt: '2026-11-20T10:15:00Z', checked: null, handled: null }
  desk.answerWith(({ path }) => (path.includes('/cancellations') ? { json: { cancellations: [view] } } : failure))
  otherTab = followOtherTab('payment page')
  render(
    <Shell>
      <SearchParamsContext value={new URLSearchParams()}>
        <QueryProvider>
          <PaymentPage id={id} loaded={loaded} proofs={{ 'eq:id': true }} mayCancel />
        </QueryProvider>
      </SearchParamsContext>
    </Shell>,
  )
  const section = await screen.findByRole('region', { name: 'Cancellation' })
  expect(section.textContent).toContain('no longer in the provider’s list')
  await within(section).findByRole('button', { name: 'Check again' })
  expect(within(section).getByRole('button', { name: 'Mark as handled…' })).toBeTruthy()
})
