import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { and, eq, type SQL } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { type ActivityEntry, appendActivities } from '../activity-log/append'
import type { Json } from '../activity-log/hash-chain'
import { getRequestContext } from '../runtime/request-context'
import { isSameTime } from '../store/leases'
import { cancellations } from '../store/schema'
import type { CancellationRow, Ledger } from './ledger'
import { type CancellationState, canTransition, isClosed } from './states'

/** One change of the ledger: the statement that makes it, null where it was not to be made, and what the log says of it. */
type BatchedChange = {
  make: (tx: Database) => Promise<CancellationRow | null>
  describe: (changed: CancellationRow) => ActivityEntry
}

type Waiting = BatchedChange & { resolve: (row: CancellationRow | null) => void; reject: (error: unknown) => void }

const most = 50
/** Classes of SQLSTATE that say that one statement was at fault and everything was undone. */
const ownFaults = ['22', '23', '40', 'P0']

function isOneAtFault(error: unknown): boolean {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1)
    if ('code' in one && typeof one.code === 'string' && /^[0-9A-Z]{5}$/u.test(one.code))
      return ownFaults.includes(one.code.slice(0, 2))
  return false
}

/** A commit that takes longer, in milliseconds, holds up the next one no more: its connection may be dead. */
const slow = 1_000
/** So many commits are under way at most: each has a connection of the pool. */
const mostAtOnce = 4

/**
 * Commits changes of the ledger: those that come while a transaction is under way share the next one. Each is
 * answered once it is committed, as if it had had a transaction of its own; the log and the disk, for which all of
 * them would wait for each other anyway, are waited for once.
 */
class Committer {
  readonly #waiting: Waiting[] = []
  #isBusy = false
  #underWay = 0
  #free: () => void = () => undefined

  constructor(readonly db: Database) {}

  commit(change: BatchedChange): Promise<CancellationRow | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...change, resolve, reject })
      if (!this.#isBusy) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#isBusy = true
    while (this.#waiting.length > 0) {
      // What has come in meanwhile joins: PGlite, which works in this thread, lets nothing in by itself.
      await setImmediate()
      if (this.#underWay >= mostAtOnce) await new Promise<void>((resolve) => (this.#free = resolve))
      await this.#begin(this.#waiting.splice(0, most))
    }
    this.#isBusy = false
  }

  /** Done once these are committed, or take so long that the next ones go ahead. */
  async #begin(part: readonly Waiting[]): Promise<void> {
    const over = new AbortController()
    this.#underWay += 1
    const committed = this.#commit(part).finally(() => {
      this.#underWay -= 1
      over.abort()
      this.#free()
    })
    await Promise.race([committed, wait(slow, undefined, { signal: over.signal }).catch(() => undefined)])
  }

  async #commit(part: readonly Waiting[]): Promise<void> {
    try {
      const rows = await this.db.transaction((tx) => this.#make(tx, part))
      for (const [index, { resolve }] of part.entries()) resolve(rows[index] ?? null)
    } catch (error) {
      // One that cannot be made must not keep the others; whether a broken connection did anything nobody knows.
      if (part.length > 1 && isOneAtFault(error)) for (const one of part) await this.#commit([one])
      else for (const { reject } of part) reject(error)
    }
  }

  async #make(tx: Database, part: readonly Waiting[]): Promise<(CancellationRow | null)[]> {
    const rows: (CancellationRow | null)[] = []
    const entries: ActivityEntry[] = []
    for (const { make, describe } of part) {
      const changed = await make(tx)
      rows.push(changed)
      if (changed) entries.push(describe(changed))
    }
    if (entries.length > 0) await appendActivities(tx, entries)
    return rows
  }
}

const committers = new WeakMap<Database, Committer>()

/** Makes one change in a transaction that it may share with others, with its row of the log. Throws what the store throws. */
export function commitTogether(db: Database, change: BatchedChange): Promise<CancellationRow | null> {
  const committer = committers.get(db) ?? new Committer(db)
  committers.set(db, committer)
  return committer.commit(change)
}

/** What changes with the state. Unless it says so, the lease is given back and reason and detail are forgotten. */
export type Change = Partial<
  Pick<
    CancellationRow,
    'seen' | 'outcomeReason' | 'detail' | 'evidence' | 'attempts' | 'lastRead' | 'agreeingReads' | 'leaseHolder'
  > & { [Time in 'lastFoundAt' | 'sentAt' | 'undecidedSince' | 'dueAt' | 'leaseUntil']: SQL<Date> | Date | null }
>

type Facts = { readonly [name: string]: Json | undefined }

/**
 * Moves a cancellation along one arrow of `states` and writes the row of the activity log, in one
 * transaction. Answers the row as it is now, or null when it is no longer as the caller knew it (state
 * and attempts) or does not meet the condition: somebody was quicker and nothing was changed. Throws what the store throws.
 */
export async function changeState(
  ledger: Ledger,
  row: CancellationRow,
  state: CancellationState,
  change: Change,
  condition?: SQL,
): Promise<CancellationRow | null> {
  if (!canTransition(row.state, state)) throw new Error(`a cancellation cannot go from ${row.state} to ${state}`)
  const { store } = ledger.clock
  const closing = isClosed(state) ? { closedAt: store.stamp(), dueAt: null } : {}
  const facts = getRequestContext()
  return commitTogether(ledger.db, {
    make: async (tx) => {
      const [changed] = await tx
        .update(cancellations)
        .set({
          leaseHolder: null,
          leaseUntil: null,
          outcomeReason: null,
          detail: null,
          ...change,
          state,
          stateSince: store.sql(),
          ...closing,
        })
        .where(
          and(
            eq(cancellations.id, row.id),
            eq(cancellations.state, row.state),
            eq(cancellations.attempts, row.attempts),
            // One that came back into line and was sent anew is another request.
            isSameTime(cancellations.sentAt, row.sentAt),
            condition,
          ),
        )
        .returning()
      return changed ?? null
    },
    describe: (changed) => ({
      connectionId: row.connectionId,
      at: ledger.clock.wall(),
      actor: 'desk',
      action: `cancellation.${state}`,
      objectKind: 'payment',
      objectId: row.paymentId,
      facts,
      details: describeChange(changed),
    }),
  })
}

/** The facts of a cancellation that go into its rows of the activity log. */
export function describeChange(row: CancellationRow): Facts {
  return {
    cancellationId: row.id,
    ...(row.bulkId && { bulkId: row.bulkId }),
    attempts: row.attempts,
    ...(row.outcomeReason && { reason: row.outcomeReason }),
    ...(row.detail !== null && { detail: row.detail }),
    evidence: { ...row.evidence },
  }
}
