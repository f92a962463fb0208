import { setImmediate as letOthersIn } from 'node:timers/promises'
import { and, asc, eq, gt, inArray, isNull, ne, sql, type SQL } from 'drizzle-orm'
import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import { isPast } from '../store/leases'
import { cancellations } from '../store/schema'
import { changeState } from './change-state'
import { closeOverdue, closeStale, closeUnsent, isStale, lookBeforeReview } from './deadlines'
import { closeByGuard, evaluateGuard } from './guard'
import { findDue, isNotQueuedInBulk, leaseDue, postpone, runIsolated } from './leases'
import type { CancellationRow, Ledger } from './ledger'
import { MAX_HELD_PAUSE_MS, measureHold } from './payment-pages'
import { pollByFilter, pollByList } from './poll'
import { canFilterByIds, MAX_IDS_PER_FILTER, readPayment } from './read-payment'
import { sendCancellation } from './send'
import { measureRemaining } from './send-outcome'
import { type CancellationState, pollingStates } from './states'

const MAX_INTERRUPTED = 500
const MAX_CONCURRENT_RESUMES = 4
/** If reading what is due takes more requests than this, one shared list poll is cheaper. */
const MAX_READ_REQUESTS = 20
/** Requests that may wait for a slot at a time. */
const MAX_QUEUED_READS = 2
/** With more rows in the queue for the list poll, rows are no longer read one by one. */
const MAX_LIST_POLL_QUEUE = 1_000

/** The sender is gone, so the effect of the request is unknown. */
export async function markUnknown(ledger: Ledger, row: CancellationRow): Promise<void> {
  await changeState(ledger, row, 'unknown', {
    dueAt: ledger.clock.store.sql(),
    evidence: { ...row.evidence, reply: undefined, failure: 'interrupted' },
  })
}

async function markInterruptedUnknown(ledger: Ledger): Promise<number> {
  const rows = await leaseDue(ledger, ['sending'], { limit: MAX_INTERRUPTED })
  await Promise.all(rows.map((row) => runIsolated(ledger, row, () => markUnknown(ledger, row))))
  return rows.length
}

/** Postpones an intent whose payment cannot be read, or tells that a 429 asked to wait for longer than it may stay open. */
async function putOff(ledger: Ledger, row: CancellationRow, hold: number): Promise<void> {
  const { pollIntervalMs } = ledger.rules
  if (hold > 0 && hold + pollIntervalMs > measureRemaining(ledger, row))
    await changeState(ledger, row, 'not-cancelled', { outcomeReason: 'asked-to-wait' })
  else await postpone(ledger, row, Math.max(Math.min(hold, MAX_HELD_PAUSE_MS), pollIntervalMs))
}

/**
 * Sends an interrupted or waiting intent, provided the guard still passes: the payment must be as the user saw it.
 * Puts it off while the payment cannot be read or a 429 asks to wait; closes it as not sent once it is stale, or who asked for it may
 * not cancel any more.
 */
async function resumeIntent(ledger: Ledger, row: CancellationRow): Promise<void> {
  if (isStale(ledger, row) || !(await ledger.maySend(row))) return closeUnsent(ledger, row)
  // Before the read: what may be sent unread would wait for ever for the 429s to its own reads.
  const hold = measureHold(ledger)
  if (hold > 0) return putOff(ledger, row, hold)
  const verdict = evaluateGuard(row, await readPayment(ledger, row.paymentId), ledger.rules)
  if (verdict.kind === 'unreadable') return putOff(ledger, row, measureHold(ledger, verdict.why))
  if (verdict.kind === 'pass') await sendCancellation(ledger, row, verdict.payment)
  else await closeByGuard(ledger, row, verdict)
}

