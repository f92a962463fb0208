import { and, eq, exists, inArray, isNull, notInArray, or, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { appendActivities, appendActivity } from '../activity-log/append'
import { describeChange } from '../cancellations/change-state'
import { isNotQueuedInBulk, isQueuedInBulk, unsentStates } from '../cancellations/leases'
import { bulks } from '../store/bulk-schema'
import { customerImportRows, customerImports, type KnownBefore } from '../store/import-schema'
import { cancellations } from '../store/schema'

/** A bulk cancellation that was at work when the backup was made; `state` is from then. */
export type HaltedBulk = Pick<typeof bulks.$inferSelect, 'id' | 'connectionId' | 'userEmail' | 'count'> & {
  state: 'running' | 'starting'
}

/** An import of customers with lines whose outcome was open when the backup was made. */
export type HeldImport = Pick<typeof customerImports.$inferSelect, 'id' | 'connectionId' | 'fileName' | 'startedBy'> & {
  lines: number
}

/** What was at work when a backup was made. `cancellations`: how many were open, but for those queued in a bulk. */
export type HeldWork = { bulks: HaltedBulk[]; imports: HeldImport[]; cancellations: number }

/**
 * Pauses bulk cancellations: somebody may have stopped them since the backup. One that was starting can't be paused: it is
 * stopped. What they had not sent may have been sent since, and says so while it waits and once it is closed unsent.
 */
async function haltBulks(tx: Database): Promise<HaltedBulk[]> {
  const { id, connectionId, userEmail, count } = bulks
  const found = { id, connectionId, userEmail, count }
  const atWork = tx
    .select({ id })
    .from(bulks)
    .where(inArray(bulks.state, ['starting', 'running', 'paused']))
  await tx
    .update(cancellations)
    .set({
      outcomeReason: 'restored',
      detail: null,
      evidence: sql`${cancellations.evidence} || '{"restored": true}'`,
    })
    .where(and(isNull(cancellations.closedAt), isQueuedInBulk, inArray(cancellations.bulkId, atWork)))
  const at = { changedAt: new Date(), problem: 'restored' }
  await tx.update(bulks).set({ problem: at.problem }).where(eq(bulks.state, 'paused'))
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
 * are only read. One that was not sent may have been sent since. Rows queued in a bulk are held with it.
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

/**
 * Holds imports: lines that waited may have been sent since the backup, so they are in doubt, and looked for before any is sent
 * (imports/reconcile-lines.ts). What people decided about lines in doubt since is unknown as well: those are looked for anew.
 * A customer that is newer than the backup may be a line's.
 */
async function holdImports(tx: Database, backupOf: string): Promise<HeldImport[]> {
  const { state, sentAt, settledBy, failure, knownBefore, importId } = customerImportRows
  const isUnsent = sql`${state} = 'waiting' and ${sentAt} is null and ${settledBy} is null`
  const before: KnownBefore = { ids: [], newest: backupOf, whole: false }
  await tx
    .update(customerImportRows)
    .set({
      state: 'unknown',
      failure: sql`case when ${isUnsent} then 'restored' else ${failure} end`,
      knownBefore: sql`case when ${isUnsent} then ${JSON.stringify(before)}::jsonb else ${knownBefore} end`,
      looks: 0,
      misses: 0,
      lookedAt: null,
      heldAt: null,
      heldFor: null,
      candidates: null,
      settledBy: null,
    })
    .where(inArray(state, ['waiting', 'unknown']))
  const isOpen = and(eq(importId, customerImports.id), eq(state, 'unknown'))
  const held = await tx
    .update(customerImports)
    .set({ state: 'held', problem: 'restored', waitUntil: null, holder: null, leaseUntil: null, changedAt: sql`now()` })
    .where(
      or(eq(customerImports.state, 'running'), exists(tx.select({ importId }).from(customerImportRows).where(isOpen))),
    )
    .returning()
  const imports: HeldImport[] = []
  for (const { id, connectionId, fileName, startedBy } of held) {
    const lines = await tx.$count(customerImportRows, and(eq(importId, id), eq(state, 'unknown')))
    imports.push({ id, connectionId, fileName, startedBy, lines })
    await appendActivity(tx, {
      connectionId,
      actor: 'command line',
      action: 'import.hold',
      objectKind: 'import',
      objectId: id,
      details: { fileName, problem: 'restored' },
    })
  }
  return imports
}

/** After a restore: nothing that was at work sends anything by itself. `backupOf`: when the backup was begun. Call in a transaction. */
export async function holdOpenWork(tx: Database, backupOf: string): Promise<HeldWork> {
  return {
    bulks: await haltBulks(tx),
    imports: await holdImports(tx, backupOf),
    cancellations: await holdCancellations(tx),
  }
}
