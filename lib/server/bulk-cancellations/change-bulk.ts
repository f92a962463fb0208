import { setImmediate as letOthersIn } from 'node:timers/promises'
import { and, asc, count, eq, inArray, isNotNull, isNull, notExists, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import type { BulkAction } from '@/lib/domain/cancellations/bulk-cancellation'
import { appendActivities, appendActivity } from '../activity-log/append'
import { isQueuedInBulk } from '../cancellations/leases'
import type { Ledger } from '../cancellations/ledger'
import { states } from '../cancellations/states'
import { noteForMail } from '../mail/notices'
import { AppError } from '../runtime/app-error'
import { bulkRows, bulks } from '../store/bulk-schema'
import { cancellations } from '../store/schema'
import { type BulkRow, findBulk } from './queries'
import * as m from '@/lib/messages/m'

type Change = { actor: string; problem?: string | null }

const TRANSITIONS = {
  pause: { from: ['running'], to: 'paused', word: 'paused' },
  resume: { from: ['paused'], to: 'running', word: 'resumed' },
  stop: { from: ['starting', 'running', 'paused'], to: 'stopped', word: 'stopped' },
} as const satisfies Record<BulkAction, { from: BulkRow['state'][]; to: BulkRow['state']; word: string }>

/** Makes a state transition with its activity-log entry; null if the bulk's state does not allow it. */
async function transition(
  tx: Database,
  { clock }: Ledger,
  bulkId: string,
  { action, actor, problem = null }: Change & { action: BulkAction },
): Promise<BulkRow | null> {
  const { from, to, word } = TRANSITIONS[action]
  const [bulk] = await tx
    .update(bulks)
    .set({
      state: to,
      problem,
      changedAt: clock.wall(),
      ...(action === 'stop' && { confirmed: null, endedAt: clock.wall() }),
    })
    .where(and(eq(bulks.id, bulkId), inArray(bulks.state, [...from])))
    .returning()
  if (!bulk) return null
  await appendActivity(tx, {
    connectionId: bulk.connectionId,
    at: clock.wall(),
    actor,
    action: `bulk.${word}`,
    objectKind: 'bulk',
    objectId: bulk.id,
    details: { ...(problem !== null && { problem }) },
  })
  return bulk
}

/** Rows per transaction: PGlite has one connection, and every other request waits for it. */
const ROWS_PER_TRANSACTION = 200

async function closeBatch({ db, clock }: Ledger, bulk: BulkRow): Promise<number> {
  const { outcomeReason } = cancellations
  return db.transaction(async (tx) => {
    const unsent = tx
      .select({ id: cancellations.id })
      .from(cancellations)
      .where(and(eq(cancellations.bulkId, bulk.id), isQueuedInBulk))
      // A fixed lock order prevents deadlocks between desks that close the same rows.
      .orderBy(asc(cancellations.id))
      .limit(ROWS_PER_TRANSACTION)
      .for('update')
    const closed = await tx
      .update(cancellations)
      .set({
        state: 'not-cancelled',
        // Of a restored backup: it may have been sent since.
        outcomeReason: sql`case when ${outcomeReason} = 'restored' then ${outcomeReason} else 'stopped' end`,
        detail: null,
        stateSince: clock.store.sql(),
        closedAt: clock.store.stamp(),
        dueAt: null,
        leaseHolder: null,
        leaseUntil: null,
      })
      .where(inArray(cancellations.id, unsent))
      .returning({ id: cancellations.id, paymentId: cancellations.paymentId, outcomeReason })
    await appendActivities(
      tx,
      closed.map(({ id, paymentId, outcomeReason: reason }) => ({
        connectionId: bulk.connectionId,
        at: clock.wall(),
        actor: 'desk',
        action: 'cancellation.not-cancelled',
        objectKind: 'payment',
        objectId: paymentId,
        details: { cancellationId: id, bulkId: bulk.id, reason },
      })),
    )
    return closed.length
  })
}

/** Closes the unsent rows of a stopped bulk; requests in flight continue. */
export async function closeUnsentRows(ledger: Ledger, bulk: BulkRow): Promise<void> {
  // PGlite's promises alone never let the event loop turn.
  while ((await closeBatch(ledger, bulk)) > 0) await letOthersIn()
}

/**
 * Pauses, resumes or stops a bulk, effective from the next payment: each is sent only after a check of the bulk's
 * state. `actor` is a user's e-mail, or `desk` with the `problem` that caused the change. No change if the bulk is
 * already in the target state. Throws AppError 'not-found' or 'conflict'.
 */
export async function changeBulk(
  ledger: Ledger,
  bulkId: string,
  change: Change & { action: BulkAction },
): Promise<BulkRow> {
  const changed = await ledger.db.transaction((tx) => transition(tx, ledger, bulkId, change))
  if (changed) {
    if (change.action === 'stop') await closeUnsentRows(ledger, changed)
    return changed
  }
  const bulk = await findBulk(ledger.db, ledger, bulkId)
  if (bulk.state === TRANSITIONS[change.action].to) return bulk
  throw new AppError('conflict', { detail: m.refusals_aBulkCannot({ state: bulk.state, action: change.action }) })
}

/** Stops a bulk that may not go on. With nothing to send there is nothing to stop: it ends by itself. */
async function stopUnsent(ledger: Ledger, bulkId: string, problem: string): Promise<void> {
  const unsent = await ledger.db.$count(cancellations, and(eq(cancellations.bulkId, bulkId), isQueuedInBulk))
  if (unsent > 0) await changeBulk(ledger, bulkId, { action: 'stop', actor: 'desk', problem })
}

/** Does `work` for each bulk. One for which it fails keeps up no other: it is reported, and false is returned. */
export async function forEachBulk<Bulk extends { id: string }>(
  ledger: Ledger,
  each: readonly Bulk[],
  { work, failure }: { work: (bulk: Bulk) => Promise<unknown>; failure: 'bulk-not-stopped' | 'bulk-not-ended' },
): Promise<boolean> {
  let isDone = true
  for (const bulk of each)
    await work(bulk).catch((error: unknown) => {
      ledger.report(failure, { bulkId: bulk.id, error })
      isDone = false
    })
  return isDone
}

/** Stops those that have a problem; false if not all could be stopped. */
export function stopAllUnsent(
  ledger: Ledger,
  running: readonly { bulk: BulkRow; problem: string | null }[],
): Promise<boolean> {
  const due = running.flatMap(({ bulk, problem }) => (problem === null ? [] : [{ id: bulk.id, problem }]))
  return forEachBulk(ledger, due, {
    work: ({ id, problem }) => stopUnsent(ledger, id, problem),
    failure: 'bulk-not-stopped',
  })
}

/**
 * Closes unsent rows of stopped bulks: the process died before it could, or a 429 put a row back into the queue after
 * the stop. No worker handles such rows, and open they would block their payments.
 */
async function closeLeftovers(ledger: Ledger): Promise<boolean> {
  const { db, connectionId } = ledger
  const unsent = db
    .select({ bulkId: cancellations.bulkId })
    .from(cancellations)
    .where(and(eq(cancellations.connectionId, connectionId), isNull(cancellations.closedAt), isQueuedInBulk))
  const stopped = await db
    .select()
    .from(bulks)
    .where(and(eq(bulks.connectionId, connectionId), eq(bulks.state, 'stopped'), inArray(bulks.id, unsent)))
  return forEachBulk(ledger, stopped, { work: (bulk) => closeUnsentRows(ledger, bulk), failure: 'bulk-not-ended' })
}

const isUnfinished = inArray(bulks.state, ['running', 'paused'])

async function finishBulk({ db, connectionId, clock }: Ledger, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [bulk] = await tx
      .update(bulks)
      .set({ state: 'finished', problem: null, changedAt: clock.wall(), endedAt: clock.wall() })
      .where(and(eq(bulks.id, id), isUnfinished))
      .returning()
    if (!bulk) return
    await noteForMail(tx, { key: `bulk-done ${id}`, connectionId, kind: 'bulk-done', subject: id })
    const counted = await tx
      .select({ state: cancellations.state, total: count() })
      .from(cancellations)
      .where(eq(cancellations.bulkId, id))
      .groupBy(cancellations.state)
    await appendActivity(tx, {
      connectionId,
      at: clock.wall(),
      actor: 'desk',
      action: 'bulk.finished',
      objectKind: 'bulk',
      objectId: id,
      details: {
        count: bulk.count,
        left: await tx.$count(bulkRows, and(eq(bulkRows.bulkId, id), isNotNull(bulkRows.leftTo))),
        ...Object.fromEntries(counted.map(({ state, total }) => [states[state].outcome, total])),
      },
    })
  })
}

/**
 * Finishes bulks whose rows have all ended, paused ones too, and closes what stopped bulks left unsent; false if that
 * failed for one.
 */
export async function finishBulks(ledger: Ledger): Promise<boolean> {
  const { db, connectionId } = ledger
  const areClosed = await closeLeftovers(ledger)
  const open = db
    .select({ id: cancellations.id })
    .from(cancellations)
    .where(and(eq(cancellations.bulkId, bulks.id), isNull(cancellations.closedAt)))
  const isFinished = and(eq(bulks.connectionId, connectionId), isUnfinished, notExists(open))
  const done = await db.select({ id: bulks.id }).from(bulks).where(isFinished)
  const areFinished = await forEachBulk(ledger, done, {
    work: ({ id }) => finishBulk(ledger, id),
    failure: 'bulk-not-ended',
  })
  return areClosed && areFinished
}
