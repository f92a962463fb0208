import type { Role } from '@/lib/api-contract/permission'
import type { Endpoint } from '@/lib/api-contract/endpoint'
import { readMonotonic } from '@/lib/database/clock'
import type { ApiTokenReference } from '@/lib/domain/api-tokens'
import type { AmountUnit } from '@/lib/domain/amounts/money'
import { type CutOffConfig, parseCutOffRules } from '@/lib/domain/cancellations/cut-off'
import type { Database, StoreClock } from '@/lib/database/database'
import type { Settings } from '../runtime/settings'
import type { cancellations } from '../store/schema'
import type { UpstreamCall, UpstreamReply } from '../upstream/call-upstream'
import type { ListCapabilities } from '../upstream/capability-store'
import type { ConnectionRules } from '../upstream/connection'
import type { LedgerMemory } from './ledger-memory'

/**
 * The ledger's clocks. `now` is monotonic within the process and measures pacing and local deadlines; `wall` is for
 * people; `host` is the machine's clock, which may jump. Leases, due times and stored ages use the store's clock.
 */
export type LedgerClock = { now: () => Date; wall: () => Date; host: () => Date; store: StoreClock }

export function makeLedgerClock(store: StoreClock): LedgerClock {
  return { now: () => new Date(readMonotonic()), wall: store.wall, host: () => new Date(), store }
}

export function addMilliseconds(instant: Date, milliseconds: number): Date {
  return new Date(instant.getTime() + milliseconds)
}

/** Milliseconds between two instants; infinite if the first is null. */
export function elapsed(from: Date | null, to: Date): number {
  return from === null ? Number.POSITIVE_INFINITY : to.getTime() - from.getTime()
}

/** Milliseconds since the call, by whichever clock advanced further: only the host's may show that a VM was paused. */
export function startStopwatch({ now, host }: Pick<LedgerClock, 'now' | 'host'>): () => number {
  const began = { now: now(), host: host() }
  return () => Math.max(elapsed(began.now, now()), elapsed(began.host, host()))
}

/** Statuses in lower case, durations in milliseconds. */
export type LedgerRules = {
  /** The unit of the service's amounts. */
  amounts: AmountUnit
  /** Statuses that can be cancelled. */
  cancellable: readonly string[]
  /** Statuses that mean cancelled. */
  cancelled: readonly string[]
  /** Other statuses in which a payment has ended. */
  final: readonly string[]
  /** Until when payments can be cancelled, as estimated; it only decides when a person is asked. */
  cutOffs: CutOffConfig
  /** How long an unknown outcome is only polled, never resent. */
  graceMs: number
  /** Minimum interval between two reads of one payment. */
  pollIntervalMs: number
  /** Minimum interval between two list requests. */
  listIntervalMs: number
  /** How long a payment may be absent, unreadable or undecided before manual review. */
  reviewAfterMs: number
  /** Deadline for manual review if no read succeeded; slightly longer than `reviewAfterMs`. */
  reviewDeadlineMs: number
  /** Maximum age of a reading on which a request is resent. */
  maxReadingAgeMs: number
  /** Maximum age of an unsent intent that is still sent after a crash. */
  maxIntentAgeMs: number
  /** Lease on a cancellation; longer than `sendTimeoutMs`. */
  leaseMs: number
  /** Timeout for the cancel request. */
  sendTimeoutMs: number
  /** Timeout for the guard's read of a payment. */
  guardTimeoutMs: number
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

/** The rules for a connection: its statuses, those of the settings, and our own durations. */
export function makeLedgerRules(
  { amounts, cancellable, cancelled, final }: ConnectionRules,
  { CANCEL_GRACE, CANCEL_CUTOFF, SCHEME_ZONE }: Pick<Settings, 'CANCEL_GRACE' | 'CANCEL_CUTOFF' | 'SCHEME_ZONE'>,
): LedgerRules {
  return {
    amounts,
    cancellable,
    cancelled,
    final,
    cutOffs: { rules: parseCutOffRules(CANCEL_CUTOFF) ?? [], zone: SCHEME_ZONE },
    graceMs: CANCEL_GRACE,
    pollIntervalMs: SECOND_MS,
    listIntervalMs: 100,
    // Users learn within 15 minutes that an outcome stays open.
    reviewAfterMs: 14 * MINUTE_MS,
    reviewDeadlineMs: 14 * MINUTE_MS + 40 * SECOND_MS,
    maxReadingAgeMs: 2 * SECOND_MS,
    maxIntentAgeMs: 2 * MINUTE_MS,
    leaseMs: 30 * SECOND_MS,
    sendTimeoutMs: 20 * SECOND_MS,
    guardTimeoutMs: 10 * SECOND_MS,
  }
}

/** Normalizes a status for comparison. */
export function normalizeState(state: string | null | undefined): string {
  return (state ?? '').trim().toLowerCase()
}

/** Classifies a payment's status; `other` if it is in no list. */
export function classifyState(
  state: string | null | undefined,
  rules: LedgerRules,
): 'cancellable' | 'cancelled' | 'final' | 'other' {
  const normalized = normalizeState(state)
  if (rules.cancelled.includes(normalized)) return 'cancelled'
  if (rules.final.includes(normalized)) return 'final'
  return rules.cancellable.includes(normalized) ? 'cancellable' : 'other'
}

export type CancellationRow = typeof cancellations.$inferSelect

/** Points at which tests can stop or kill the process, named after the step just done or about to start. */
export type Step =
  | 'before-intent'
  | 'after-intent'
  | 'after-sending'
  | 'after-reply'
  | 'after-outcome'
  | 'during-read'
  | 'before-resend'
  | 'during-recovery'
  | 'before-part-of-start'

/** Dependencies of one connection's ledger; injected so that a plain Node process can run it. */
export type Ledger = {
  db: Database
  /** Whether no other process can use the store: leases found at startup then belong to a dead process. */
  isAlone: boolean
  connectionId: string
  /** Restricts the ledger to the cancellations of this user, with whose token it calls (UPSTREAM_AUTH=session). */
  ownerId?: string | undefined
  /** The upstream API, bound to the connection. */
  call: (endpoint: Endpoint, call?: UpstreamCall) => Promise<UpstreamReply>
  /** Capabilities of the upstream API's payment list. */
  capabilities: ListCapabilities
  clock: LedgerClock
  rules: LedgerRules
  /** Whether a cancellation that waited may still be sent in the name of whoever asked for it. */
  maySend: (row: CancellationRow) => Promise<boolean>
  /** Null if single cancellations are not limited. */
  velocity: CancelVelocity | null
  memory: LedgerMemory
  /** Records a heartbeat in the store: time during which no process ran does not count as age (see signLife). */
  keepPresence: () => Promise<void>
  /** A no-op outside tests. */
  step: (name: Step) => Promise<void>
  /** Writes to the operator's log; `context` must hold no secret. */
  report: (event: string, context: Record<string, unknown>) => void
}

/** The user who makes a request, by a sign-in or an API token, whose `role` may be less than the user's own. */
export type Actor = {
  userId: string
  email: string
  sessionId: string
  role?: Role | undefined
  apiToken?: ApiTokenReference | undefined
}

/** Who asked for a cancellation, in the activity log. */
export function describeActor({ userId, sessionId, apiToken }: Actor) {
  return { userId, ...(apiToken ? { apiToken: { ...apiToken } } : { sessionId }) }
}

/** How many single cancellations a user may request within `within` ms before the password is required again. */
export type CancelVelocity = { count: number; within: number }