/** Resumes interrupted and waiting intents; those of a bulk belong to its worker. */
async function resumeUnsent(ledger: Ledger): Promise<Promise<unknown>[]> {
  const { memory } = ledger
  const rows = await leaseDue(ledger, ['intended', 'waiting'], { limit: memory.resumes.room(MAX_CONCURRENT_RESUMES) })
  memory.resumes.begin(rows.length)
  return rows.map(async (row) => {
    await runIsolated(ledger, row, () => resumeIntent(ledger, row))
    memory.resumes.end()
  })
}

function countPerRead(proofs: CapabilityProofs): number {
  return canFilterByIds(proofs, MAX_IDS_PER_FILTER) ? MAX_IDS_PER_FILTER : 1
}

/** Payments to read per pass: one until the filter by id is proven, none if it is known to fail. */
function countAtOnce(proofs: CapabilityProofs): number {
  if (!canFilterByIds(proofs, 1)) return 0
  if (proofs['eq:id'] === undefined) return 1
  const perRead = countPerRead(proofs)
  return perRead > 1 ? MAX_QUEUED_READS * perRead : MAX_READ_REQUESTS
}

function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  )
}

async function startReads(ledger: Ledger, proofs: CapabilityProofs): Promise<Promise<unknown>[]> {
  const { memory } = ledger
  const canRead =
    memory.listPollQueue.size <= MAX_LIST_POLL_QUEUE &&
    memory.hasSlotBy(ledger.clock.now().getTime() + ledger.rules.pollIntervalMs)
  const rows = canRead
    ? await leaseDue(ledger, pollingStates, {
        limit: memory.reads.room(countAtOnce(proofs)),
        except: [...memory.listPollQueue],
      })
    : []
  return chunk(rows, countPerRead(proofs)).map((part) => pollByFilter(ledger, part))
}

/** Whether the queue or the number of due rows calls for a list poll. */
async function needsListPoll(ledger: Ledger, proofs: CapabilityProofs): Promise<boolean> {
  if (ledger.memory.listPollQueue.size > 0) return true
  if (proofs['eq:id'] === undefined) return false
  const limit = canFilterByIds(proofs, 1) ? MAX_READ_REQUESTS * countPerRead(proofs) : 0
  return (await findDue(ledger, pollingStates, limit + 1)).length > limit
}

/**
 * The part of a pass that needs neither the upstream API nor a signed-in user: marks interrupted requests unknown,
 * closes stale intents, flags overdue cancellations for manual review. Returns how many.
 */
export async function closeUnattended(ledger: Ledger): Promise<number> {
  return (await markInterruptedUnknown(ledger)) + (await closeStale(ledger)) + (await closeOverdue(ledger))
}

/** `due`: how many rows were handled. `work`: reads and sends still running, which never reject. */
export type Pass = { due: number; work: Promise<unknown> }

/**
 * Step 6 of a cancellation (docs/architecture.md): one pass over everything due. Starts reads and sends without waiting
 * for them, so that a long list poll or a slow upstream API delays nothing else.
 */
export async function runPass(ledger: Ledger): Promise<Pass> {
  await ledger.clock.store.refresh()
  const ended = await closeUnattended(ledger)
  const resumed = await resumeUnsent(ledger)
  const proofs = await ledger.capabilities.read()
  const read = await startReads(ledger, proofs)
  const listPoll = (await needsListPoll(ledger, proofs)) ? pollByList(ledger) : null
  const looked = lookBeforeReview(ledger).catch((error: unknown) => ledger.report('reconciliation-failed', { error }))
  const work = [...resumed, ...read, ...(listPoll ? [listPoll] : [])]
  return { due: ended + work.length, work: Promise.all([...work, looked]) }
}

/** Open cancellations that no living process works on; all of them if no other process can exist. */
function isOrphan({ connectionId, ownerId, clock, isAlone }: Ledger): SQL | undefined {
  return and(
    eq(cancellations.connectionId, connectionId),
    ownerId === undefined ? undefined : eq(cancellations.userId, ownerId),
    isNull(cancellations.closedAt),
    isNotQueuedInBulk,
    isAlone ? undefined : isPast(cancellations.leaseUntil, clock.store.sql),
  )
}

