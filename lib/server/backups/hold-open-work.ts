import { and, eq, inArray, isNull, notInArray, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { appendActivities, appendActivity } from '../activity-log/append'
import { describeChange } from '../cancellations/change-state'
import { isNotQueuedInBulk, unsentStates } from '../cancellations/leases'
import { bulks } from '../store/bulk-schema'
import { cancellations } from '../store/schema'

/** A bulk cancellation that was at work when the backup was made; `state` is from then. */
export type HaltedBulk = Pick<typeof bulks.$inferSelect, 'id' | 'connectionId' | 'userEmail' | 'count'> & {
  state: 'running' | 'starting'
}

/** What was at work when a backup was made. `cancellations`: how many were open, but for those queued in a bulk. */
export type HeldWork = { bulks: HaltedBulk[]; cancellations: number }

/**
 * Pauses bulk cancellations: somebody may have stopped them since the backup. One that was starting has sent nothing, and
 * can't be paused: it is stopped.
 */
async function haltBulks(tx: Database): Promise<HaltedBulk[]> {
  const { id, connectionId, userEmail, count } = bulks
  const found = { id, connectionId, userEmail, count }
  const at = { changedAt: new Date() }
  const stop = { ...at, state: 'stopped', confirmed: null, endedAt: new Date() } as const
  const paused = await tx
    .update(bulks)
    .set({ ...at, state: 'paused' })
    .where(eq(bulks.state, 'running'))
    .returning(found)
  const stopped = await tx.update(bulks).set(stop).where(eq(bulks.state, 'starting')).returning(found)
  const halted = [
    ...paused.map((bulk) => ({ ...bulk, state: 'running' as const })),
    ...stopped.map((bulk) => ({ ...bulk, state: 'starting' as const })),
  ]
  for (const { id, connectionId, state } of halted)
    await appendActivity(tx, {
      connectionId,
      actor: 'command line',
      action: state === 'running' ? 'bulk.paused' : 'bulk.stopped',
      objectKind: 'bulk',
      objectId: id,
      details: { problem: 'restored' },
    })
  return halted
}

/**
 * What became of open cancellations since the backup is unknown, and so is what people decided about them: from now on they
 * are only read. One that was not sent may have been sent since. Rows queued in a bulk wait for whoever resumes it.
 */
async function holdCancellations(tx: Database): Promise<number> {
  const { evidence } = cancellations
  const isOpen = and(isNull(cancellations.closedAt), isNotQueuedInBulk)
  const sent = await tx
    .update(cancellations)
    .set({ evidence: sql`${evidence} || '{"restored": true}'` })
    .where(and(isOpen, notInArray(cancellations.state, unsentStates)))
    .returning({ id: cancellations.id })
  const now = sql`now()`
  const unsent = await tx
    .update(cancellations)
    .set({
      state: 'unknown',
      stateSince: now,
      undecidedSince: now,
      outcomeReason: null,
      detail: null,
      evidence: sql`${evidence} - 'reply' || '{"restored": true, "failure": "restored"}'`,
      dueAt: now,
      leaseHolder: null,
      leaseUntil: null,
    })
    .where(and(isOpen, inArray(cancellations.state, unsentStates)))
    .returning()
  await appendActivities(
    tx,
    unsent.map((row) => ({
      connectionId: row.connectionId,
      actor: 'command line',
      action: 'cancellation.unknown',
      objectKind: 'payment',
      objectId: row.paymentId,
      details: describeChange(row),
    })),
  )
  return sent.length + unsent.length
}

/** After a restore: nothing that was at work sends anything by itself. Call in a transaction. */
export async function holdOpenWork(tx: Database): Promise<HeldWork> {
  return { bulks: await haltBulks(tx), cancellations: await holdCancellations(tx) }
}
