import { setImmediate as letOthersIn } from 'node:timers/promises'
import { and, asc, eq, gt } from 'drizzle-orm'
import type { BulkConfirmation, BulkSum } from '@/lib/domain/cancellations/bulk-cancellation'
import type { Database } from '@/lib/database/database'
import { appendActivity } from '../activity-log/append'
import { bulkNeedsApproval } from '@/lib/domain/cancellations/needs-approval'
import { type Actor, addMilliseconds, type Ledger } from '../cancellations/ledger'
import { lockConnection } from '../cancellations/intents'
import { assertVelocity, lockSingles } from '../cancellations/velocity'
import { orStoreUnavailable, resolveCommit } from '../store/store'
import { AppError } from '../runtime/app-error'
import { bulkRows, bulks } from '../store/bulk-schema'
import { cancellations } from '../store/schema'
import { type BulkRow, findBulk, MAX_LIST_AGE_MS } from './queries'
import { hashList } from './list-rows'
import { chooseReason, writeStart } from './start-intents'
import * as m from '@/lib/messages/m'

type BulkStart = { bulkId: string; given: BulkConfirmation }

const HOUR_MS = 60 * 60_000

function serializeSums(sums: readonly BulkSum[]): string {
  return JSON.stringify(sums.map(({ mode, currency, count, sum }) => [mode, currency, count, sum]))
}

function assertConfirmed(bulk: BulkRow, ids: readonly string[], given: BulkConfirmation): void {
  const isSame =
    given.count === ids.length &&
    bulk.count === ids.length &&
    given.digest === bulk.digest &&
    given.digest === hashList(ids) &&
    serializeSums(given.sums) === serializeSums(bulk.sums)
  if (!isSame)
    throw new AppError('changed-since-seen', {
      detail: m.refusals_whatYouConfirmedIsNotTheList(),
    })
}

/** A confirmed row. `writtenReason` is the reason in its cancellation, once written. */
type ListedRow = Pick<typeof bulkRows.$inferSelect, 'position' | 'paymentId' | 'reason' | 'seen'> & {
  writtenReason: string | null
}

const PAGE_SIZE = 1_000

/** The cancellable rows of a list, which no longer change once it can be confirmed. */
export async function readConfirmedRows(db: Database, bulkId: string): Promise<ListedRow[]> {
  const rows: ListedRow[] = []
  for (;;) {
    // PGlite's promises alone never let the event loop turn.
    await letOthersIn()
    const page = await db
      .select({
        position: bulkRows.position,
        paymentId: bulkRows.paymentId,
        reason: bulkRows.reason,
        seen: bulkRows.seen,
        writtenReason: cancellations.reason,
      })
      .from(bulkRows)
      .leftJoin(cancellations, eq(cancellations.id, bulkRows.cancellationId))
      .where(
        and(
          eq(bulkRows.bulkId, bulkId),
          eq(bulkRows.verdict, 'cancellable'),
          gt(bulkRows.position, rows.at(-1)?.position ?? -1),
        ),
      )
      .orderBy(asc(bulkRows.position))
      .limit(PAGE_SIZE)
    rows.push(...page)
    if (page.length < PAGE_SIZE) return rows
  }
}

/** Returns the bulk if this list was already started, or a second person asked to approve it. Throws AppError 'conflict' if that was with other reasons. */
async function findStarted(db: Database, bulk: BulkRow, given: BulkConfirmation): Promise<BulkRow | null> {
  // Afterwards each cancellation has its reason.
  const confirmed = bulk.state === 'awaiting' || bulk.state === 'starting' ? bulk.confirmed : null
  if (bulk.startedAt === null && bulk.state !== 'awaiting') return null
  if (bulk.digest !== given.digest) return null
  for (const row of await readConfirmedRows(db, bulk.id)) {
    // A row left to someone else's cancellation has none.
    const writtenReason = row.writtenReason ?? (confirmed && chooseReason(row, confirmed))
    if (writtenReason !== null && chooseReason(row, given) !== writtenReason)
      throw new AppError('conflict', { detail: m.refusals_thisBulkWasStartedAlready({ reason: writtenReason }) })
  }
  return bulk
}

/**
 * Stores the confirmation and its author, and asks a second person where the merchant's rule says so; null if the list
 * can no longer be confirmed.
 */
