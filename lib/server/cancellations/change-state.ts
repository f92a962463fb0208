import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { and, eq, type SQL } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { type ActivityEntry, appendActivities } from '../activity-log/append'
import type { Json } from '../activity-log/canonical-json'
import { getInstruments, timeStore } from '../metrics/instruments'
import { noteForMail } from '../mail/notices'
import { toInternalError } from '../runtime/app-error'
import { getRequestContext } from '../runtime/request-context'
import { isSameTime } from '../store/leases'
import { cancellations } from '../store/schema'
import type { CancellationRow, Ledger } from './ledger'
import { type CancellationState, canTransition, isClosed } from './states'

/** One row's change. `make` returns null if the row no longer qualifies; `describe` makes its activity-log entry. */
type BatchedChange = {
  make: (tx: Database) => Promise<CancellationRow | null>
  describe: (changed: CancellationRow) => ActivityEntry
}

type QueuedChange = BatchedChange & { resolve: (row: CancellationRow | null) => void; reject: (error: unknown) => void }

const MAX_BATCH_SIZE = 50
/** SQLSTATE classes for errors of a single statement after which the transaction was rolled back. */
const STATEMENT_ERROR_CLASSES = ['22', '23', '40', 'P0']

function isStatementError(error: unknown): boolean {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1)
    if ('code' in one && typeof one.code === 'string' && /^[0-9A-Z]{5}$/u.test(one.code))
      return STATEMENT_ERROR_CLASSES.includes(one.code.slice(0, 2))
  return false
}

/** After this long (ms) a commit no longer blocks the next one: its connection may be dead. */
const SLOW_COMMIT_MS = 1_000
/** Each concurrent commit occupies a pool connection. */
const MAX_CONCURRENT_COMMITS = 4

/**
 * Groups ledger changes into shared transactions: changes that arrive during a commit go into the next one. Each caller
 * is answered after its change is committed, as with a transaction of its own. All changes contend for the activity
 * log's lock and the disk flush; sharing pays for both once.
 */
class Committer {
  readonly #queue: QueuedChange[] = []
  #isDraining = false
  #commitsRunning = 0
  #onSlotFree: () => void = () => undefined

  constructor(readonly db: Database) {}

  commit(change: BatchedChange): Promise<CancellationRow | null> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ ...change, resolve, reject })
      if (!this.#isDraining) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#isDraining = true
    while (this.#queue.length > 0) {
      // Lets concurrent changes join this batch: PGlite runs in this thread and never yields by itself.
      await setImmediate()
      if (this.#commitsRunning >= MAX_CONCURRENT_COMMITS)
        await new Promise<void>((resolve) => (this.#onSlotFree = resolve))
      await this.#startBatch(this.#queue.splice(0, MAX_BATCH_SIZE))
    }
    this.#isDraining = false
  }

  /** Resolves when the batch is committed, or after SLOW_COMMIT_MS so that the next batch can start. */
  async #startBatch(batch: readonly QueuedChange[]): Promise<void> {
    const finished = new AbortController()
    this.#commitsRunning += 1
    const committed = this.#commit(batch).finally(() => {
      this.#commitsRunning -= 1
      finished.abort()
      this.#onSlotFree()
    })
    await Promise.race([committed, wait(SLOW_COMMIT_MS, undefined, { signal: finished.signal }).catch(() => undefined)])
  }

  async #commit(batch: readonly QueuedChange[]): Promise<void> {
    try {
      const work = () => this.db.transaction((tx) => this.#applyChanges(tx, batch))
      const rows = await timeStore('ledger-commit', work)
      for (const [index, { resolve }] of batch.entries()) resolve(rows[index] ?? null)
    } catch (error) {
      // One failing change must not fail its batch. After a lost connection nobody knows whether the commit succeeded.
      if (batch.length > 1 && isStatementError(error)) for (const one of batch) await this.#commit([one])
      else for (const { reject } of batch) reject(error)
    }
  }

  async #applyChanges(tx: Database, batch: readonly QueuedChange[]): Promise<(CancellationRow | null)[]> {
    const rows: (CancellationRow | null)[] = []
    const entries: ActivityEntry[] = []
    for (const { make, describe } of batch) {
      const changed = await make(tx)
      rows.push(changed)
      if (changed) entries.push(describe(changed))
    }
    if (entries.length > 0) await appendActivities(tx, entries)
    return rows
  }
}

const committers = new WeakMap<Database, Committer>()

/** Makes one change and its activity-log entry in a transaction that it may share with other changes. */
export function commitTogether(db: Database, change: BatchedChange): Promise<CancellationRow | null> {
  const committer = committers.get(db) ?? new Committer(db)
  committers.set(db, committer)
  return committer.commit(change)
}

/** Columns that change with the state. The lease, reason and detail are cleared unless given. */
export type Change = Partial<
  Pick<
    CancellationRow,
    'seen' | 'outcomeReason' | 'detail' | 'evidence' | 'attempts' | 'lastRead' | 'agreeingReads' | 'leaseHolder'
  > & { [Time in 'lastFoundAt' | 'sentAt' | 'undecidedSince' | 'dueAt' | 'leaseUntil']: SQL<Date> | Date | null }
>

type Details = { readonly [name: string]: Json | undefined }

function noteNeedsPerson(tx: Database, { id, connectionId, paymentId }: CancellationRow): Promise<void> {
  return noteForMail(tx, { key: `needs-person ${id}`, connectionId, kind: 'needs-person', subject: paymentId })
}

/**
 * Moves a cancellation along one transition of `states` and appends the activity-log entry in the same transaction.
 * Returns the new row, or null if the row's state or attempts changed meanwhile or it does not meet `condition`; then
 * nothing was changed.
 */
export async function changeState(
  ledger: Ledger,
  row: CancellationRow,
  state: CancellationState,
  change: Change,
  condition?: SQL,
): Promise<CancellationRow | null> {
  if (!canTransition(row.state, state))
    throw toInternalError(new Error(`a cancellation cannot go from ${row.state} to ${state}`))
  const { store } = ledger.clock
  const closing = isClosed(state) ? { closedAt: store.stamp(), dueAt: null } : {}
  const requestContext = getRequestContext()
  const changed = await commitTogether(ledger.db, {
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
            // A row that was queued again and resent is a different request.
            isSameTime(cancellations.sentAt, row.sentAt),
            condition,
          ),
        )
        .returning()
      if (changed && state === 'needs-person') await noteNeedsPerson(tx, changed)
      return changed ?? null
    },
    describe: (changed) => ({
      connectionId: row.connectionId,
      at: ledger.clock.wall(),
      actor: 'desk',
      action: `cancellation.${state}`,
      objectKind: 'payment',
      objectId: row.paymentId,
      context: requestContext,
      details: describeChange(changed),
    }),
  })
  if (changed) getInstruments().transitions.inc({ state })
  return changed
}

/** The fields of a cancellation that its activity-log entries record. */
export function describeChange(row: CancellationRow): Details {
  return {
    cancellationId: row.id,
    ...(row.bulkId && { bulkId: row.bulkId }),
    attempts: row.attempts,
    ...(row.outcomeReason && { reason: row.outcomeReason }),
    ...(row.detail !== null && { detail: row.detail }),
    evidence: { ...row.evidence },
  }
}
