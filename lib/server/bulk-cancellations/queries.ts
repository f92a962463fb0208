import { and, count, desc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import { databaseTime } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import type { BulkCounts, BulkView, BulkWait } from '@/lib/domain/cancellations/bulk-cancellation'
import { whoIsPresent } from '../auth/provider-tokens'
import type { TenantScope } from '../auth/tenant-scope'
import { type CancellationState, isClosed, states } from '../cancellations/states'
import { AppError } from '../runtime/app-error'
import { getSettings } from '../runtime/settings'
import { bulkRows, bulks } from '../store/bulk-schema'
import { cancellations, defaultConnectionId } from '../store/schema'
import * as refusals from '@/lib/words/refusals'

/** One bulk as the store keeps it. */
export type BulkRow = typeof bulks.$inferSelect

/** Finds a bulk of the merchant. Throws AppError 'not-found'. */
export async function findBulk(
  db: Database,
  scope: Pick<TenantScope, 'connectionId'>,
  bulkId: string,
): Promise<BulkRow> {
  const [row] = await db
    .select()
    .from(bulks)
    .where(and(eq(bulks.connectionId, scope.connectionId), eq(bulks.id, bulkId)))
  if (!row)
    throw new AppError('not-found', { detail: refusals.thereIsNoSuchBulkCancellation(getSettings().KEEP_BULKS) })
  return row
}

declare global {
  /** By connection, and owner where the work is one owner's alone: why its bulks wait, as this process knows it; on globalThis because Next loads this module once per graph. */
  var debitdeskBulkWaits: Map<string, BulkWait> | undefined
}

function getWaits(): Map<string, BulkWait> {
  return (globalThis.debitdeskBulkWaits ??= new Map())
}

const nameKey = (connectionId: string, ownerId: string) => `${connectionId} ${ownerId}`

/** Why a bulk of somebody's waits at this moment; null when it does not. */
export function getBulkWait({ connectionId, userId }: { connectionId: string; userId: string }): BulkWait | null {
  return getWaits().get(nameKey(connectionId, userId)) ?? getWaits().get(nameKey(connectionId, '')) ?? null
}

/** Says why the bulks of a connection, or of one owner there, wait. Kept in memory: a store that is full could not take it. */
export function setBulkWait(
  { connectionId, ownerId = '' }: { connectionId: string; ownerId?: string | undefined },
  wait: BulkWait | null,
): void {
  const key = nameKey(connectionId, ownerId)
  if (wait) getWaits().set(key, wait)
  else getWaits().delete(key)
}

/** A list whose making has not gone on for so long was given up by a process that ended. In milliseconds. */
const silence = 120_000
const mostListed = 100
const ownerAway = { code: 'owner-signed-out', until: null }

type Counted = { counts: BulkCounts; written: number; settled: number }

function startCounts(): Counted {
  return {
    counts: {
      unsent: 0,
      sending: 0,
      requested: 0,
      cancelled: 0,
      'not-cancelled': 0,
      unknown: 0,
      'needs-person': 0,
      left: 0,
    },
    written: 0,
    settled: 0,
  }
}

/** Where a cancellation of a bulk stands, as people are told: one that waits for its turn was not sent yet. */
export function toBulkOutcome(state: CancellationState): keyof BulkCounts {
  return state === 'intended' || state === 'waiting' ? 'unsent' : states[state].told
}

async function countRows(db: Database, bulkIds: readonly string[]): Promise<Map<string, Counted>> {
  const found = new Map(bulkIds.map((id) => [id, startCounts()]))
  if (bulkIds.length === 0) return found
  const counted = await db
    .select({ bulkId: cancellations.bulkId, state: cancellations.state, total: count() })
    .from(cancellations)
    .where(inArray(cancellations.bulkId, [...bulkIds]))
    .groupBy(cancellations.bulkId, cancellations.state)
  const left = await db
    .select({ bulkId: bulkRows.bulkId, total: count() })
    .from(bulkRows)
    .where(and(inArray(bulkRows.bulkId, [...bulkIds]), isNotNull(bulkRows.leftTo)))
    .groupBy(bulkRows.bulkId)
  for (const { bulkId, state, total } of counted) {
    const one = found.get(bulkId ?? '')
    if (!one) continue
    one.counts[toBulkOutcome(state)] += total
    one.written += total
    // Neither accepted nor ended is ever taken back.
    if (state === 'accepted' || isClosed(state)) one.settled += total
  }
  for (const { bulkId, total } of left) {
    const one = found.get(bulkId)
    if (!one) continue
    one.counts.left = total
    one.written += total
    one.settled += total
  }
  return found
}

function tell(
  row: BulkRow,
  { counts, written, settled }: Counted,
  { isGivenUp = false, isWaiting = false }: { isGivenUp?: boolean; isWaiting?: boolean } = {},
): BulkView {
  return {
    id: row.id,
    state: isGivenUp ? 'failed' : row.state,
    problem: isGivenUp ? 'interrupted' : row.problem,
    wait: isWaiting ? ownerAway : row.state === 'running' && counts.unsent > 0 ? getBulkWait(row) : null,
    source: row.source,
    requestedBy: row.userEmail,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    read: row.read,
    count: row.count,
    sums: row.sums,
    digest: row.digest,
    counts,
    written,
    settled,
  }
}

/** Those whose owner is not signed in, where the service is asked with the owner's own token. */
async function findAbsent(db: Database, rows: readonly BulkRow[]): Promise<Set<string>> {
  const isOwn = getSettings().UPSTREAM_AUTH === 'session'
  const running = rows.filter((row) => isOwn && row.state === 'running' && row.connectionId === defaultConnectionId)
  const present = await whoIsPresent(
    db,
    running.map(({ userId }) => userId),
  )
  return new Set(running.filter(({ userId }) => !present.has(userId)).map(({ id }) => id))
}

/** Those whose list is said to be made and of which nothing was heard for long, by the clock that they are dated by. */
async function findGivenUp(db: Database, rows: readonly BulkRow[]): Promise<Set<string>> {
  const preparing = rows.filter(({ state }) => state === 'preparing').map(({ id }) => id)
  if (preparing.length === 0) return new Set()
  const silent = await db
    .select({ id: bulks.id })
    .from(bulks)
    .where(and(inArray(bulks.id, preparing), lte(bulks.changedAt, databaseTime(-silence))))
  return new Set(silent.map(({ id }) => id))
}

/** Bulks as people are told of them, in their order. Throws what the store throws. */
export async function viewBulks(db: Database, rows: readonly BulkRow[]): Promise<BulkView[]> {
  const counted = await countRows(
    db,
    rows.map(({ id }) => id),
  )
  const absent = await findAbsent(db, rows)
  const givenUp = await findGivenUp(db, rows)
  return rows.map((row) => {
    const facts = { isGivenUp: givenUp.has(row.id), isWaiting: absent.has(row.id) }
    return tell(row, counted.get(row.id) ?? startCounts(), facts)
  })
}

/** One bulk as people are told of it. */
export async function viewBulk(db: Database, row: BulkRow): Promise<BulkView> {
  const [view] = await viewBulks(db, [row])
  return view ?? tell(row, startCounts())
}

/** The latest bulks of the merchant that were confirmed, or that one person has not confirmed yet; newest first. */
export async function listBulks(db: Database, scope: TenantScope, userId: string): Promise<BulkView[]> {
  const rows = await db
    .select()
    .from(bulks)
    .where(
      and(
        eq(bulks.connectionId, scope.connectionId),
        sql`(${bulks.startedAt} is not null or ${bulks.userId} = ${userId})`,
      ),
    )
    .orderBy(desc(bulks.createdAt))
    .limit(mostListed)
  return viewBulks(db, rows)
}
