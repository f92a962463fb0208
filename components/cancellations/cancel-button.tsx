'use client'

import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useAskedPart } from '../feedback/use-asked-part'
import type { Payment } from '@/lib/api-contract/payments'
import { useCancellation } from '@/lib/client/cancellations'
import { focusContent, useFocusLost } from '@/lib/client/page-lifecycle'
import { describeState } from '@/lib/domain/states'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { useAppConfig } from '../layout/app-config'
import { Button } from '../ui/button'
import * as m from '@/lib/messages/m'

/**
 * Explains why a payment cannot be cancelled; null if it can. `cancellable` holds lower-case states. The server
 * decides again from a fresh read.
 */
export function explainNotCancellable(
  payment: Payment,
  cancellable: readonly string[],
  view: CancellationView | null,
): string | null {
  if (!payment.id) return m.cancelButton_noId()
  if (view && !view.closed) return m.cancelButton_alreadyOpen()
  if (view?.outcome === 'cancelled') return m.cancelButton_isCancelled()
  if (!payment.status) return m.cancelButton_noState()
  if (cancellable.includes(payment.status.trim().toLowerCase())) return null
  return m.cancelButton_notInState({ state: describeState(payment.status) })
}

const loadDialog = async () => (await import('./cancel-dialog')).CancelDialog

/** Preloads the dialog on hover and focus. */
export function preloadCancelDialog(): void {
  void loadDialog().catch(() => undefined)
}

function Host({ onFocusLost, ...rest }: ComponentProps<'div'> & { onFocusLost: () => void }) {
  return <div ref={useFocusLost<HTMLDivElement>(onFocusLost)} {...rest} />
}

type CancelButtonProps = {
  payment: Payment
  /** Whether the user's role has `cancel`; without it the button is hidden. */
  mayCancel: boolean
  onPaymentRead: (payment: Payment) => void
  /** Whether the outcome is shown beside it; then the button appears only while usable. */
  hasOutcome?: boolean
  /** The outcome's element, which gets the focus when the button disappears; without one the page's content does. */
  outcomeRef?: RefObject<HTMLElement | null>
  className?: string
  children?: ReactNode
}

/** "Cancel payment" with its dialog. When unavailable, it stays focusable and explains why. */
export function CancelButton({
  payment,
  mayCancel,
  onPaymentRead,
  hasOutcome = false,
  outcomeRef,
  className,
  children,
}: CancelButtonProps) {
  const { states } = useAppConfig()
  const view = useCancellation(payment.id)
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = useCallback(() => setOpen(false), [])
  const { part: Dialog } = useAskedPart(open, loadDialog, close)
  const reason = explainNotCancellable(payment, states.cancellable, view)
  const isCancelled =
    view?.outcome === 'cancelled' || states.cancelled.includes(payment.status?.trim().toLowerCase() ?? '')
  // While its dialog is open, the hidden button still hosts it.
  const isObsolete = hasOutcome && reason !== null
  const isHidden = !open && (isCancelled || isObsolete)
  const lostFocus = useRef(false)
  useLayoutEffect(() => {
    const hasLost = lostFocus.current
    lostFocus.current = false
    if (!isHidden || document.activeElement !== document.body) return
    // When the focused button disappears, the focus moves to the outcome.
    if (outcomeRef?.current) outcomeRef.current.focus({ preventScroll: true })
    // Others cancelled it: there is no outcome of ours.
    else if (hasLost) focusContent()
  }, [isHidden, outcomeRef])
  if (!mayCancel || isHidden) return null
  const reasonId = `why-not-${payment.id ?? 'unknown'}`
  return (
    <Host className={isObsolete ? 'hidden' : className} onFocusLost={() => void (lostFocus.current = true)}>
      <Button
        ref={button}
        tone="quiet-danger"
        reason={open ? null : reason}
        aria-describedby={reason && !hasOutcome ? reasonId : undefined}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        onPointerEnter={preloadCancelDialog}
        onFocus={preloadCancelDialog}
      >
        {children ?? m.cancelButton_cancelPayment()}
      </Button>
      {reason && !hasOutcome ? (
        <p id={reasonId} className="mt-1.5 text-[0.8125rem] text-ink-soft">
          {reason}
        </p>
      ) : null}
      {open && Dialog ? (
        <Dialog
          payment={payment}
          onClose={close}
          onPaymentRead={onPaymentRead}
          finalFocus={() =>
            (isObsolete ? null : button.current) ??
            outcomeRef?.current ??
            // Others cancelled it: in the panel that the button was in, else in the page.
            document.querySelector<HTMLElement>('[role="dialog"]') ??
            document.querySelector<HTMLElement>('#content')
          }
        />
      ) : null}
    </Host>
  )
}
