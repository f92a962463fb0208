'use client'

import { type RefObject, useEffect, useRef, useState } from 'react'
import { Amount } from '@/components/payments/amount'
import { BackLink, PageHeader } from '@/components/layout/page-header'
import { CancelButton } from '@/components/cancellations/cancel-button'
import { CancellationNote, CutOffNote } from '@/components/cancellations/cancellation-note'
import { NotesSection } from '@/components/notes/notes-section'
import { PaymentDetails, TechnicalDetails } from '@/components/payments/payment-details'
import { PaymentHeadline, PaymentNextStep } from '@/components/payments/payment-story'
import { StatusBadge } from '@/components/payments/status-badge'
import { TestBadge } from '@/components/payments/badges'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { cancellationWatch, useCancellation } from '@/lib/client/cancellations'
import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import type { Payment } from '@/lib/api-contract/payments'
import { formatPageTitle } from '@/lib/domain/page-title'
import { useFollowedPayment } from '@/components/payments/use-payment-again'
import { type Lookup, LookupStatus, usePaymentLookup } from '@/components/payments/lookup-status'
import * as m from '@/lib/messages/m'

type PaymentPageProps = {
  id: string
  /** The server's result; null: no such payment; undefined: the browser must look it up. */
  loaded: Payment | null | undefined
  proofs: CapabilityProofs
  mayCancel: boolean
}

/** What people call a payment by. */
function namePayment({ reference, handle, id }: Payment): string {
  return reference || handle || id || ''
}

type CancellationSectionProps = { paymentId: string | null; mayAct: boolean; ref?: RefObject<HTMLElement | null> }

/** A payment's cancellation and what a person can do about it; nothing if it has none. */
function CancellationSection({ paymentId, mayAct, ref }: CancellationSectionProps) {
  const view = useCancellation(paymentId)
  useEffect(() => {
    if (!paymentId) return
    // If this fails the page shows less.
    cancellationWatch.load([paymentId]).catch(() => undefined)
  }, [paymentId])
  return view ? (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label={m.paymentPage_cancellation()}
      className="mt-5 rounded-lg focus-visible:[outline:2px_solid_var(--focus)]"
    >
      <CancellationNote view={view} mayAct={mayAct} />
    </section>
  ) : null
}

type ShownPaymentProps = { initialPayment: Payment; proofs: CapabilityProofs; mayCancel: boolean }

function ShownPayment({ initialPayment, proofs, mayCancel }: ShownPaymentProps) {
  const [payment, setPayment] = useState(initialPayment)
  const view = useCancellation(payment.id)
  const outcomeRef = useRef<HTMLElement>(null)
  useFollowedPayment(initialPayment, proofs, setPayment)

  return (
    <>
      <PageHeader
        title={
          <>
            {m.paymentPage_payment()} <UntrustedText>{namePayment(payment)}</UntrustedText>
          </>
        }
        about={
          payment.customer?.name ? (
            <UntrustedText>{payment.customer.name}</UntrustedText>
          ) : (
            m.paymentPage_payerNotNamed()
          )
        }
      />
      <div className="max-w-page px-4 pb-12 md:px-8">
        <Amount
          amount={payment.amount}
          currency={payment.currency}
          className="block text-2xl font-semibold tracking-tight"
        />
        <PaymentHeadline payment={payment} className="mt-0.5 text-ink-soft" />
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <StatusBadge status={payment.status} />
          <TestBadge test={payment.test} />
        </div>
        <CutOffNote payment={payment} className="mt-2 text-[0.8125rem] text-ink-soft" />
        <CancelButton
          payment={payment}
          mayCancel={mayCancel}
          onPaymentRead={setPayment}
          outcomeRef={outcomeRef}
          className="mt-4"
        />
        {view ? null : <PaymentNextStep payment={payment} className="mt-3 max-w-prose text-ink-soft" />}
        <CancellationSection paymentId={payment.id} mayAct={mayCancel} ref={outcomeRef} />
        <div className="mt-6">
          <PaymentDetails
            payment={payment}
            at={view && `${view.outcome} ${view.checked?.at ?? ''} ${view.handled?.at ?? ''}`}
          />
          <div className="@container">
            <TechnicalDetails payment={payment} />
          </div>
          <NotesSection kind="payment" objectId={payment.id} objectName={namePayment(payment)} mayWrite={mayCancel} />
        </div>
      </div>
    </>
  )
}

type MissingPaymentProps = { id: string; lookup: Lookup; onAgain: () => void; mayCancel: boolean }

/** A payment that is not there, or not yet: its cancellation may need a person all the same. */
function MissingPayment({ id, lookup, onAgain, mayCancel }: MissingPaymentProps) {
  return (
    <>
      <PageHeader title={m.paymentPage_payment()} about={<UntrustedText>{id}</UntrustedText>} />
      <div className="max-w-5xl px-4 md:px-8">
        <CancellationSection paymentId={id} mayAct={mayCancel} />
      </div>
      <LookupStatus lookup={lookup} onAgain={onAgain} />
    </>
  )
}

function LookedUpPayment({ id, proofs, mayCancel }: Omit<PaymentPageProps, 'loaded'>) {
  const { lookup, retry } = usePaymentLookup(id, proofs)
  const name = lookup.kind === 'found' ? namePayment(lookup.payment) : null
  useEffect(() => {
    // The server, which writes the title, has not read this payment.
    if (name) document.title = `${formatPageTitle(m.paymentPage_payment(), name)} · ${m.shell_product()}`
  }, [name])
  if (lookup.kind === 'found')
    return <ShownPayment initialPayment={lookup.payment} proofs={proofs} mayCancel={mayCancel} />
  return <MissingPayment id={id} lookup={lookup} onAgain={retry} mayCancel={mayCancel} />
}

export function PaymentPage({ id, loaded, proofs, mayCancel }: PaymentPageProps) {
  return (
    <>
      <BackLink href="/payments">{m.paymentPage_payments()}</BackLink>
      {loaded ? (
        <ShownPayment initialPayment={loaded} proofs={proofs} mayCancel={mayCancel} />
      ) : loaded === null ? (
        <MissingPayment id={id} lookup={{ kind: 'absent' }} onAgain={() => undefined} mayCancel={mayCancel} />
      ) : (
        <LookedUpPayment id={id} proofs={proofs} mayCancel={mayCancel} />
      )}
    </>
  )
}
