'use client'

import { useEffect, useRef, useState } from 'react'
import { callDesk, createUuid, retryAfterStepUp } from '@/lib/client/api-client'
import { cancellationWatch } from '@/lib/client/cancellations'
import type { CancellationRequest, CancellationView } from '@/lib/domain/cancellations/cancellation'
import type { Payment } from '@/lib/api-contract/payments'
import { showErrorToast } from '../feedback/toast-store'
import { chooseProblemDisplay } from '../feedback/problem-display'
import { type CancelOutcome, readCancelReply } from './read-cancel-reply'
import * as m from '@/lib/messages/m'

type Options = {
  label: string
  /** Called with the current payment. */
  onPaymentRead: (payment: Payment) => void
  /** Called when the cancellation was asked for, also after the dialog was left. */
  onAsked: () => void
  /** Called when the request was accepted and the dialog can close. */
  onDone: () => void
}

/** Outcomes that the row and panel show sufficiently; all others keep the dialog open. */
const CLOSING_OUTCOMES = ['sending', 'requested', 'cancelled']

/**
 * Reports the result of a request whose dialog was closed. A stored cancellation reports itself, in its row and under
 * Notices.
 */
function reportAfterLeaving(answer: CancelOutcome, label: string): void {
  if ('view' in answer && answer.view) return
  if (answer.kind === 'lost')
    return showErrorToast(m.cancelling_lostLeft({ payment: label }), m.cancelling_lookBeforeAskingAgain())
  if (answer.kind !== 'refused')
    return showErrorToast(m.cancelling_nothingSentLeft({ payment: label }), m.cancelling_mayHaveChanged())
  const { title } = chooseProblemDisplay(answer.problem)
  const { detail } = answer.problem
  showErrorToast(
    m.cancelling_nothingSentLeft({ payment: label }),
    detail && detail !== title ? `${title}. ${detail}` : title,
  )
}

/**
 * Requests the cancellation of one payment. The key is created with the dialog and identifies one request: it is kept
 * while the result is unknown, and renewed after every definite one.
 */
export function useCancelRequest(opened: Payment, { label, onPaymentRead, onAsked, onDone }: Options) {
  const [payment, setPayment] = useState(opened)
  const [key, setKey] = useState(createUuid)
  const [sending, setSending] = useState(false)
  const [answer, setAnswer] = useState<CancelOutcome | null>(null)
  const [lastRequest, setLastRequest] = useState<CancellationRequest | null>(null)
  // A ref: state is one render late for the second click of a double click.
  const isBusy = useRef(false)
  // After the user leaves the dialog or page, results are shown as toasts.
  const hasLeft = useRef(false)
  useEffect(() => {
    hasLeft.current = false
    return () => {
      hasLeft.current = true
    }
  }, [])

  function handleView(view: CancellationView): void {
    cancellationWatch.remember(view, label)
    onAsked()
    if (hasLeft.current) return
    if (CLOSING_OUTCOMES.includes(view.outcome)) return onDone()
    setAnswer({ kind: 'ended', view, payment: null })
    setKey(createUuid())
  }

  function handleError(error: unknown): void {
    const outcome = readCancelReply(error, answer?.kind === 'lost')
    if ('view' in outcome && outcome.view) cancellationWatch.remember(outcome.view, label)
    if ((outcome.kind === 'changed' || outcome.kind === 'ended') && outcome.payment) {
      setPayment(outcome.payment)
      onPaymentRead(outcome.payment)
    }
    if (hasLeft.current) return reportAfterLeaving(outcome, label)
    if (outcome.kind !== 'lost') setKey(createUuid())
    setAnswer(outcome)
  }

  async function post(body: CancellationRequest): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    setSending(true)
    setLastRequest(body)
    try {
      // A request rejected for step-up was not stored: the same key is sent again.
      handleView(await retryAfterStepUp(() => callDesk<CancellationView>('/cancellations', { method: 'POST', body })))
    } catch (error) {
      handleError(error)
    } finally {
      isBusy.current = false
      setSending(false)
    }
  }

  /** Sends the request with the values the user sees. `unread` confirms a payment that cannot be read again. */
  function send(reason: string, unread: boolean): void {
    const { id, amount, currency, status, modifiedAt } = payment
    const seen = { amount, currency, status, modifiedAt }
    void post({ key, paymentId: id ?? '', reason, seen, ...(unread && { unread }) })
  }

  /** Repeats the same request: the same key is the same cancellation, however often it is sent. */
  function sendAgain(): void {
    if (lastRequest) void post(lastRequest)
  }

  return { payment, sending, answer, send, sendAgain }
}
