import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { BulkRequest } from '@/lib/domain/cancellations/bulk-cancellation'
import { sumPayments } from '@/lib/domain/cancellations/bulk-list'
import { idKey } from '@/lib/domain/ids'
import type { Capability, CapabilityProofs } from '@/lib/domain/lists/capabilities'
import { appendActivity } from '../activity-log/append'
import { runAsTokenOwner } from '../auth/provider-tokens'
import type { Session } from '../auth/session'
import type { Actor, Ledger } from '../cancellations/ledger'
import { openLedger } from '../cancellations/open-ledger'
import { AppError } from '../runtime/app-error'
import { limitRate } from '../runtime/limits'
import { inBackground } from '../runtime/request-context'
import { bulkRows, bulks } from '../store/bulk-schema'
import { cancellations, idKeyOf } from '../store/schema'
import { probeCapabilities, readCapabilities } from '../upstream/capabilities'
import { hashList, keepText, type ListRow, makeRows } from './list-rows'
import type { BulkRow } from './queries'
import * as refusals from '@/lib/words/refusals'

const HOUR_MS = 60 * 60_000
const RETRY_SECONDS = 5
/** Lists of a person that are made at a time, and within an hour: each reads up to all payments, and keeps what it found. */
export const MAX_LISTS_AT_A_TIME = 2
export const MAX_LISTS_PER_HOUR = 120

const hourly = {
  most: MAX_LISTS_PER_HOUR,
  windowMs: HOUR_MS,
  explain: (seconds: number) => refusals.mostListsInAnHour(MAX_LISTS_PER_HOUR, Math.ceil(seconds / 60)),
}

type Use = { begun: number[]; running: number }

declare global {
  /** The lists that each person has made of late, by user id; on globalThis because Next loads this module once per graph. */
  var debitdeskListUse: Map<string, Use> | undefined
}

/**
 * Counts a list that somebody has made, and answers what to call when it is made. Throws AppError 'too-many-attempts',
 * which says when there is room again.
 */
export function reserveListSlot(userId: string, now = Date.now()): () => void {
  const uses = (globalThis.debitdeskListUse ??= new Map<string, Use>())
  const use = uses.get(userId) ?? { begun: [], running: 0 }
  uses.set(userId, use)
  if (use.running >= MAX_LISTS_AT_A_TIME)
    throw new AppError('too-many-attempts', { retryAfter: RETRY_SECONDS, detail: refusals.otherListsAreMade })
  use.begun = limitRate(use.begun, hourly, now)
  use.running += 1
  return () => {
    use.running -= 1
  }
}

const batch = 500
/** How often at most the count of what was read is written down, in milliseconds. */
const noteEvery = 700

function describeSource(request: BulkRequest): BulkRow['source'] {
  if (request.kind === 'list') return { kind: 'list', name: keepText(request.name) }
  return { kind: 'filter', filter: request.filter, words: keepText(request.words) ?? '' }
}

/** Writes a new bulk down, whose list is yet to be made, with its row of the activity log. Throws what the store throws. */
export async function createBulk(ledger: Ledger, actor: Actor, request: BulkRequest): Promise<BulkRow> {
  const { connectionId, clock } = ledger
  const source = describeSource(request)
  return ledger.db.transaction(async (tx) => {
    const [row] = await tx
      .insert(bulks)
      .values({
        id: randomUUID(),
        connectionId,
        userId: actor.userId,
        userEmail: actor.email,
        source,
        state: 'preparing',
        createdAt: clock.wall(),
        changedAt: clock.wall(),
      })
      .returning()
    if (!row) throw new Error('the bulk was not stored')
    await appendActivity(tx, {
      connectionId,
      at: clock.wall(),
      actor: actor.email,
      action: 'bulk.created',
      objectKind: 'bulk',
      objectId: row.id,
      details: { source: source.kind, ...(source.kind === 'filter' && { words: source.words }) },
    })
    return row
  })
}

