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
  /** Names the payment in announcements. */
  label: string
  /** The payment as it turned out to be. */
  onPaymentRead: (payment: Payment) => void
  /** The desk has taken the request and nothing is left to say here. */
  onDone: () => void
}

/** Outcomes that the row and the panel show well enough; all others keep the dialog. */
const doneOutcomes = ['sending', 'requested', 'cancelled']

/** Tells what came of a request whose dialog is gone. A cancellation that the desk keeps tells that itself, in its row and under Notices. */
function tellOfLeft(answer: CancelOutcome, label: string): void {
  if ('view' in answer && answer.view) return
  if (answer.kind === 'lost') return showErrorToast(words.lostLeft(label), words.lookBeforeAskingAgain)
  if (answer.kind !== 'refused') return showErrorToast(words.nothingSentLeft(label), words.mayHaveChanged)
  const { title } = chooseProblemDisplay(answer.facts)
  const { detail } = answer.facts
  showErrorToast(words.nothingSentLeft(label), detail && detail !== title ? `${title}. ${detail}` : title)
}

/**
 * Asks the desk to cancel one payment. The key is minted when the dialog opens and stands for one request:
 * it is kept while nobody knows whether the desk has it, and renewed after every definite answer.
 */
export function useCancelRequest(opened: Payment, { label, onPaymentRead, onDone }: Options) {
  const [payment, setPayment] = useState(opened)
  const [key, setKey] = useState(createUuid)
  const [sending, setSending] = useState(false)
  const [answer, setAnswer] = useState<CancelOutcome | null>(null)
  const [held, setHeld] = useState<CancellationRequest | null>(null)
  // State is one render late for the second click of a double click.
  const busy = useRef(false)
  // Whoever has gone on, by the button or with the page, is told beside the page where they are by then.
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
      // Refused until the password was given, the request was not kept: the same key goes again.
      takeView(await retryAfterStepUp(() => callDesk<CancellationView>('/cancellations', { method: 'POST', body })))
    } catch (error) {
      takeError(error)
    } finally {
      busy.current = false
      setSending(false)
    }
  }

  /** Asks, with what the user sees now. `unread` is the second word, for a payment that cannot be read again. */
  function send(reason: string, unread: boolean): void {
    const { id, amount, currency, status, modifiedAt } = payment
    const seen = { amount, currency, status, modifiedAt }
    void post({ key, paymentId: id ?? '', reason, seen, ...(unread && { unread }) })
  }

  /** Sends the very same request again: the same key is the same cancellation, however often it is sent. */
  function sendAgain(): void {
    if (held) void post(held)
  }

  return { payment, sending, answer, send, sendAgain }
}
