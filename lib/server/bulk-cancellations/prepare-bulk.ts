import { createHash, randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import type { BulkRequest } from '@/lib/domain/cancellations/bulk-cancellation'
import { pickPaymentNames, sumPayments } from '@/lib/domain/cancellations/bulk-list'
import { idKey } from '@/lib/domain/ids'
import type { Capability, CapabilityProofs } from '@/lib/domain/lists/capabilities'
import { appendActivity } from '../activity-log/append'
import { runAsTokenOwner } from '../auth/provider-tokens'
import type { Session } from '../auth/session'
import { countUse } from '../auth/throttle'
import type { Actor, Ledger } from '../cancellations/ledger'
import { openLedger } from '../cancellations/open-ledger'
import { announceBulk } from '../changes/announce-changes'
import { AppError } from '../runtime/app-error'
import { inBackground } from '../runtime/request-context'
import { bulkRows, bulks } from '../store/bulk-schema'
import { cancellations, idKeyOf } from '../store/schema'
import { proveCapabilities, readCapabilities } from '../upstream/capabilities'
import { hashList, toStorableText, type ListRow, makeRows, nameByPayments } from './list-rows'
import type { BulkRow } from './queries'
import * as m from '@/lib/messages/m'

const HOUR_MS = 60 * 60_000
const RETRY_SECONDS = 5
/** Limits per user: preparing a list reads up to all payments and stores what it found. */
export const MAX_LISTS_AT_A_TIME = 2
export const MAX_LISTS_PER_HOUR = 120

const HOURLY_LIMIT = {
  most: MAX_LISTS_PER_HOUR,
  windowMs: HOUR_MS,
  explain: (seconds: number) =>
    m.refusals_mostListsInAnHour({ most: MAX_LISTS_PER_HOUR, minutes: Math.ceil(seconds / 60) }),
}

declare global {
  /** Lists that are being made, by user id. Global because Next loads this module once per module graph. */
  var debitdeskListUse: Map<string, number> | undefined
}

/** Returns the function that releases the slot. Throws AppError 'too-many-attempts' with retryAfter. */
function reserveListSlot(userId: string): () => void {
  const running = (globalThis.debitdeskListUse ??= new Map<string, number>())
  const own = running.get(userId) ?? 0
  if (own >= MAX_LISTS_AT_A_TIME)
    throw new AppError('too-many-attempts', { retryAfter: RETRY_SECONDS, detail: m.refusals_otherListsAreMade() })
  running.set(userId, own + 1)
  return () => {
    running.set(userId, (running.get(userId) ?? 1) - 1)
  }
}

/** Counts a list for all desks together. Throws AppError 'too-many-attempts' with retryAfter. */
export async function countList(db: Database, userId: string, now = Date.now()): Promise<void> {
  await countUse(db, { use: 'list', userId }, HOURLY_LIMIT, now)
}

const BATCH_SIZE = 500
/** Minimum interval between two progress updates. */
const PROGRESS_INTERVAL_MS = 700

function toSource(request: BulkRequest): BulkRow['source'] {
  if (request.kind === 'filter')
    return { kind: 'filter', filter: request.filter, words: toStorableText(request.words) ?? '' }
  const name = toStorableText(request.name)
  if (name !== null) return { kind: 'list', name }
  return {
    kind: 'list',
    name,
    payments: pickPaymentNames(request.rows.map(({ given }) => toStorableText(given) ?? '')),
  }
}

function hashRequest(request: BulkRequest): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex')
}

