import { and, eq, gt, lte, ne } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import type { ApprovalDecision } from '@/lib/domain/cancellations/approval'
import { appendActivity } from '../activity-log/append'
import type { Actor, Ledger } from '../cancellations/ledger'
import { lockConnection } from '../cancellations/intents'
import { AppError } from '../runtime/app-error'
import { bulks } from '../store/bulk-schema'
import { orStoreUnavailable, resolveCommit } from '../store/store'
import { forEachBulk } from './change-bulk'
import { hashList } from './list-rows'
import { type BulkRow, findBulk } from './queries'
import { readConfirmedRows, startWriting } from './start-bulk'
import * as m from '@/lib/messages/m'

type Decision<Kind extends ApprovalDecision['decision']> = Extract<ApprovalDecision, { decision: Kind }>

/** Ends a request without a start. Null if it is no longer awaiting. */
async function decline(
  tx: Database,
  ledger: Pick<Ledger, 'connectionId' | 'clock'>,
  bulkId: string,
  { why, by, note = null }: { why: 'declined' | 'withdrawn' | 'expired'; by: string; note?: string | null },
): Promise<BulkRow | null> {
  const now = ledger.clock.wall()
  const [bulk] = await tx
    .update(bulks)
    .set({ state: 'declined', problem: why, decidedAt: now, decidedBy: by, decisionNote: note, changedAt: now })
    .where(
      and(
        eq(bulks.id, bulkId),
        eq(bulks.connectionId, ledger.connectionId),
        eq(bulks.state, 'awaiting'),
        why === 'expired' ? lte(bulks.expiresAt, now) : undefined,
      ),
    )
    .returning()
  if (!bulk) return null
  await appendActivity(tx, {
    connectionId: ledger.connectionId,
    at: now,
    actor: by,
    action: `bulk.approval-${why}`,
    objectKind: 'bulk',
    objectId: bulkId,
    details: { requestedBy: bulk.userEmail, ...(note !== null && { text: note }) },
  })
  return bulk
}

/** The list must be the one that was requested, and the one that the approver saw. */
async function assertSeen(db: Database, bulk: BulkRow, { count, digest }: Decision<'approve'>): Promise<void> {
  const ids = (await readConfirmedRows(db, bulk.id)).flatMap(({ paymentId }) => paymentId ?? [])
  const isSame = count === bulk.count && count === ids.length && digest === bulk.digest && digest === hashList(ids)
  if (!isSame) throw new AppError('changed-since-seen', { detail: m.refusals_whatYouConfirmedIsNotTheList() })
}

/** Makes an awaited bulk `starting`; null if it is no longer awaiting, expired, or the actor's own. */
async function storeApproval(ledger: Ledger, actor: Actor, bulkId: string): Promise<BulkRow | null> {
  const { db, connectionId, clock } = ledger
  return db.transaction(async (tx) => {
    await lockConnection(tx, connectionId, actor)
    const now = clock.wall()
    const [bulk] = await tx
      .update(bulks)
      .set({ state: 'starting', decidedAt: now, decidedBy: actor.email, startedAt: now, changedAt: now })
      .where(
        and(
          eq(bulks.id, bulkId),
          eq(bulks.state, 'awaiting'),
          ne(bulks.userId, actor.userId),
          gt(bulks.expiresAt, now),
        ),
      )
      .returning()
    if (!bulk) return null
    const details = { count: bulk.count, sums: bulk.sums.map((sum) => ({ ...sum })), digest: bulk.digest }
    const entry = { connectionId, at: now, objectKind: 'bulk', objectId: bulkId }
    await appendActivity(tx, {
      ...entry,
      actor: actor.email,
      action: 'bulk.approved',
      details: { requestedBy: bulk.userEmail, ...details },
    })
    await appendActivity(tx, {
      ...entry,
      actor: bulk.userEmail,
      action: 'bulk.started',
      details: {
        approvedBy: actor.email,
        ...details,
        // The request is the approver's.
        ...(bulk.confirmed?.apiToken && { apiToken: bulk.confirmed.apiToken }),
      },
    })
    return bulk
  })
}

