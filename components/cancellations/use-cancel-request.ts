'use client'

import { useEffect, useRef, useState } from 'react'
import { callDesk, createUuid, retryAfterStepUp } from '@/lib/client/api-client'
import { cancellationWatch } from '@/lib/client/cancellations'
import type { CancellationRequest, CancellationView } from '@/lib/domain/cancellations/cancellation'
import type { Payment } from '@/lib/api-contract/payments'
import { showErrorToast } from '../feedback/toast-store'
import { chooseProblemDisplay } from '../feedback/problem-display'
import { type CancelOutcome, readCancelReply } from './read-cancel-reply'
import * as words from '@/lib/words/cancelling'

type Options = {
  label: string
  /** Called with the current payment. */
  onPaymentRead: (payment: Payment) => void
  /** Called when the request was accepted and the dialog can close. */
  onDone: () => void
}

/** Outcomes that the row and panel show sufficiently; all others keep the dialog open. */
const doneOutcomes = ['sending', 'requested', 'cancelled']

/**
 * Reports the result of a request whose dialog was closed. A stored cancellation reports itself, in its row and under
 * Notices.
 */
function tellOfLeft(answer: CancelOutcome, label: string): void {
  if ('view' in answer && answer.view) return
  if (answer.kind === 'lost') return showErrorToast(words.lostLeft(label), words.lookBeforeAskingAgain)
  if (answer.kind !== 'refused') return showErrorToast(words.nothingSentLeft(label), words.mayHaveChanged)
  const { title } = chooseProblemDisplay(answer.facts)
  const { detail } = answer.facts
  showErrorToast(words.nothingSentLeft(label), detail && detail !== title ? `${title}. ${detail}` : title)
}

/**
 * Requests the cancellation of one payment. The key is created with the dialog and identifies one request: it is kept
 * while the result is unknown, and renewed after every definite one.
 */
export function useCancelRequest(opened: Payment, { label, onPaymentRead, onDone }: Options) {
  const [payment, setPayment] = useState(opened)
  const [key, setKey] = useState(createUuid)
  const [sending, setSending] = useState(false)
  const [answer, setAnswer] = useState<CancelOutcome | null>(null)
  const [held, setHeld] = useState<CancellationRequest | null>(null)
  // A ref: state is one render late for the second click of a double click.
  const busy = useRef(false)
  // After the user leaves the dialog or page, results are shown as toasts.
  const left = useRef(false)
  useEffect(() => {
    left.current = false
    return () => {
      left.current = true
    }
  }, [])

  function takeView(view: CancellationView): void {
    cancellationWatch.remember(view, label)
    if (left.current) return
    if (doneOutcomes.includes(view.outcome)) return onDone()
    setAnswer({ kind: 'ended', view, payment: null })
    setKey(createUuid())
  }

  function takeError(error: unknown): void {
    const read = readCancelReply(error, answer?.kind === 'lost')
    if ('view' in read && read.view) cancellationWatch.remember(read.view, label)
    if ((read.kind === 'changed' || read.kind === 'ended') && read.payment) {
      setPayment(read.payment)
      onPaymentRead(read.payment)
    }
    if (left.current) return tellOfLeft(read, label)
    if (read.kind !== 'lost') setKey(createUuid())
    setAnswer(read)
  }

  async function post(body: CancellationRequest): Promise<void> {
    if (busy.current) return
    busy.current = true
    setSending(true)
    setHeld(body)
    try {
      // A request rejected for step-up was not stored: the same key is sent again.
      takeView(await retryAfterStepUp(() => callDesk<CancellationView>('/cancellations', { method: 'POST', body })))
    } catch (error) {
      takeError(error)
    } finally {
      busy.current = false
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
    if (held) void post(held)
  }

  return { payment, sending, answer, send, sendAgain }
}
