import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { BulkConfirmation, BulkSum } from '@/lib/contract/bulk'
import { idKey } from '@/lib/contract/ids'
import type { Database } from '@/lib/database/open-database'
import { appendActivity } from '../activity/append-activity'
import type { Actor, Ledger } from '../cancellations/ledger'
import { type IntentOfBulk, type WrittenIntents, writeIntents } from '../cancellations/write-intents'
import { orStoreUnavailable } from '../cancellations/or-store-unavailable'
import { Failure } from '../failure'
import { settleCommit } from '../settle-commit'
import { bulkRows, bulks } from '../store/bulk-schema'
import { cancellations } from '../store/schema'
import { type BulkRow, findBulk } from './bulk-row'
import { hashList } from './hash-list'
import * as fields from '@/lib/words/fields'
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
    throw new Failure('changed-since-seen', {
      detail: refusals.whatYouConfirmedIsNotTheList,
    })
}

type Frozen = typeof bulkRows.$inferSelect

function chooseReason({ position, reason }: Pick<Frozen, 'position' | 'reason'>, given: BulkConfirmation): string {
  const chosen = given.reasons?.[String(position)] ?? given.reason ?? reason
  if (chosen === null || chosen === undefined)
    throw new Failure('bad-request', { errors: { reason: [fields.isMissingForRow(position + 1)] } })
  return chosen
}

function makeIntents(rows: readonly Frozen[], given: BulkConfirmation): IntentOfBulk[] {
  return rows.flatMap((row) => {
    const { paymentId, seen } = row
    return paymentId === null || seen === null ? [] : [{ paymentId, seen, reason: chooseReason(row, given) }]
  })
}

/** Rows per statement. PGlite runs each in this thread, and nobody else is served meanwhile. */
const batch = 1_000

async function readFrozen(tx: Database, bulkId: string): Promise<Frozen[]> {
  const rows: Frozen[] = []
  for (;;) {
    // PGlite's promises alone never let the event loop turn.
    await nextTurn()
    const part = await tx
      .select()
      .from(bulkRows)
      .where(
        and(
          eq(bulkRows.bulkId, bulkId),
          eq(bulkRows.verdict, 'cancellable'),
          gt(bulkRows.position, rows.at(-1)?.position ?? -1),
        ),
      )
      .orderBy(asc(bulkRows.position))
      .limit(batch)
    rows.push(...part)
    if (part.length < batch) return rows
  }
}

/** Notes in each row of the list which cancellation is its own, or to whom it was left. */
async function linkRows(
  tx: Database,
  rows: readonly Frozen[],
  { bulkId, written, left }: WrittenIntents & { bulkId: string },
): Promise<void> {
  const ids = new Map(written.map(({ id, paymentId }) => [idKey(paymentId), id]))
  const links = rows.map(({ position, paymentId }) => {
    const key = paymentId === null ? '' : idKey(paymentId)
    return { position, id: ids.get(key) ?? null, who: left.get(key) ?? null }
  })
  for (let at = 0; at < links.length; at += batch) {
    await nextTurn()
    await tx.execute(sql`
      update ${bulkRows} as listed set cancellation_id = link.id, left_to = link.who
      from jsonb_to_recordset(${JSON.stringify(links.slice(at, at + batch))}::jsonb) as link(position int, id uuid, who text)
      where listed.bulk_id = ${bulkId} and listed.position = link.position`)
  }
}

/** The bulk, if just this list was started before. Throws Failure 'conflict' where it was with other reasons. */
async function findStarted(ledger: Ledger, bulk: BulkRow, given: BulkConfirmation): Promise<BulkRow | null> {
  if (bulk.startedAt === null || bulk.digest !== given.digest) return null
  await assertSameReasons(ledger.db, bulk.id, given)
  return bulk
}

/** A bulk that runs already keeps its reasons: who confirms it again with others is told. */
async function assertSameReasons(db: Database, bulkId: string, given: BulkConfirmation): Promise<void> {
  const rows = await db
    .select({ position: bulkRows.position, reason: bulkRows.reason, kept: cancellations.reason })
    .from(bulkRows)
    .innerJoin(cancellations, eq(cancellations.id, bulkRows.cancellationId))
    .where(eq(bulkRows.bulkId, bulkId))
  const other = rows.find((row) => chooseReason(row, given) !== row.kept)
  if (other)
    throw new Failure('conflict', {
      detail: refusals.thisBulkWasStartedAlready(other.kept),
    })
}

async function start(ledger: Ledger, actor: Actor, { bulkId, given }: Start): Promise<BulkRow> {
  const { db, connectionId, clock } = ledger
  const known = await findBulk(db, { connectionId }, bulkId)
  const before = await findStarted(ledger, known, given)
  if (before) return before
  if (clock.wall().getTime() - known.changedAt.getTime() > lives)
    throw new Failure('changed-since-seen', { detail: refusals.theListIsOlderThanHalfAnHour })
  const started = await db.transaction(async (tx) => {
    const [bulk] = await tx
      .update(bulks)
      .set({
        state: 'running',
        problem: null,
        userId: actor.userId,
        userEmail: actor.email,
        startedAt: clock.wall(),
        changedAt: clock.wall(),
      })
      .where(and(eq(bulks.id, bulkId), eq(bulks.state, 'ready')))
      .returning()
    if (!bulk) return null
    const rows = await readFrozen(tx, bulkId)
    assertSame(
      bulk,
      rows.flatMap(({ paymentId }) => paymentId ?? []),
      given,
    )
    const { written, left } = await writeIntents(tx, ledger, { actor, bulkId, rows: makeIntents(rows, given) })
    await linkRows(tx, rows, { bulkId, written, left })
    await appendActivity(tx, {
      connectionId,
      at: clock.wall(),
      actor: actor.email,
      action: 'bulk.started',
      objectKind: 'bulk',
      objectId: bulkId,
      details: { count: bulk.count, sums: bulk.sums.map((sum) => ({ ...sum })), digest: bulk.digest, left: left.size },
    })
    return bulk
  })
  if (started) return started
  // Somebody was quicker, or an earlier attempt of ours was committed while this one waited for its row.
  const meanwhile = await findStarted(ledger, await findBulk(db, { connectionId }, bulkId), given)
  if (meanwhile) return meanwhile
  throw new Failure('conflict', { detail: refusals.thisListCannotBeStarted })
}

/**
 * Freezes a list and starts its bulk: what was confirmed is compared with what is kept (count, sums and hash,
 * BK-03), and every payment gets its intent, all in one transaction. A payment whose cancellation was asked for
 * meanwhile is left to that one. Starting what runs already, with the same reasons, changes nothing.
 *
 * Throws Failure 'not-found', 'changed-since-seen' (also when the list is older than half an hour), 'bad-request'
 * (a row without a reason), 'conflict' (not in a state to be started, or started with another reason) or
 * 'store-unavailable'; then nothing is sent. After 'outcome-unknown' it may be running.
 */
export function startBulk(ledger: Ledger, actor: Actor, given: Start): Promise<BulkRow> {
  return orStoreUnavailable(() => settleCommit(() => start(ledger, actor, given), refusals.theBulkMayHaveStarted))
}
