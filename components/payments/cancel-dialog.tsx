'use client'

import { LoaderCircle } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { cancellationWatch, useCancellation } from '@/lib/browser/cancellations'
import type { Payment } from '@/lib/contract/payments'
import { formatMoneyLine } from '@/lib/format/money'
import { useDeskFacts } from '../desk-facts'
import { Said } from '../said'
import { AlertDialog, AlertDialogWords } from '../ui/alert-dialog'
import { Button } from '../ui/button'
import { useCountdown } from '../use-countdown'
import { CancelAnswer } from './cancel-answer'
import { CancelFacts } from './cancel-facts'
import { bringUpToDate, explainEnd } from './read-cancel-answer'
import { findReasonError, ReasonField } from './reason-field'
import { useCancelRequest } from './use-cancel-request'
import { cancelPayment } from '@/lib/words/cancel-button'
import * as words from '@/lib/words/cancelling'

type CancelDialogProps = {
  payment: Payment
  onClose: () => void
  /** Called with the payment as it turned out to be, when the desk had to read it again. */
  onPaymentRead: (payment: Payment) => void
  finalFocus?: () => HTMLElement | null
}

/** After this long the user may leave while the desk goes on. */
const patience = 8_000

function useSlow(sending: boolean): boolean {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!sending) return undefined
    const timer = setTimeout(() => setSlow(true), patience)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [sending])
  return slow
}

/** Asks whether, and why, one payment is to be cancelled; stays open with everything in it until that is settled. */
export function CancelDialog({ payment: opened, onClose, onPaymentRead, finalFocus }: CancelDialogProps) {
  const { amounts, locale } = useDeskFacts()
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const [confirmed, setConfirmed] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const label = [opened.customer?.name, formatMoneyLine(opened.amount, opened.currency, amounts, locale)]
    .filter(Boolean)
    .join(', ')
  const request = useCancelRequest(opened, { label, onPaymentRead, onDone: onClose })
  const { payment, sending } = request
  const latest = useCancellation(opened.id)
  const answer = bringUpToDate(request.answer, latest)
  const [earlier] = useState(latest)
  const slow = useSlow(sending)
  const facts = answer && 'facts' in answer ? answer.facts : null
  const left = useCountdown(facts?.retryAfter ?? null, facts)

  const lost = answer?.kind === 'lost'
  const end = explainEnd(answer)
  const error = asked ? findReasonError(reason) : null
  const unconfirmed = answer?.kind === 'unread' && !confirmed ? words.tickFirst : null
  const wait = left > 0 ? words.waitFor(left) : null
  const held = sending ? words.onItsWay : (end ?? wait ?? unconfirmed)
  const undecided = !lost && !end && !slow

  function submit() {
    if (held) return
    if (lost) return request.sendAgain()
    setAsked(true)
    if (findReasonError(reason)) return field.current?.focus()
    request.send(reason, answer?.kind === 'unread' && confirmed)
  }

  function leave() {
    if (sending && !slow) return
    // The page that is left behind tells that it is on its way, though the desk has not answered yet.
    if (sending && opened.id) cancellationWatch.load([opened.id]).catch(() => undefined)
    onClose()
  }

  return (
    <AlertDialog
      title={
        <>
          {cancelPayment} <Said>{opened.reference || opened.handle || opened.id || ''}</Said>
        </>
      }
      onLeave={leave}
      initialFocus={field}
      finalFocus={finalFocus}
    >
      <div className="grid gap-4 px-6 pt-4 pb-5 max-md:px-4">
        <CancelFacts payment={payment} />
        <AlertDialogWords>{end ?? words.whatIsAsked}</AlertDialogWords>
        {earlier?.outcome === 'needs-person' && !earlier.handled && !end ? (
          <p className="font-medium text-caution">{words.earlierNeedsPerson}</p>
        ) : null}
        <ReasonField
          fieldRef={field}
          reason={reason}
          error={error}
          readOnly={sending || lost || end !== null}
          onChange={setReason}
          onSubmit={submit}
        />
        {answer && !sending ? <CancelAnswer answer={answer} confirmed={confirmed} onConfirm={setConfirmed} /> : null}
        <output className="text-ink-soft empty:hidden">
          {sending ? (slow ? words.takesItsTime : words.asking) : ''}
        </output>
      </div>
      <div className="sticky bottom-0 mt-auto flex flex-wrap justify-end gap-2 border-t border-line bg-raised px-6 py-4 max-md:grid max-md:grid-cols-2 max-md:px-4 max-md:pb-[calc(1rem+env(safe-area-inset-bottom))]">
        <Button onClick={leave} reason={sending && !slow ? words.onItsWay : null}>
          {undecided ? words.keepPayment : words.close}
        </Button>
        <Button tone="danger" onClick={submit} reason={held}>
          {sending ? <LoaderCircle className="size-4 animate-spin" /> : null}
          {lost ? words.checkAgain : cancelPayment}
        </Button>
      </div>
    </AlertDialog>
  )
}
