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

/** A state in the spelling of the documented ones, in which the desk filters by it and every filter by state is probed. */
export function spellState(state: string): string {
  return state.slice(0, 1).toUpperCase() + state.slice(1).toLowerCase()
}

/** Whether a state is documented, and so its spelling known. */
export function isDocumentedState(state: string): boolean {
  return Object.hasOwn(labels, state.toLowerCase())
}
