'use client'

import { type ReactNode, useCallback, useRef, useState } from 'react'
import { useCancellation } from '@/lib/browser/cancellations'
import type { Payment } from '@/lib/contract/payments'
import { useDeskFacts } from '../desk-facts'
import { Button } from '../ui/button'
import { useLoaded } from '../use-loaded'
import { explainNotCancellable } from './explain-cancel'

const loadDialog = async () => (await import('./cancel-dialog')).CancelDialog

/** The dialog's code is fetched when somebody is about to need it. */
export function preloadCancelDialog(): void {
  void loadDialog().catch(() => undefined)
}

type CancelButtonProps = {
  payment: Payment
  /** Whether the user's role carries `cancel`; without it there is no button. */
  mayCancel: boolean
  onPaymentRead: (payment: Payment) => void
  className?: string
  children?: ReactNode
}

/** "Cancel payment", with its dialog. Where it cannot be done the button stays reachable and says why. */
export function CancelButton({ payment, mayCancel, onPaymentRead, className, children }: CancelButtonProps) {
  const { states } = useDeskFacts()
  const view = useCancellation(payment.id)
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { part: Dialog, failed } = useLoaded(open, loadDialog)
  const close = useCallback(() => setOpen(false), [])
  if (!mayCancel) return null
  const reason = explainNotCancellable(payment, states.cancellable, view)
  const reasonId = `why-not-${payment.id ?? 'unknown'}`
  return (
    <div className={className}>
      <Button
        ref={button}
        tone="quiet-danger"
        reason={open ? null : reason}
        aria-describedby={reason ? reasonId : undefined}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        onPointerEnter={preloadCancelDialog}
        onFocus={preloadCancelDialog}
      >
        {children ?? 'Cancel payment'}
      </Button>
      {reason ? (
        <p id={reasonId} className="mt-1.5 text-[0.8125rem] text-ink-soft">
          {reason}
        </p>
      ) : null}
      {failed ? (
        <p role="alert" className="mt-1.5 text-[0.8125rem] text-negative">
          The dialog could not be loaded. Check the connection and load the page anew.
        </p>
      ) : null}
      {open && Dialog ? (
        <Dialog payment={payment} onClose={close} onPaymentRead={onPaymentRead} finalFocus={() => button.current} />
      ) : null}
    </div>
  )
}