const isOver = () => new AppError('conflict', { detail: m.refusals_thisRequestIsOver() })

/**
 * Approves a bulk that another person requested, and starts it in that person's name. Approving it again changes
 * nothing. Throws AppError 'not-found', 'forbidden' (one's own), 'changed-since-seen', 'conflict' (decided or expired),
 * 'store-unavailable' or 'outcome-unknown', as `startBulk`.
 */
async function approveBulk(ledger: Ledger, actor: Actor, bulk: BulkRow, seen: Decision<'approve'>): Promise<BulkRow> {
  if (bulk.userId === actor.userId) throw new AppError('forbidden', { detail: m.refusals_nobodyApprovesTheirOwn() })
  const isApprovedByActor = ({ startedAt, decidedBy }: BulkRow) => startedAt !== null && decidedBy === actor.email
  if (isApprovedByActor(bulk)) return bulk
  if (bulk.state !== 'awaiting') throw isOver()
  await assertSeen(ledger.db, bulk, seen)
  const approved = await storeApproval(ledger, actor, bulk.id)
  if (approved) return approved
  // An earlier attempt of ours committed while this one waited for the row lock.
  const now = await findBulk(ledger.db, ledger, bulk.id)
  if (isApprovedByActor(now)) return now
  throw isOver()
}

async function decide(ledger: Ledger, actor: Actor, bulkId: string, decision: ApprovalDecision): Promise<BulkRow> {
  const bulk = await findBulk(ledger.db, ledger, bulkId)
  if (decision.decision === 'approve') return approveBulk(ledger, actor, bulk, decision)
  const isOwn = bulk.userId === actor.userId
  const isWithdrawn = decision.decision === 'withdraw'
  if (isWithdrawn !== isOwn)
    throw new AppError('forbidden', {
      detail: isOwn ? m.refusals_nobodyApprovesTheirOwn() : m.refusals_onlyWhoRequestedItWithdraws(),
    })
  const why = isWithdrawn ? ('withdrawn' as const) : ('declined' as const)
  const note = decision.decision === 'decline' ? decision.note : null
  const ended = await ledger.db.transaction((tx) => decline(tx, ledger, bulkId, { why, by: actor.email, note }))
  if (ended) return ended
  const now = await findBulk(ledger.db, ledger, bulkId)
  if (now.problem === why && now.decidedBy === actor.email) return now
  throw isOver()
}

/**
 * Approves, declines or withdraws a bulk that awaits a second person (0133). Deciding the same again changes nothing.
 * Throws AppError 'not-found', 'forbidden' (one's own, or somebody else's to withdraw), 'changed-since-seen',
 * 'conflict', 'store-unavailable' or 'outcome-unknown'.
 */
export async function decideOnBulk(
  ledger: Ledger,
  actor: Actor,
  bulkId: string,
  decision: ApprovalDecision,
): Promise<BulkRow> {
  const bulk = await orStoreUnavailable(() =>
    resolveCommit(() => decide(ledger, actor, bulkId, decision), m.refusals_theBulkMayHaveStarted()),
  )
  return startWriting(ledger, bulk)
}

/** Ends the merchant's requests that nobody decided on in time. */
export async function expireApprovals(ledger: Ledger): Promise<boolean> {
  const { db, connectionId, clock } = ledger
  const expired = await db
    .select({ id: bulks.id })
    .from(bulks)
    .where(and(eq(bulks.connectionId, connectionId), eq(bulks.state, 'awaiting'), lte(bulks.expiresAt, clock.wall())))
  return forEachBulk(ledger, expired, {
    work: ({ id }) => db.transaction((tx) => decline(tx, ledger, id, { why: 'expired', by: 'desk' })),
    failure: 'bulk-not-ended',
  })
}