/** Marks the rows whose payment somebody is cancelling already. */
async function markInHand({ db, connectionId }: Ledger, rows: readonly ListRow[]): Promise<ListRow[]> {
  const ids = rows.flatMap(({ paymentId }) => (paymentId === null ? [] : [idKey(paymentId)]))
  const open = new Set<string>()
  const paymentKey = idKeyOf(cancellations.paymentId)
  for (let at = 0; at < ids.length; at += batch) {
    const found = await db
      .select({ id: paymentKey })
      .from(cancellations)
      .where(
        and(
          eq(cancellations.connectionId, connectionId),
          isNull(cancellations.closedAt),
          inArray(paymentKey, ids.slice(at, at + batch)),
        ),
      )
    for (const { id } of found) open.add(id)
  }
  return rows.map((row) => (row.paymentId && open.has(idKey(row.paymentId)) ? { ...row, verdict: 'in-hand' } : row))
}

async function keepList(ledger: Ledger, bulk: BulkRow, rows: readonly ListRow[], doubt: string | null): Promise<void> {
  const sendable = rows.filter(({ verdict }) => verdict === 'cancellable')
  const sums = sumPayments(
    sendable.flatMap(({ seen, facts }) => (seen ? [{ ...seen, test: facts?.test ?? null }] : [])),
  )
  await ledger.db.transaction(async (tx) => {
    for (let at = 0; at < rows.length; at += batch) {
      const part = rows.slice(at, at + batch).map((row, index) => ({
        ...row,
        bulkId: bulk.id,
        connectionId: bulk.connectionId,
        position: at + index,
      }))
      await tx.insert(bulkRows).values(part)
    }
    await tx
      .update(bulks)
      .set({
        state: 'ready',
        problem: doubt,
        count: sendable.length,
        sums,
        digest: hashList(sendable.flatMap(({ paymentId }) => paymentId ?? [])),
        changedAt: ledger.clock.wall(),
      })
      .where(and(eq(bulks.id, bulk.id), eq(bulks.state, 'preparing')))
  })
}

/**
 * Makes the list of a bulk, so that it can be confirmed: reads the payments, says of each row what it is, and
 * keeps counts, sums and the hash of those that can be cancelled. Resolves at the end; throws what the store throws.
 */
export async function prepareBulk(
  ledger: Ledger,
  bulk: BulkRow,
  { request, proofs }: { request: BulkRequest; proofs: CapabilityProofs },
): Promise<void> {
  const { db, clock } = ledger
  const mine = and(eq(bulks.id, bulk.id), eq(bulks.state, 'preparing'))
  let read = 0
  let notedAt = 0
  const onRead = async (count: number) => {
    read += count
    if (performance.now() - notedAt < noteEvery) return
    notedAt = performance.now()
    await db.update(bulks).set({ read, changedAt: clock.wall() }).where(mine)
  }
  const { rows, failure, doubt } = await makeRows(ledger, request, { proofs, onRead })
  if (failure !== null) {
    await db.update(bulks).set({ state: 'failed', problem: failure, read, changedAt: clock.wall() }).where(mine)
    return
  }
  await db.update(bulks).set({ read, changedAt: clock.wall() }).where(mine)
  await keepList(ledger, bulk, await markInHand(ledger, rows), doubt)
}

const needed: readonly Capability[] = ['eq:id', 'or']

async function readNeeded(session: Session): Promise<CapabilityProofs> {
  const known = await readCapabilities(session, 'listPayments')
  return needed.every((ability) => ability in known)
    ? known
    : probeCapabilities(session, 'listPayments').catch(() => known)
}

/**
 * Begins a bulk: writes it down and lets its list be made after the answer; the browser follows it by asking.
 * Nothing is sent before it is confirmed. Throws AppError 'too-many-attempts' (see reserveListSlot),
 * 'store-unavailable' or what the store throws.
 */
export async function beginBulk(session: Session, request: BulkRequest): Promise<BulkRow> {
  const ledger = await openLedger(session.scope.connectionId)
  const release = reserveListSlot(session.userId)
  const bulk = await createBulk(ledger, session, request).catch((error: unknown) => {
    release()
    throw error
  })
  const prepare = async () => {
    try {
      await prepareBulk(ledger, bulk, { request, proofs: await readNeeded(session) })
    } catch (error) {
      ledger.report('bulk-list-failed', { bulkId: bulk.id, error })
      await ledger.db
        .update(bulks)
        .set({ state: 'failed', problem: 'internal', changedAt: new Date() })
        .where(and(eq(bulks.id, bulk.id), eq(bulks.state, 'preparing')))
        .catch(() => undefined)
    } finally {
      release()
    }
  }
  // Whoever asked is whose access token the list is read with.
  void inBackground(() => runAsTokenOwner({ userId: session.userId }, prepare))
  return bulk
}
