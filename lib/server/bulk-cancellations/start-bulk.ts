import { setImmediate as letOthersIn } from 'node:timers/promises'
import { and, asc, eq, gt } from 'drizzle-orm'
import type { BulkConfirmation, BulkSum } from '@/lib/domain/cancellations/bulk-cancellation'
import type { Database } from '@/lib/database/database'
import { appendActivity } from '../activity-log/append'
import type { Actor, Ledger } from '../cancellations/ledger'
import { lockConnection } from '../cancellations/intents'
import { orStoreUnavailable, resolveCommit } from '../store/store'
import { AppError } from '../runtime/app-error'
import { bulkRows, bulks } from '../store/bulk-schema'
import { cancellations } from '../store/schema'
import { type BulkRow, findBulk } from './queries'
import { hashList } from './list-rows'
import { chooseReason, writeStart } from './start-intents'
import * as refusals from '@/lib/words/refusals'

/** Which list, and what was confirmed of it. */
type Start = { bulkId: string; given: BulkConfirmation }

/** How long a list may be confirmed after it was made. */
const lives = 30 * 60_000

function writeSums(sums: readonly BulkSum[]): string {
  return JSON.stringify(sums.map(({ mode, currency, count, sum }) => [mode, currency, count, sum]))
}

function assertSame(bulk: BulkRow, ids: readonly string[], given: BulkConfirmation): void {
  const isSame =
    given.count === ids.length &&
    bulk.count === ids.length &&
    given.digest === bulk.digest &&
    given.digest === hashList(ids) &&
    writeSums(given.sums) === writeSums(bulk.sums)
  if (!isSame)
    throw new AppError('changed-since-seen', {
      detail: refusals.whatYouConfirmedIsNotTheList,
    })
}

/** A row that is confirmed; `kept` is the reason of its cancellation where that is written. */
type ListedRow = Pick<typeof bulkRows.$inferSelect, 'position' | 'paymentId' | 'reason'> & { kept: string | null }

const pageLength = 1_000

/** The rows of a list that are confirmed. They don't change once it can be confirmed. */
async function readListed(db: Database, bulkId: string): Promise<ListedRow[]> {
  const rows: ListedRow[] = []
  for (;;) {
    // PGlite's promises alone never let the event loop turn.
    await letOthersIn()
    const page = await db
      .select({
        position: bulkRows.position,
        paymentId: bulkRows.paymentId,
        reason: bulkRows.reason,
        kept: cancellations.reason,
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
      .limit(pageLength)
    rows.push(...page)
    if (page.length < pageLength) return rows
  }
}

/** The bulk, if just this list was started before. Throws AppError 'conflict' where it was with other reasons. */
async function findStarted(db: Database, bulk: BulkRow, given: BulkConfirmation): Promise<BulkRow | null> {
  const { confirmed } = bulk
  if (bulk.startedAt === null || bulk.digest !== given.digest) return null
  for (const row of await readListed(db, bulk.id)) {
    // A row that was left to somebody else's cancellation has none.
    const kept = row.kept ?? (confirmed && chooseReason(row, confirmed))
    if (kept !== null && chooseReason(row, given) !== kept)
      throw new AppError('conflict', { detail: refusals.thisBulkWasStartedAlready(kept) })
  }
  return bulk
}

/** Keeps what was confirmed, and who confirmed it; null where the list cannot be confirmed any more. */
async function freeze(ledger: Ledger, actor: Actor, { bulkId, given }: Start): Promise<BulkRow | null> {
  const { db, connectionId, clock } = ledger
  return db.transaction(async (tx) => {
    await lockConnection(tx, connectionId)
    const [bulk] = await tx
      .update(bulks)
      .set({
        state: 'starting',
        problem: null,
        userId: actor.userId,
        userEmail: actor.email,
        confirmed: { reason: given.reason, reasons: given.reasons, sessionId: actor.sessionId },
        startedAt: clock.wall(),
        changedAt: clock.wall(),
      })
      .where(and(eq(bulks.id, bulkId), eq(bulks.state, 'ready')))
      .returning()
    if (!bulk) return null
    await appendActivity(tx, {
      connectionId,
      at: clock.wall(),
      actor: actor.email,
      action: 'bulk.started',
      objectKind: 'bulk',
      objectId: bulkId,
      details: { count: bulk.count, sums: bulk.sums.map((sum) => ({ ...sum })), digest: bulk.digest },
    })
    return bulk
  })
}

async function confirm(ledger: Ledger, actor: Actor, { bulkId, given }: Start): Promise<BulkRow> {
  const { db, clock } = ledger
  const known = await findBulk(db, ledger, bulkId)
  const before = await findStarted(db, known, given)
  if (before) return before
  if (clock.wall().getTime() - known.changedAt.getTime() > lives)
    throw new AppError('changed-since-seen', { detail: refusals.theListIsOlderThanHalfAnHour })
  if (known.state === 'ready') {
    const rows = await readListed(db, bulkId)
    assertSame(
      known,
      rows.flatMap(({ paymentId }) => paymentId ?? []),
      given,
    )
    for (const row of rows) chooseReason(row, given)
    const frozen = await freeze(ledger, actor, { bulkId, given })
    if (frozen) return frozen
  }
  // Somebody was quicker, or an earlier attempt of ours was committed while this one waited for its row.
  const meanwhile = await findStarted(db, await findBulk(db, ledger, bulkId), given)
  if (meanwhile) return meanwhile
  throw new AppError('conflict', { detail: refusals.thisListCannotBeStarted })
}

/**
 * Starts the bulk of a list: what was confirmed is compared with what is kept (count, sums and hash, BK-03) and kept
 * with it; then every payment gets its intent, and only then the bulk runs (0118). A payment whose cancellation was
 * asked for meanwhile is left to that one. Starting what was started already, with the same reasons, changes nothing.
 *
 * Answers the bulk, which is still `starting` where the store failed once it was confirmed: the runner of bulks goes on
 * with it (see `resumeStarts`). Throws AppError 'not-found', 'changed-since-seen' (also when the list is older than half
 * an hour), 'bad-request' (a row without a reason), 'conflict' (not in a state to be started, or started with another
 * reason) or 'store-unavailable'; then nothing is sent. After 'outcome-unknown' it may be started.
 */
export async function startBulk(ledger: Ledger, actor: Actor, given: Start): Promise<BulkRow> {
  const bulk = await orStoreUnavailable(() =>
    resolveCommit(() => confirm(ledger, actor, given), refusals.theBulkMayHaveStarted),
  )
  if (bulk.state !== 'starting') return bulk
  return writeStart(ledger, bulk.id).catch((error: unknown) => {
    ledger.report('bulk-start-interrupted', { bulkId: bulk.id, error })
    return bulk
  })
}
