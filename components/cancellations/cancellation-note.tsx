'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Payment } from '@/lib/api-contract/payments'
import { useLazyModule } from '@/lib/client/use-lazy-module'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { outcomeLabels } from '@/lib/domain/cancellations/cancellation-outcome'
import { describeOutcome, describeRecheck } from '@/lib/domain/cancellations/outcome-reasons'
import {
  classifyCutOff,
  type CutOff,
  estimateCutOff,
  formatCutOff,
  parseCutOffRules,
} from '@/lib/domain/cancellations/cut-off'
import { useAppConfig } from '../layout/app-config'
import { OutcomeBadge } from '../payments/badges'
import { Timestamp } from '../records/dates'
import { RichMessage } from '../ui/rich-message'
import { UntrustedText } from '../ui/untrusted-text'
import * as m from '@/lib/messages/m'

const MINUTE_MS = 60_000

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, MINUTE_MS / 2)
  return () => clearInterval(timer)
}

/** The current time to the minute; null in the server's HTML, which may be viewed later. */
function useNow(): number | null {
  return useSyncExternalStore<number | null>(
    subscribe,
    () => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS,
    () => null,
  )
}

/** The estimated cut-off of a cancellable payment; null for others, and if no rule is configured. */
function useCutOff(payment: Payment): CutOff | null {
  const { cutOffs, schemeZone, states } = useAppConfig()
  const isOpen = states.cancellable.includes(payment.status?.trim().toLowerCase() ?? '')
  const rules = isOpen && cutOffs !== undefined ? parseCutOffRules(cutOffs) : null
  const cutOffInput = { scheduleDate: payment.scheduleDate, scheme: payment.mandate?.scheme ?? null }
  return rules && estimateCutOff(cutOffInput, { rules, zone: schemeZone })
}

/** The estimated cancellation deadline: "Cancellable until Tue 24 Nov, 16:00 Copenhagen (estimate)". */
export function CutOffNote({ payment, className }: { payment: Payment; className?: string }) {
  const { schemeZone, locale } = useAppConfig()
  const cutOff = useCutOff(payment)
  const now = useNow()
  if (!cutOff) return null
  const until = formatCutOff(cutOff, schemeZone, locale)
  const timing = now === null ? 'later' : classifyCutOff(cutOff, now, schemeZone)
  const title = m.cutOff_serviceNamesNoCutOff()
  return (
    <p data-cut-off={timing} title={title} className={className}>
      {timing === 'past' ? (
        <span className="text-caution">{m.cutOff_estimatedCutOffHasPassed({ until })}</span>
      ) : (
        <span className={timing === 'today' ? 'font-medium text-caution' : undefined}>
          {timing === 'today' ? m.cutOff_closesToday({ until }) : m.cutOff_cancellableUntil({ until })}
        </span>
      )}
    </p>
  )
}

const loadActions = async () => (await import('./needs-person-actions')).NeedsPersonActions

/** Manual review results of a cancellation that could not be resolved automatically. */
function Findings({ view: { checked, handled } }: { view: CancellationView }) {
  return (
    <div className="mt-2 grid gap-1 text-[0.8125rem] wrap-anywhere text-ink-soft">
      {checked ? (
        <p>
          <RichMessage
            message={m.cancellationNote_checkedByPerson}
            parts={{
              person: checked.by,
              time: <Timestamp value={checked.at} />,
              finding: <UntrustedText>{describeRecheck(checked)}</UntrustedText>,
            }}
          />
        </p>
      ) : null}
      {handled ? (
        <p data-handled="">
          <RichMessage
            message={m.cancellationNote_handledByPerson}
            parts={{
              handled: <span className="font-medium text-ink">{m.cancellationNote_handled()}</span>,
              person: handled.by,
              time: <Timestamp value={handled.at} />,
              note: <UntrustedText>{handled.note}</UntrustedText>,
            }}
          />
        </p>
      ) : null}
    </div>
  )
}

/** Milliseconds that an accepted request has before a manual check is offered. */
const OVERDUE_AFTER_MS = 20_000

/** Whether to offer manual actions: the outcome is unknown, overdue, or needs review. */
function useNeedsAction({ outcome, requestedAt }: CancellationView): boolean {
  // A later request for the same payment has its own time.
  const [lateRequest, setLateRequest] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setLateRequest(requestedAt), Date.parse(requestedAt) + OVERDUE_AFTER_MS - Date.now())
    return () => clearTimeout(timer)
  }, [requestedAt])
  return outcome === 'needs-person' || outcome === 'unknown' || (outcome === 'requested' && lateRequest === requestedAt)
}

/** A cancellation: its outcome, the explanation, who requested it, when and why. `mayAct` offers manual actions. */
export function CancellationNote({ view, mayAct = false }: { view: CancellationView; mayAct?: boolean }) {
  return (
    <div className="rounded-lg border border-line bg-surface p-4">
      <CancellationDetails view={view} mayAct={mayAct} />
    </div>
  )
}

/** The same without a border. */
export function CancellationDetails({ view, mayAct = false }: { view: CancellationView; mayAct?: boolean }) {
  const why = describeOutcome(view)
  const isOffered = useNeedsAction(view) && mayAct
  const { part: Actions, failed } = useLazyModule(isOffered, loadActions)
  return (
    <>
      <div className="flex min-h-6 items-center">
        {view.outcome === 'cancelled' ? (
          // The payment's status badge says so already.
          <p data-outcome="cancelled" className="font-medium">
            {outcomeLabels.cancelled()}
          </p>
        ) : (
          <OutcomeBadge view={view} why={why} />
        )}
      </div>
      <p className="mt-2 text-[0.8125rem] wrap-anywhere text-ink-soft">
        <RichMessage
          message={m.cancellationNote_requestedByPerson}
          parts={{
            person: view.requestedBy,
            time: <Timestamp value={view.requestedAt} />,
            reason: <UntrustedText>{view.text}</UntrustedText>,
          }}
        />
      </p>
      {/* It appears and disappears with the outcome: placed last, so that nothing else moves. */}
      {why ? (
        <p className="mt-2 wrap-anywhere text-ink">
          <UntrustedText>{why}</UntrustedText>
        </p>
      ) : null}
      {view.checked || view.handled ? <Findings view={view} /> : null}
      {view.outcome === 'cancelled' && !why && view.closedAt ? (
        <p className="mt-2 text-[0.8125rem] text-ink-soft">
          <RichMessage
            message={m.cancellationNote_confirmedByProvider}
            parts={{ time: <Timestamp value={view.closedAt} /> }}
          />
        </p>
      ) : null}
      {Actions && isOffered ? <Actions view={view} /> : null}
      {failed ? (
        <p role="alert" className="mt-2">
          {m.shellControls_notLoaded()}
        </p>
      ) : null}
    </>
  )
}
