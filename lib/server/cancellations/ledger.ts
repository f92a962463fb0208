import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Endpoint } from '@/lib/api-contract/endpoint'
import { readMonotonic } from '@/lib/database/clock'
import type { Database, StoreClock } from '@/lib/database/database'
import { createStepUpError } from '../auth/step-up'
import { cancellations, sessions, users } from '../store/schema'
import type { UpstreamCall, UpstreamReply } from '../upstream/call-upstream'
import type { ListCapabilities } from '../upstream/capability-store'
import type { ConnectionRules } from '../upstream/connection'
import type { LedgerMemory } from './ledger-memory'
import * as refusals from '@/lib/words/refusals'

/**
 * The times that the ledger works with. `now` only ever goes forward while the process lives: pacing and deadlines that
 * never leave the process are measured by it. `wall` is what people are told, `host` what the
 * machine's own clock says, which may jump. Whatever is stored of leases, due times and
 * ages is the store's.
 */
export type LedgerClock = { now: () => Date; wall: () => Date; host: () => Date; store: StoreClock }

export function makeLedgerClock(store: StoreClock): LedgerClock {
  return { now: () => new Date(readMonotonic()), wall: store.wall, host: () => new Date(), store }
}

/** The moment so many milliseconds after another. */
export function after(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds)
}

/** Milliseconds from one moment to another; endless when the first never was. */
export function elapsed(from: Date | null, to: Date): number {
  return from === null ? Number.POSITIVE_INFINITY : to.getTime() - from.getTime()
}

/**
 * Milliseconds since now, by whichever clock has gone further: where a virtual machine was paused, the host's may have
 * been set right since.
 */
export function startStopwatch({ now, host }: Pick<LedgerClock, 'now' | 'host'>): () => number {
  const began = { now: now(), host: host() }
  return () => Math.max(elapsed(began.now, now()), elapsed(began.host, host()))
}

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
export function normalizeState(state: string | null | undefined): string {
  return (state ?? '').trim().toLowerCase()
}

/** What a payment's state means under the rules; a state in none of the lists is `other`. */
export function classifyState(
  state: string | null | undefined,
  rules: LedgerRules,
): 'cancellable' | 'cancelled' | 'final' | 'other' {
  const folded = normalizeState(state)
  if (rules.cancelled.includes(folded)) return 'cancelled'
  if (rules.final.includes(folded)) return 'final'
  return rules.cancellable.includes(folded) ? 'cancellable' : 'other'
}

/** One cancellation as the store keeps it. */
export type CancellationRow = typeof cancellations.$inferSelect

/** Between which steps a process can die; each is named after what has just been done, or is about to be. */
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

/** Everything that the ledger of one connection works with; handed in, so that a plain Node process can run it. */
export type Ledger = {
  db: Database
  /** Whether no other process can work on the store: a lease found at the start is then a dead one's. */
  isAlone: boolean
  connectionId: string
  /** Works on this user's alone, whose access token the service is asked with (UPSTREAM_AUTH=session). */
  ownerId?: string | undefined
  /** The upstream, bound to the connection. */
  call: (endpoint: Endpoint, call?: UpstreamCall) => Promise<UpstreamReply>
  /** What the service's list of payments can do. */
  capabilities: ListCapabilities
  clock: LedgerClock
  rules: LedgerRules
  /** Null where a person may cancel single payments at any pace. */
  velocity: CancelVelocity | null
  memory: LedgerMemory
  /** Leaves a sign of life in the store, so that time in which no desk ran is not held against anybody (see signLife). */
  keepPresence: () => Promise<void>
  /** Does nothing, save in tests, which stop or kill the process here. */
  step: (name: Step) => Promise<void>
  /** For the operator's log: what happened, with facts that hold no secret. */
  report: (event: string, facts: Record<string, unknown>) => void
}

/** Who asks. */
export type Actor = { userId: string; email: string; sessionId: string }

/** How many single cancellations one person may ask for within how many milliseconds before the password is asked for. */
export type CancelVelocity = { count: number; within: number }

/**
 * Makes the single cancellations of one person wait for each other until their transactions end: many at once must not
 * all count the same rows.
 */
export async function lockSingles(tx: Database, { velocity }: Ledger, { userId }: Actor): Promise<void> {
  if (velocity)
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`single cancellations ${userId}`}, 0))`)
}

/**
 * Counts a person's single cancellations at all merchants, the one just written included: those within the limit's time
 * and since this session last proved who it is. A bulk asks for its own proof. Within `lockSingles`; throws Failure
 * 'step-up'.
 */
export async function assertVelocity(tx: Database, { velocity, clock }: Ledger, actor: Actor): Promise<void> {
  if (!velocity) return
  const [session] = await tx
    .select({ provenAt: sessions.provenAt, passwordHash: users.passwordHash })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, actor.sessionId), eq(sessions.userId, actor.userId)))
  const since = sql`greatest(${clock.store.sql(-velocity.within)}, ${session?.provenAt.toISOString() ?? null}::timestamptz)`
  const made = await tx.$count(
    cancellations,
    and(
      eq(cancellations.userId, actor.userId),
      isNull(cancellations.bulkId),
      sql`${cancellations.createdAt} > ${since}`,
    ),
  )
  if (made > velocity.count)
    throw createStepUpError(
      session,
      refusals.manyCancellations(velocity.count, Math.max(1, Math.round(velocity.within / 60_000))),
    )
}