/** Rows per statement: PGlite runs each in this thread and blocks everything else meanwhile. */
const ROWS_PER_STATEMENT = 250

/** Yields orphans in these states in batches, and yields to other work before each. */
async function* findOrphans(
  ledger: Ledger,
  states: readonly CancellationState[],
): AsyncGenerator<CancellationRow[], void, void> {
  for (let last: CancellationRow | undefined; ; ) {
    await letOthersIn()
    const rows: CancellationRow[] = await ledger.db
      .select()
      .from(cancellations)
      .where(
        and(
          isOrphan(ledger),
          inArray(cancellations.state, [...states]),
          last ? gt(cancellations.id, last.id) : undefined,
        ),
      )
      .orderBy(asc(cancellations.id))
      .limit(ROWS_PER_STATEMENT)
    if (rows.length > 0) yield rows
    if (rows.length < ROWS_PER_STATEMENT) return
    last = rows.at(-1)
  }
}

async function closeOrphans(ledger: Ledger): Promise<void> {
  for await (const rows of findOrphans(ledger, ['sending', 'intended'])) {
    // The rows share transactions.
    await Promise.all(
      rows.map(async (row) => {
        await ledger.step('during-recovery')
        if (row.state === 'sending') await markUnknown(ledger, row)
        else if (isStale(ledger, row)) await closeUnsent(ledger, row)
      }),
    )
  }
}

/** Makes the other orphans due and releases their leases; a delay that the upstream API asked for is kept. */
async function makeDue(ledger: Ledger): Promise<void> {
  const dueAt = sql`case when ${cancellations.state} = 'waiting' then ${cancellations.dueAt} else ${ledger.clock.store.sql()} end`
  for await (const rows of findOrphans(ledger, ['intended', 'waiting', ...pollingStates])) {
    const ids = rows.map(({ id }) => id)
    await ledger.db
      .update(cancellations)
      .set({ dueAt, leaseHolder: null, leaseUntil: null })
      .where(and(isOrphan(ledger), ne(cancellations.state, 'sending'), inArray(cancellations.id, ids)))
  }
}

/**
 * Step 7 of a cancellation (docs/architecture.md): handles what an earlier process left behind, before anything is
 * served. Interrupted requests become unknown and are polled; stale intents are closed as not sent, others are left for
 * the worker, which sends them through the guard. Extends no deadline (see signLife).
 */
export async function recover(ledger: Ledger): Promise<void> {
  await ledger.clock.store.refresh()
  await closeOrphans(ledger)
  await makeDue(ledger)
}

/** Resolves when all started work has ended. */
export type Worker = { stop: () => Promise<void> }

const MAX_PAUSE_MS = 1_000
const PAUSE_AFTER_FAILURE_MS = 2_000

/** Runs recovery, then passes until stopped. Resolves after recovery; only recovery can reject. */
export async function runWorker(ledger: Ledger): Promise<Worker> {
  const { memory } = ledger
  memory.passes.set('ledger', performance.now())
  await recover(ledger)
  memory.start()
  const ongoing = new Set<Promise<void>>()
  const loop = async () => {
    while (!memory.isStopping) {
      const pause = Math.min(ledger.rules.pollIntervalMs, MAX_PAUSE_MS)
      try {
        await ledger.keepPresence()
        const { work } = await runPass(ledger)
        memory.passes.set('ledger', performance.now())
        const ended = work.then(() => void ongoing.delete(ended))
        ongoing.add(ended)
        await memory.nap(pause)
      } catch (error) {
        ledger.report('reconciliation-failed', { error })
        await memory.rest(Math.max(pause, PAUSE_AFTER_FAILURE_MS))
      }
    }
  }
  const running = loop()
  return {
    stop: async () => {
      memory.stop()
      await running
      memory.passes.delete('ledger')
      await Promise.all(ongoing)
    },
  }
}
