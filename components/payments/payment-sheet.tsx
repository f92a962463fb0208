'use client'

import type { Payment } from '@/lib/api-contract/payments'
import { Maximize2 } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { cancellationWatch, useCancellation } from '@/lib/client/cancellations'
import { buildPagePath } from '@/lib/domain/page-address'
import { CancelButton, explainNotCancellable } from '../cancellations/cancel-button'
import { CancellationDetails, CutOffNote } from '../cancellations/cancellation-note'
import { findRow } from '../data-table/grid-actions'
import { NotesSection } from '../notes/notes-section'
import { useAppConfig } from '../layout/app-config'
import { Link } from '../layout/link'
import { mergeClasses } from '../ui/merge-classes'
import { sheetButton, SheetHead, SheetMoveButtons, type SheetMoves, SideSheet } from '../ui/side-sheet'
import { UntrustedText } from '../ui/untrusted-text'
import { Amount } from './amount'
import { TestBadge } from './badges'
import { PaymentDetails, TechnicalDetails } from './payment-details'
import { PaymentHeadline, PaymentNextStep } from './payment-story'
import { StatusBadge } from './status-badge'
import * as m from '@/lib/messages/m'

export type PaymentPanelProps = {
  payment: Payment
  /** Whether the user's role has `cancel`. */
  mayCancel: boolean
  onClose: () => void
  /** Called with the current payment when the server had to read it again. */
  onPaymentRead: (payment: Payment) => void
  /** The neighbours in the list that the panel is beside. */
  moves?: SheetMoves
  /** What gets the focus when it closes and the payment has no row; without it, where the focus came from. */
  findHeir?: () => HTMLElement | null
}

type SheetCancellationProps = Pick<PaymentPanelProps, 'payment' | 'mayCancel' | 'onPaymentRead'>

/** The cancel button or the outcome. Both take the same space, so that nothing below moves in between. */
export function SheetCancellation({ payment, mayCancel, onPaymentRead }: SheetCancellationProps) {
  const { states } = useAppConfig()
  const outcomeRef = useRef<HTMLElement>(null)
  const view = useCancellation(payment.id)
  const button = (
    <CancelButton
      key="button"
      payment={payment}
      mayCancel={mayCancel}
      onPaymentRead={onPaymentRead}
      hasOutcome={view !== null}
      outcomeRef={outcomeRef}
      className="mt-auto pt-3"
    />
  )
  const isCancellable = mayCancel && explainNotCancellable(payment, states.cancellable, view) === null
  // Space is reserved only if a cancellation is possible when the panel opens.
  const [reservesSpace] = useState(isCancellable)
  const outcome = view?.outcome
  useLayoutEffect(() => {
    // The focused element disappeared with the previous state.
    if (reservesSpace && outcome && document.activeElement === document.body)
      outcomeRef.current?.focus({ preventScroll: true })
  }, [reservesSpace, outcome])
  if (!view && !isCancellable) {
    return (
      <div className="mt-2">
        <CutOffNote payment={payment} className="text-[0.8125rem] text-ink-soft" />
        {button}
        <PaymentNextStep payment={payment} className="mt-2 text-[0.8125rem] text-ink-soft" />
      </div>
    )
  }
  return (
    <section
      ref={outcomeRef}
      tabIndex={-1}
      aria-label={m.cancelling_cancellation()}
      className={mergeClasses(
        'mt-5 flex flex-col rounded-lg border border-line bg-surface p-4 focus-visible:[outline:2px_solid_var(--focus)]',
        reservesSpace && 'min-h-50',
      )}
    >
      {view ? (
        <CancellationDetails view={view} mayAct={mayCancel} />
      ) : (
        <>
          <p className="min-h-6 font-medium">{m.cancelling_canBeCancelled()}</p>
          <CutOffNote payment={payment} className="mt-2 text-[0.8125rem] text-ink-soft" />
          <p className="mt-2 text-[0.8125rem] text-ink-soft">{m.cancelling_whatIsAsked()}</p>
        </>
      )}
      {button}
    </section>
  )
}

/** The panel's content: payer, amount, cancellation and all fields. */
export function PaymentSheet(props: PaymentPanelProps) {
  const { payment, mayCancel, onClose, moves, findHeir, onPaymentRead } = props
  const outcome = useCancellation(payment.id)?.outcome
  const page = buildPagePath('/payments', payment.id)

  useEffect(() => {
    // Started in an earlier visit or by others. If this fails, the panel simply shows less.
    if (payment.id) cancellationWatch.load([payment.id]).catch(() => undefined)
  }, [payment.id])

  return (
    <SideSheet
      onClose={onClose}
      moves={moves}
      contentKey={payment.id}
      finalFocus={() => (payment.id && findRow(payment.id)) || findHeir?.() || true}
    >
      <SheetHead
        title={
          <>
            <span className="max-md:sr-only">{m.paymentDetails_payment()} </span>
            <UntrustedText>{payment.reference || payment.handle || payment.id || ''}</UntrustedText>
          </>
        }
      >
        {moves ? <SheetMoveButtons moves={moves} /> : null}
        {page ? (
          <Link
            href={page}
            aria-label={m.paymentDetails_openAsAPage()}
            title={m.paymentDetails_openAsAPage()}
            className={sheetButton}
          >
            <Maximize2 className="size-4" />
          </Link>
        ) : null}
      </SheetHead>
      <div key={payment.id} className="min-h-0 flex-1 overflow-y-auto px-6 py-5 max-md:px-4">
        <p className="line-clamp-4 wrap-anywhere text-ink-soft">
          {payment.customer?.name ? (
            <UntrustedText>{payment.customer.name}</UntrustedText>
          ) : (
            m.paymentDetails_payerNotNamed()
          )}
        </p>
        <Amount
          amount={payment.amount}
          currency={payment.currency}
          className="mt-0.5 block text-2xl font-semibold tracking-tight"
        />
        <PaymentHeadline payment={payment} className="mt-0.5 text-ink-soft" />
        <div className="mt-3 flex flex-wrap items-center gap-2">
          {/* The status may change: placed last, its width moves nothing. */}
          <TestBadge test={payment.test} />
          <StatusBadge status={payment.status} />
        </div>
        <SheetCancellation payment={payment} mayCancel={mayCancel} onPaymentRead={onPaymentRead} />
        <div className="mt-6">
          <PaymentDetails payment={payment} at={outcome ?? null} />
          <TechnicalDetails payment={payment} />
          <NotesSection
            kind="payment"
            objectId={payment.id}
            objectName={payment.reference || payment.handle || payment.id || ''}
            mayWrite={mayCancel}
          />
        </div>
      </div>
    </SideSheet>
  )
}
