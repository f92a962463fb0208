'use client'

import { useEffect, useRef, useState } from 'react'
import type { Payment } from '@/lib/api-contract/payments'
import { cancellationWatch, useCancellation } from '@/lib/client/cancellations'
import { formatMoneyLine } from '@/lib/domain/amounts/money'
import { toProblemInfo } from '../feedback/problem-display'
import { ProblemNotice, useCountdown } from '../feedback/problem-notice'
import { useAppConfig } from '../layout/app-config'
import { Amount } from '../payments/amount'
import { TestBadge } from '../payments/badges'
import { StatusBadge } from '../payments/status-badge'
import { BusinessDate } from '../records/dates'
import { AlertDialog, AlertDialogDescription } from '../ui/alert-dialog'
import { Button } from '../ui/button'
import { UntrustedText } from '../ui/untrusted-text'
import { CancelReply } from './cancel-reply'
import { CutOffNote } from './cancellation-note'
import { withLatestView, explainEnd } from './read-cancel-reply'
import { forgetText, isText, useKept } from '@/lib/client/kept-text'
import { findReasonError, ReasonField } from './reason-field'
import { useApprovalRequest } from './use-approval-request'
import { useCancelRequest } from './use-cancel-request'
import './cancel-dialog.css'
import * as m from '@/lib/messages/m'

/** The payment to be cancelled: payer, amount, date, live or test. */
export function CancelSummary({ payment }: { payment: Payment }) {
  return (
    <div className="cancel-summary rounded-lg border border-line bg-canvas px-4 py-3">
      <div className="cancel-facts">
        <div className="flex items-baseline justify-between gap-4">
          <p className="line-clamp-4 min-w-0 text-base font-semibold wrap-anywhere">
            {payment.customer?.name ? (
              <UntrustedText>{payment.customer.name}</UntrustedText>
            ) : (
              m.cancelling_payerNotNamed()
            )}
          </p>
          <Amount
            amount={payment.amount}
            currency={payment.currency}
            className="max-w-[65%] shrink-0 text-right text-base font-semibold wrap-anywhere"
          />
        </div>
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-ink-soft">
          <span>
            {m.cancelling_toBeCollectedOn()} <BusinessDate value={payment.paymentDate} />
          </span>
          <StatusBadge status={payment.status} />
          {payment.test === false ? (
            <span className="font-medium text-ink">{m.cancelling_live()}</span>
          ) : (
            <TestBadge test={payment.test} />
          )}
        </div>
      </div>
      <CutOffNote payment={payment} className="mt-1.5 text-[0.8125rem] text-ink-soft" />
      {payment.description ? (
        <p className="mt-1.5 line-clamp-2 text-[0.8125rem] wrap-anywhere text-ink-soft">
          <UntrustedText>{payment.description}</UntrustedText>
        </p>
      ) : null}
    </div>
  )
}

type CancelDialogProps = {
  payment: Payment
  onClose: () => void
  /** Called with the current payment when the server had to read it again. */
  onPaymentRead: (payment: Payment) => void
  finalFocus?: () => HTMLElement | null
}

/** After this time the user may close the dialog while the server continues. */
const CLOSABLE_AFTER_MS = 8_000

function useSlow(sending: boolean): boolean {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!sending) return undefined
    const timer = setTimeout(() => setSlow(true), CLOSABLE_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [sending])
  return slow
}

/**
 * Confirms the cancellation of one payment and asks for a reason; stays open with its input until the outcome is
 * known.
 */