/** Stores a new bulk, whose list is yet to be made. Throws AppError 'conflict' for an id that is taken. */
export async function createBulk(
  ledger: Ledger,
  actor: Actor,
  request: BulkRequest,
  id: string = randomUUID(),
): Promise<BulkRow> {
  const { connectionId, clock } = ledger
  const source = toSource(request)
  return ledger.db.transaction(async (tx) => {
    const [row] = await tx
      .insert(bulks)
      .values({
        id,
        connectionId,
        userId: actor.userId,
        userEmail: actor.email,
        source,
        requestDigest: hashRequest(request),
        state: 'preparing',
        createdAt: clock.wall(),
        changedAt: clock.wall(),
      })
      .onConflictDoNothing()
      .returning()
    if (!row) throw new AppError('conflict')
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

/** Marks rows whose payment already has an open cancellation. */
async function markAlreadyOpen({ db, connectionId }: Ledger, rows: readonly ListRow[]): Promise<ListRow[]> {
  const ids = rows.flatMap(({ paymentId }) => (paymentId === null ? [] : [idKey(paymentId)]))
  const open = new Set<string>()
  const paymentKey = idKeyOf(cancellations.paymentId)
  for (let at = 0; at < ids.length; at += BATCH_SIZE) {
    const found = await db
      .select({ id: paymentKey })
      .from(cancellations)
      .where(
        and(
          eq(cancellations.connectionId, connectionId),
          isNull(cancellations.closedAt),
          inArray(paymentKey, ids.slice(at, at + BATCH_SIZE)),
        ),
      )
    for (const { id } of found) open.add(id)
  }
  return rows.map((row) => (row.paymentId && open.has(idKey(row.paymentId)) ? { ...row, verdict: 'in-hand' } : row))
}

async function storeList(ledger: Ledger, bulk: BulkRow, rows: readonly ListRow[], doubt: string | null): Promise<void> {
  const sendable = rows.filter(({ verdict }) => verdict === 'cancellable')
  const sums = sumPayments(
    sendable.flatMap(({ seen, facts }) => (seen ? [{ ...seen, test: facts?.test ?? null }] : [])),
  )
  const { source } = bulk
  await ledger.db.transaction(async (tx) => {
    for (let at = 0; at < rows.length; at += BATCH_SIZE) {
      const values = rows.slice(at, at + BATCH_SIZE).map((row, index) => ({
        ...row,
        bulkId: bulk.id,
        connectionId: bulk.connectionId,
        position: at + index,
      }))
      await tx.insert(bulkRows).values(values)
    }
    await tx
      .update(bulks)
      .set({
        state: 'ready',
        problem: doubt,
        ...('payments' in source && { source: { ...source, payments: nameByPayments(rows) } }),
        count: sendable.length,
        sums,
        digest: hashList(sendable.flatMap(({ paymentId }) => paymentId ?? [])),
        changedAt: ledger.clock.wall(),
      })
      .where(and(eq(bulks.id, bulk.id), eq(bulks.state, 'preparing')))
    await announceBulk(tx, bulk)
  })
}

/** Makes the list of a bulk: reads and classifies its payments, stores counts, sums and the hash of the cancellable. */
export async function prepareBulk(
  ledger: Ledger,
  bulk: BulkRow,
  { request, proofs }: { request: BulkRequest; proofs: CapabilityProofs },
): Promise<void> {
  const { db, clock } = ledger
  const isPreparing = and(eq(bulks.id, bulk.id), eq(bulks.state, 'preparing'))
  let read = 0
  let savedAt = 0
  const onRead = async (count: number) => {
    read += count
    if (performance.now() - savedAt < PROGRESS_INTERVAL_MS) return
    savedAt = performance.now()
    await db.update(bulks).set({ read, changedAt: clock.wall() }).where(isPreparing)
    await announceBulk(db, bulk)
  }
  const { rows, failure, doubt } = await makeRows(ledger, request, { proofs, onRead })
  if (failure !== null) {
    await db.update(bulks).set({ state: 'failed', problem: failure, read, changedAt: clock.wall() }).where(isPreparing)
    await announceBulk(db, bulk)
    return
  }
  await db.update(bulks).set({ read, changedAt: clock.wall() }).where(isPreparing)
  await storeList(ledger, bulk, await markAlreadyOpen(ledger, rows), doubt)
}

const NEEDED_CAPABILITIES: readonly Capability[] = ['eq:id', 'or']

function readNeededProofs(session: Session): Promise<CapabilityProofs> {
  return proveCapabilities(session, 'listPayments', NEEDED_CAPABILITIES).catch(() =>
    readCapabilities(session, 'listPayments'),
  )
}

/** The bulk that the person has made under this key. Throws AppError 'key-reused' if another request has. */
async function findMade(
  { db, connectionId }: Ledger,
  { userId }: Session,
  { key, request }: { key: string; request: BulkRequest },
): Promise<BulkRow | undefined> {
  const isOwn = and(eq(bulks.connectionId, connectionId), eq(bulks.userId, userId))
  const [row] = await db
    .select()
    .from(bulks)
    .where(and(isOwn, eq(bulks.id, key)))
  // There is none of a list made by an earlier version, or of an erased person's.
  if (row && row.requestDigest !== null && row.requestDigest !== hashRequest(request))
    throw new AppError('key-reused', { detail: m.refusals_theKeyWasUsedForAnotherRequest() })
  return row
}

/**
 * Creates a bulk and prepares its list in the background; the browser polls. Nothing is sent before confirmation. `key` is
 * the request's: a person's bulk of the same key is returned as it is.
 * Throws AppError 'too-many-attempts' (two at a time in a desk, 120 in an hour), 'conflict' for somebody else's key,
 * 'key-reused' for another request under the same key, or 'store-unavailable'.
 */
export async function beginBulk(session: Session, request: BulkRequest, key: string = randomUUID()): Promise<BulkRow> {
  const ledger = await openLedger(session.scope.connectionId)
  const earlier = await findMade(ledger, session, { key, request })
  if (earlier) return earlier
  const release = reserveListSlot(session.userId)
  const create = async () => {
    await countList(ledger.db, session.userId)
    return createBulk(ledger, session, request, key)
  }
  let bulk: BulkRow
  try {
    bulk = await create()
  } catch (error) {
    release()
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error
    const made = await findMade(ledger, session, { key, request })
    if (!made) throw error
    return made
  }
  const prepare = async () => {
    try {
      await prepareBulk(ledger, bulk, { request, proofs: await readNeededProofs(session) })
    } catch (error) {
      ledger.report('bulk-list-failed', { bulkId: bulk.id, error })
      await ledger.db
        .update(bulks)
        .set({ state: 'failed', problem: 'internal', changedAt: new Date() })
        .where(and(eq(bulks.id, bulk.id), eq(bulks.state, 'preparing')))
        .then(() => announceBulk(ledger.db, bulk))
        .catch(() => undefined)
    } finally {
      release()
    }
  }
  // The list is read with the access token of the user who requested it.
  void inBackground(() => runAsTokenOwner({ userId: session.userId }, prepare))
  return bulk
}
