import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'

/** The documented states of payments and mandates, in lower case. */
const labels: Readonly<Record<string, Message>> = {
  pending: m.states_pending,
  scheduled: m.states_scheduled,
  settled: m.states_settled,
  rejected: m.states_rejected,
  chargeback: m.states_chargeback,
  cancelled: m.states_cancelled,
  created: m.states_created,
  active: m.states_active,
  expired: m.states_expired,
}

/** A state in the reader's language; one that is not documented stays as it came. */
export function describeState(state: string): string {
  const word = state.trim().toLowerCase()
  return (Object.hasOwn(labels, word) ? labels[word]?.() : undefined) ?? state
}