export function CancelDialog({ payment: opened, onClose, onPaymentRead, finalFocus }: CancelDialogProps) {
  const { amounts, connectionId, locale } = useAppConfig()
  const keptKey = `reason ${connectionId ?? ''} ${opened.id ?? ''}`
  const [reason, setReason] = useKept(keptKey, '', isText)
  const [hasSubmitted, setHasSubmitted] = useState(false)
  const [confirmed, setConfirmed] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const label = [opened.customer?.name, formatMoneyLine(opened.amount, opened.currency, amounts, locale)]
    .filter(Boolean)
    .join(', ')
  // Until then a reason that was typed is there again when the dialog is.
  const forgetReason = () => forgetText(keptKey)
  const request = useCancelRequest(opened, { label, onPaymentRead, onAsked: forgetReason, onDone: onClose })
  const { payment, sending } = request
  const [earlier] = useState(useCancellation(opened.id))
  const replied = request.answer && 'view' in request.answer ? request.answer.view : null
  const answer = withLatestView(request.answer, useCancellation(opened.id, replied?.id))
  const approval = useApprovalRequest(opened, { reason, label, onAsked: forgetReason, onDone: onClose })
  const isBusy = sending || approval.isPending
  const slow = useSlow(isBusy)
  const problem = answer && 'problem' in answer ? answer.problem : null
  const secondsLeft = useCountdown(problem?.retryAfter ?? null, problem)

  const lost = answer?.kind === 'lost'
  const end = explainEnd(answer)
  const error = hasSubmitted ? findReasonError(reason) : null
  const unconfirmed = answer?.kind === 'unread' && !confirmed ? m.cancelling_tickFirst() : null
  const wait = secondsLeft > 0 ? m.cancelling_waitFor({ seconds: secondsLeft }) : null
  const onItsWay = sending ? m.cancelling_onItsWay() : approval.isPending ? m.approval_creating() : null
  const blockedReason = onItsWay ?? end ?? wait ?? unconfirmed
  const canKeepPayment = !lost && !end && !slow
  const needsApproval = problem?.code === 'approval-needed'

  function submit() {
    if (blockedReason) return
    if (lost) return request.sendAgain()
    setHasSubmitted(true)
    if (findReasonError(reason)) return field.current?.focus()
    if (needsApproval) return void approval.begin()
    request.send(reason, answer?.kind === 'unread' && confirmed)
  }

  function leave() {
    if (isBusy && !slow) return
    // The page shows that a request is on its way, though its reply is missing.
    if ((sending || lost) && opened.id) cancellationWatch.load([opened.id]).catch(() => undefined)
    onClose()
  }

  return (
    <AlertDialog
      title={
        <>
          {m.cancelButton_cancelPayment()}{' '}
          <UntrustedText>{opened.reference || opened.handle || opened.id || ''}</UntrustedText>
        </>
      }
      onLeave={leave}
      initialFocus={field}
      finalFocus={finalFocus}
    >
      <div className="flex flex-col gap-4 px-6 pt-4 pb-5 max-md:px-4">
        <CancelSummary payment={payment} />
        <AlertDialogDescription>{end ?? m.cancelling_whatIsAsked()}</AlertDialogDescription>
        {earlier?.outcome === 'needs-person' && !earlier.handled && !end ? (
          <p className="font-medium text-caution">{m.cancelling_earlierNeedsPerson()}</p>
        ) : null}
        <ReasonField
          fieldRef={field}
          reason={reason}
          error={error}
          lockedReason={onItsWay ?? end ?? (lost ? m.cancelling_onItsWay() : null)}
          onChange={setReason}
          onSubmit={submit}
        />
        {answer && !sending ? <CancelReply answer={answer} confirmed={confirmed} onConfirm={setConfirmed} /> : null}
        {approval.error ? <ProblemNotice problem={toProblemInfo(approval.error)} /> : null}
        {/* Always rendered, so that what comes into it is read out; empty it takes no gap. */}
        <output className="text-ink-soft empty:-mt-4">
          {sending ? (slow ? m.cancelling_takesItsTime() : m.cancelling_asking()) : ''}
        </output>
      </div>
      <div className="sticky bottom-0 mt-auto flex flex-wrap justify-end gap-2 border-t border-line bg-raised px-6 py-4 max-md:grid max-md:grid-cols-2 max-md:px-4 max-md:pb-[calc(1rem+env(safe-area-inset-bottom))]">
        <Button onClick={leave} reason={slow ? null : onItsWay}>
          {canKeepPayment ? m.cancelling_keepPayment() : m.cancelling_close()}
        </Button>
        <Button aria-busy={sending || undefined} tone="danger" onClick={submit} reason={blockedReason}>
          {lost ? m.cancelling_checkAgain() : needsApproval ? m.approval_requestFor() : m.cancelButton_cancelPayment()}
        </Button>
      </div>
    </AlertDialog>
  )
}
