import type { ConnectionRules } from '../connection'

/** States in lower case, durations in milliseconds. */
export type LedgerRules = {
  /** States that may be cancelled. */
  cancellable: readonly string[]
  /** States that mean cancelled. */
  cancelled: readonly string[]
  /** Other states that end a payment. */
  final: readonly string[]
  /** How long an unknown outcome is only read, never sent again. */
  grace: number
  /** The least time between two reads of one payment. */
  readEvery: number
  /** The least time between two requests for a list. */
  listEvery: number
  /** How long a payment may be absent, unreadable or undecided before a person is asked. */
  personAfter: number
  /** By when a person is asked even if nothing could be read; a little longer than `personAfter`. */
  personBy: number
  /** How old a reading may be on which something is sent again. */
  freshFor: number
  /** How old an intent that was never sent may be and still be sent after a crash. */
  intentLives: number
  /** How long somebody may work on a cancellation before another takes over; longer than `sendDeadline`. */
  lease: number
  /** Until when the service must have answered the request that cancels. */
  sendDeadline: number
  /** How long the guard may look for a payment. */
  guardDeadline: number
}

const second = 1_000
const minute = 60 * second

/** The rules that hold for a connection, with its states and CANCEL_GRACE in milliseconds; the rest is decided here. */
export function makeLedgerRules({ cancellable, cancelled, final }: ConnectionRules, grace: number): LedgerRules {
  return {
    cancellable,
    cancelled,
    final,
    grace,
    readEvery: second,
    listEvery: 100,
    // Those who wait are told within 15 minutes of an outcome that stays open.
    personAfter: 14 * minute,
    personBy: 14 * minute + 40 * second,
    freshFor: 2 * second,
    intentLives: 2 * minute,
    lease: 30 * second,
    sendDeadline: 20 * second,
    guardDeadline: 10 * second,
  }
}

/** A state as it is compared: without regard to case. */
export function foldState(state: string | null | undefined): string {
  return (state ?? '').trim().toLowerCase()
}

/** What a payment's state means under the rules; a state in none of the lists is `other`. */
export function judgeState(
  state: string | null | undefined,
  rules: LedgerRules,
): 'cancellable' | 'cancelled' | 'final' | 'other' {
  const folded = foldState(state)
  if (rules.cancelled.includes(folded)) return 'cancelled'
  if (rules.final.includes(folded)) return 'final'
  return rules.cancellable.includes(folded) ? 'cancellable' : 'other'
}
