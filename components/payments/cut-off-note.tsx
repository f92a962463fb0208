'use client'

import { useSyncExternalStore } from 'react'
import type { Payment } from '@/lib/contract/payments'
import { type CutOff, estimateCutOff, readCutOffRules } from '@/lib/format/cut-off'
import { formatCutOff, judgeCutOff } from '@/lib/format/describe-cut-off'
import * as words from '@/lib/words/cut-off'
import { useDeskFacts } from '../desk-facts'

const minute = 60_000

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, minute / 2)
  return () => clearInterval(timer)
}

/** The present to the minute; null in the server's HTML, which may be read later. */
function useNow(): number | null {
  return useSyncExternalStore<number | null>(
    subscribe,
    () => Math.floor(Date.now() / minute) * minute,
    () => null,
  )
}

/** The estimate for a payment that can be cancelled; null for any other, and where the settings have no rule. */
function useCutOff(payment: Payment): CutOff | null {
  const { cutOffs, schemeZone, states } = useDeskFacts()
  const isOpen = states.cancellable.includes(payment.status?.trim().toLowerCase() ?? '')
  const rules = isOpen && cutOffs !== undefined ? readCutOffRules(cutOffs) : null
  const facts = { scheduleDate: payment.scheduleDate, scheme: payment.mandate?.scheme ?? null }
  return rules && estimateCutOff(facts, { rules, zone: schemeZone })
}

/** Until when a payment can be cancelled, by the desk's own estimate: "Cancellable until Tue 24 Nov, 16:00 Copenhagen (estimate)". */
export function CutOffNote({ payment, className }: { payment: Payment; className?: string }) {
  const { schemeZone, locale } = useDeskFacts()
  const cutOff = useCutOff(payment)
  const now = useNow()
  if (!cutOff) return null
  const until = formatCutOff(cutOff, schemeZone, locale)
  const place = now === null ? 'later' : judgeCutOff(cutOff, now, schemeZone)
  const title = words.serviceNamesNoCutOff
  return (
    <p data-cut-off={place} title={title} className={className}>
      {place === 'past' ? (
        <span className="text-caution">{words.estimatedCutOffHasPassed(until)}</span>
      ) : (
        <span className={place === 'today' ? 'font-medium text-caution' : undefined}>
          {place === 'today' ? words.closesToday(until) : words.cancellableUntil(until)}
        </span>
      )}
    </p>
  )
}