async function storeConfirmation(
  ledger: Ledger,
  actor: Actor,
  { bulkId, given, rows }: BulkStart & { rows: readonly ListedRow[] },
): Promise<BulkRow | null> {
  const { db, connectionId, clock } = ledger
  return db.transaction(async (tx) => {
    const rule = await lockConnection(tx, connectionId, actor)
    await lockSingles(tx, ledger, actor)
    // The digest below says that the rows are still these.
    const payments = rows.map(({ seen }) => seen ?? { amount: null, currency: null })
    const asks = rule !== null && bulkNeedsApproval(payments, rule, ledger.rules.amounts)
    const now = clock.wall()
    const [bulk] = await tx
      .update(bulks)
      .set({
        ...(asks
          ? { state: 'awaiting', requestedAt: now, expiresAt: addMilliseconds(now, rule.hours * HOUR_MS) }
          : { state: 'starting', startedAt: now }),
        problem: null,
        userId: actor.userId,
        userEmail: actor.email,
        confirmed: {
          reason: given.reason,
          reasons: given.reasons,
          sessionId: actor.sessionId,
          apiToken: actor.apiToken,
        },
        changedAt: now,
      })
      .where(and(eq(bulks.id, bulkId), eq(bulks.state, 'ready'), eq(bulks.digest, given.digest)))
      .returning()
    if (!bulk) return null
    // Otherwise lists of one would be a way around the limit of single cancellations.
    if (!asks && bulk.count === 1) await assertVelocity(tx, ledger, actor)
    await appendActivity(tx, {
      connectionId,
      at: now,
      actor: actor.email,
      action: asks ? 'bulk.approval-requested' : 'bulk.started',
      objectKind: 'bulk',
      objectId: bulkId,
      details: { count: bulk.count, sums: bulk.sums.map((sum) => ({ ...sum })), digest: bulk.digest },
    })
    return bulk
  })
}

/** Writes the intents of a bulk that was just confirmed or approved; if that fails, the worker continues. */
export async function startWriting(ledger: Ledger, bulk: BulkRow): Promise<BulkRow> {
  if (bulk.state !== 'starting') return bulk
  return writeStart(ledger, bulk.id).catch((error: unknown) => {
    ledger.report('bulk-start-interrupted', { bulkId: bulk.id, error })
    return bulk
  })
}

async function confirm(ledger: Ledger, actor: Actor, { bulkId, given }: BulkStart): Promise<BulkRow> {
  const { db, clock } = ledger
  const bulk = await findBulk(db, ledger, bulkId)
  const alreadyStarted = await findStarted(db, bulk, given)
  if (alreadyStarted) return alreadyStarted
  if (clock.wall().getTime() - bulk.changedAt.getTime() > MAX_LIST_AGE_MS)
    throw new AppError('not-possible', { detail: m.refusals_theListIsOlderThanHalfAnHour() })
  if (bulk.state === 'ready') {
    const rows = await readConfirmedRows(db, bulkId)
    assertConfirmed(
      bulk,
      rows.flatMap(({ paymentId }) => paymentId ?? []),
      given,
    )
    for (const row of rows) chooseReason(row, given)
    const confirmed = await storeConfirmation(ledger, actor, { bulkId, given, rows })
    if (confirmed) return confirmed
  }
  // Someone else was faster, or an earlier attempt of ours committed while this one waited for the row lock.
  const startedMeanwhile = await findStarted(db, await findBulk(db, ledger, bulkId), given)
  if (startedMeanwhile) return startedMeanwhile
  throw new AppError('conflict', { detail: m.refusals_thisListCannotBeStarted() })
}

/**
 * Starts a bulk: compares the confirmation with the stored count, sums and hash (BK-03), stores it, writes the intent
 * of every payment, and only then lets the bulk run (0118). Where the merchant's four-eyes rule asks for a second
 * person, the bulk is `awaiting` instead (0133). Payments that meanwhile got another cancellation are left
 * to it. Starting it again with the same reasons changes nothing.
 *
 * The bulk is still `starting` if the store failed after the confirmation; the worker continues (see `resumeStarts`).
 * Throws AppError 'not-found', 'changed-since-seen', 'not-possible' (after MAX_LIST_AGE_MS), 'bad-request' (a row without a
 * reason), 'conflict' (wrong state, or started with other reasons), 'store-unavailable', or for a list of one as
 * `assertVelocity`; then nothing is sent. After
 * 'outcome-unknown' it may have started.
 */
export async function startBulk(ledger: Ledger, actor: Actor, given: BulkStart): Promise<BulkRow> {
  const bulk = await orStoreUnavailable(() =>
    resolveCommit(() => confirm(ledger, actor, given), m.refusals_theBulkMayHaveStarted()),
  )
  return startWriting(ledger, bulk)
}
