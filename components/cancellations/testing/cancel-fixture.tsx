import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, vi } from 'vitest'
import { startDeskServer } from '@/lib/client/testing/desk-server'
import type { CancellationRequest, CancellationView } from '@/lib/domain/cancellations/cancellation'
import type { Payment } from '@/lib/api-contract/payments'
import { AppConfigProvider } from '../../layout/app-config'
import { CancelButton } from '../cancel-button'
import { router } from '@/lib/client/testing/page'

/** The app config. */
export const facts = {
  amounts: 'minor' as const,
  schemeZone: 'Europe/Copenhagen',
  states: { cancellable: ['pending'], cancelled: ['cancelled'], final: ['settled'] },
  connectionId: 'default',
  merchant: null,
  locale: 'en-GB',
}

/** What every page of the dashboard provides. */
export function Shell({ children }: { children: ReactNode }) {
  return (
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>{children}</AppConfigProvider>
    </AppRouterContext>
  )
}

function makePayment(): Payment {
  return {
    id: crypto.randomUUID(),
    paymentDate: '2026-12-01T00:00:00Z',
    scheduleDate: '2026-11-28T00:00:00Z',
    handle: 'pay_1',
    description: 'Membership',
    reference: 'INV-2041',
    amount: 124_500,
    currency: 'DKK',
    test: true,
    status: 'Pending',
    settlementDate: null,
    createdAt: '2026-11-01T00:00:00Z',
    modifiedAt: '2026-11-01T00:00:00Z',
    customer: { id: 'c1', name: 'Jens Holm' },
    mandate: { id: 'm1', handle: 'md_1', scheme: 'nets-bs' },
  }
}

/** A cancellation of the payment that has been confirmed. */
export function makeClosedView(paymentId: string): CancellationView {
  return {
    id: `of-${paymentId}`,
    paymentId,
    named: null,
    seen: null,
    outcome: 'cancelled',
    closed: true,
    reason: null,
    detail: null,
    text: 'Asked by phone',
    requestedBy: 'ann@debitdesk.example',
    requestedAt: '2026-11-20T13:00:00.000Z',
    closedAt: '2026-11-20T13:01:00.000Z',
    checked: null,
    handled: null,
  }
}

/** Problem details as our server writes them. */
export function makeProblem(code: string, status: number, more: object = {}) {
  const type = `https://debitdesk.example/problems/${code}`
  return { status, json: { type, title: code, status, instance: 'request-1', ...more } }
}

/**
 * A payment with its cancel button and a real HTTP server, which replies 202 "requested" unless configured otherwise.
 * Each fixture has its own payment, because all share one cancellation watch.
 */
async function setCancelStage() {
  const desk = await startDeskServer()
  const payment = makePayment()
  const onPaymentRead = vi.fn<(payment: Payment) => void>()

  function makeView(outcome: CancellationView['outcome'], change: Partial<CancellationView> = {}): CancellationView {
    return {
      id: crypto.randomUUID(),
      paymentId: payment.id ?? '',
      named: null,
      seen: null,
      outcome,
      closed: ['cancelled', 'not-cancelled', 'needs-person'].includes(outcome),
      reason: null,
      detail: null,
      text: 'Asked by phone',
      requestedBy: 'support@debitdesk.example',
      requestedAt: new Date().toISOString(),
      closedAt: null,
      checked: null,
      handled: null,
      ...change,
    }
  }

  desk.answerWith(({ method }) =>
    method === 'GET' ? { json: { cancellations: [] } } : { status: 202, json: makeView('requested') },
  )

  return {
    desk,
    payment,
    onPaymentRead,
    makeView,

    /** The sent request. Guarantee: the dialog is the only writer here. */
    getSent: () =>
      desk.arrived.filter(({ method }) => method === 'POST').map(({ body }) => body as CancellationRequest),

    show: ({ mayCancel = true, change = {} }: { mayCancel?: boolean; change?: Partial<Payment> } = {}) =>
      render(
        <Shell>
          <CancelButton payment={{ ...payment, ...change }} mayCancel={mayCancel} onPaymentRead={onPaymentRead} />
        </Shell>,
      ),

    openDialog: async () => {
      const opener = screen.getByRole('button', { name: 'Cancel payment' })
      opener.focus()
      fireEvent.click(opener)
      const dialog = await screen.findByRole('alertdialog', {}, { timeout: 10_000 })
      const inside = within(dialog)
      const reason = inside.getByLabelText<HTMLTextAreaElement>('Reason')
      const submit = () => inside.getByRole('button', { name: 'Cancel payment' })
      return { dialog, inside, reason, submit }
    },
  }
}

type CancelStage = Awaited<ReturnType<typeof setCancelStage>>

/** Creates the fixture before each test and disposes of it afterwards. */
export function setStageForEach(): CancelStage {
  // Guarantee: set before each test.
  const stage = {} as CancelStage
  beforeEach(async () => {
    Object.assign(stage, await setCancelStage())
  })
  afterEach(async () => {
    cleanup()
    await stage.desk.close()
  })
  return stage
}
