'use client'

import { useLayoutEffect, useRef, useState } from 'react'
import { useCancellation } from '@/lib/browser/cancellations'
import * as words from '@/lib/words/cancelling'
import { useDeskFacts } from '../desk-facts'
import { CancelButton } from './cancel-button'
import { CancellationCourse } from './cancellation-note'
import { CutOffNote } from './cut-off-note'
import { explainNotCancellable } from './explain-cancel'
import type { PaymentPanelProps } from './payment-panel'
import { mergeClasses } from '../ui/merge-classes'

type SheetCancellationProps = Pick<PaymentPanelProps, 'payment' | 'mayCancel' | 'onPaymentRead'>

/**
 * What can be done about a payment, or what was done. The two have the same room, so that what stands below stays
 * where it is from the question to the end.
 */
export function SheetCancellation({ payment, mayCancel, onPaymentRead }: SheetCancellationProps) {
  const { states } = useDeskFacts()
  const place = useRef<HTMLElement>(null)
  const view = useCancellation(payment.id)
  const button = (
    <CancelButton
      key="button"
      payment={payment}
      mayCancel={mayCancel}
      onPaymentRead={onPaymentRead}
      isTold={view !== null}
      toldAt={place}
      className="mt-auto pt-3"
    />
  )
  const mayAsk = mayCancel && explainNotCancellable(payment, states.cancellable, view) === null
  // What was over before the panel opened needs no room for more.
  const [hasRoom] = useState(mayAsk)
  const outcome = view?.outcome
  useLayoutEffect(() => {
    // What had the focus has gone with the state before.
    if (hasRoom && outcome && document.activeElement === document.body) place.current?.focus({ preventScroll: true })
  }, [hasRoom, outcome])
  if (!view && !mayAsk) {
    return (
      <div className="mt-2">
        <CutOffNote payment={payment} className="text-[0.8125rem] text-ink-soft" />
        {button}
      </div>
    )
  }
  return (
    <section
      ref={place}
      tabIndex={-1}
      aria-label={words.cancellation}
      className={mergeClasses(
        'mt-5 flex flex-col rounded-lg border border-line bg-surface p-4 focus-visible:[outline:2px_solid_var(--focus)]',
        hasRoom && 'min-h-50',
      )}
    >
      {view ? (
        <CancellationCourse view={view} mayAct={mayCancel} />
      ) : (
        <>
          <p className="min-h-6 font-medium">{words.canBeCancelled}</p>
          <CutOffNote payment={payment} className="mt-2 text-[0.8125rem] text-ink-soft" />
          <p className="mt-2 text-[0.8125rem] text-ink-soft">{words.whatIsAsked}</p>
        </>
      )}
      {button}
    </section>
  )
}
