import { and, asc, count, desc, eq, gt, gte, inArray, isNotNull, lte, ne, or, type SQL } from 'drizzle-orm'
import { hasPermission, permissionForList } from '@/lib/api-contract/permission'
import { databaseTime } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import type { BulkApproval, BulkCounts, BulkView, BulkWait } from '@/lib/domain/cancellations/bulk-cancellation'
import { whoIsPresent } from '../auth/provider-tokens'
import type { Session } from '../auth/session'
import type { TenantScope } from '../auth/tenant-scope'
import { type CancellationState, isClosed, states } from '../cancellations/states'
import { AppError } from '../runtime/app-error'
import { getSettings } from '../runtime/settings'
import { bulkRows, bulks } from '../store/bulk-schema'
import { cancellations, defaultConnectionId } from '../store/schema'
import * as m from '@/lib/messages/m'

export type BulkRow = typeof bulks.$inferSelect

/** Throws AppError 'not-found' if the merchant has no such bulk. */
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
    throw new AppError('not-found', {
      detail: m.refusals_thereIsNoSuchBulkCancellation({ days: getSettings().KEEP_BULKS }),
    })
  return row
}

/** Throws AppError 'forbidden' unless the person may cancel this many payments at once. */
export function requireListPermission({ role }: Pick<Session, 'role'>, payments: number): void {
  if (!hasPermission(role, permissionForList(payments))) throw new AppError('forbidden')
}

declare global {
  /** By connection, or connection and owner. Global because Next loads this module once per module graph. */
  var debitdeskBulkWaits: Map<string, BulkWait> | undefined
}

function getWaits(): Map<string, BulkWait> {
  return (globalThis.debitdeskBulkWaits ??= new Map())
}

const toKey = (connectionId: string, ownerId: string) => `${connectionId} ${ownerId}`

/** Why this user's bulks wait now, or null. */
export function getBulkWait({ connectionId, userId }: { connectionId: string; userId: string }): BulkWait | null {
  return getWaits().get(toKey(connectionId, userId)) ?? getWaits().get(toKey(connectionId, '')) ?? null
}

/** Sets why the bulks of a connection, or of one owner, wait. In memory, because a full store could not take it. */
export function setBulkWait(
  { connectionId, ownerId = '' }: { connectionId: string; ownerId?: string | undefined },
  wait: BulkWait | null,
): void {
  const key = toKey(connectionId, ownerId)
  if (wait) getWaits().set(key, wait)
  else getWaits().delete(key)
}

/** A list without progress for this long was abandoned by a dead process. */
const STALE_AFTER_MS = 120_000
const MAX_LISTED = 100
const OWNER_SIGNED_OUT = { code: 'owner-signed-out', until: null }

type RowCounts = { counts: BulkCounts; written: number; settled: number }

function zeroCounts(): RowCounts {
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

/** The outcome shown for a bulk's cancellation; one that waits in the queue is `unsent`. */
export function toBulkOutcome(state: CancellationState): keyof BulkCounts {
  return state === 'intended' || state === 'waiting' ? 'unsent' : states[state].outcome
}

async function countRows(db: Database, bulkIds: readonly string[]): Promise<Map<string, RowCounts>> {
  const counts = new Map(bulkIds.map((id) => [id, zeroCounts()]))
  if (bulkIds.length === 0) return counts
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
    const rowCounts = counts.get(bulkId ?? '')
    if (!rowCounts) continue
    rowCounts.counts[toBulkOutcome(state)] += total
    rowCounts.written += total
    // Accepted and closed cancellations never become unsettled again.
    if (state === 'accepted' || isClosed(state)) rowCounts.settled += total
  }
  for (const { bulkId, total } of left) {
    const rowCounts = counts.get(bulkId)
    if (!rowCounts) continue
    rowCounts.counts.left = total
    rowCounts.written += total
    rowCounts.settled += total
  }
  return counts
}

function toApproval({ requestedAt, expiresAt, decidedAt, decidedBy, decisionNote }: BulkRow): BulkApproval | null {
  if (!requestedAt || !expiresAt) return null
  return {
    requestedAt: requestedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
    decidedBy,
    note: decisionNote,
  }
}

function toBulkView(
  row: BulkRow,
  { counts, written, settled }: RowCounts,
  { isAbandoned = false, isOwnerSignedOut = false }: { isAbandoned?: boolean; isOwnerSignedOut?: boolean } = {},
): BulkView {
  // Of a start that was stopped, rows without a cancellation will never be sent.
  const unwritten = row.state === 'stopped' ? row.count - written : 0
  return {
    id: row.id,
    state: isAbandoned ? 'failed' : row.state,
    problem: isAbandoned ? 'interrupted' : row.problem,
    wait: isOwnerSignedOut ? OWNER_SIGNED_OUT : row.state === 'running' && counts.unsent > 0 ? getBulkWait(row) : null,
    source: row.source,
    requestedBy: row.userEmail,
    createdAt: row.createdAt.toISOString(),
    approval: toApproval(row),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    read: row.read,
    count: row.count,
    sums: row.sums,
    digest: row.digest,
    counts: { ...counts, 'not-cancelled': counts['not-cancelled'] + unwritten },
    written,
    settled: settled + unwritten,
  }
}

/** With UPSTREAM_AUTH=session: running bulks whose owner is signed out. */
async function findSignedOut(db: Database, rows: readonly BulkRow[]): Promise<Set<string>> {
  const isPerUser = getSettings().UPSTREAM_AUTH === 'session'
  const running = rows.filter((row) => isPerUser && row.state === 'running' && row.connectionId === defaultConnectionId)
  const present = await whoIsPresent(
    db,
    running.map(({ userId }) => userId),
  )
  return new Set(running.filter(({ userId }) => !present.has(userId)).map(({ id }) => id))
}

/** Bulks in preparation without progress for STALE_AFTER_MS, by the database's clock, which dates them. */
async function findAbandoned(db: Database, rows: readonly BulkRow[]): Promise<Set<string>> {
  const preparing = rows.filter(({ state }) => state === 'preparing').map(({ id }) => id)
  if (preparing.length === 0) return new Set()
  const abandoned = await db
    .select({ id: bulks.id })
    .from(bulks)
    .where(and(inArray(bulks.id, preparing), lte(bulks.changedAt, databaseTime(-STALE_AFTER_MS))))
  return new Set(abandoned.map(({ id }) => id))
}

export async function viewBulks(db: Database, rows: readonly BulkRow[]): Promise<BulkView[]> {
  const counted = await countRows(
    db,
    rows.map(({ id }) => id),
  )
  const signedOut = await findSignedOut(db, rows)
  const abandoned = await findAbandoned(db, rows)
  return rows.map((row) => {
    const flags = { isAbandoned: abandoned.has(row.id), isOwnerSignedOut: signedOut.has(row.id) }
    return toBulkView(row, counted.get(row.id) ?? zeroCounts(), flags)
  })
}

export async function viewBulk(db: Database, row: BulkRow): Promise<BulkView> {
  const [view] = await viewBulks(db, [row])
  return view ?? toBulkView(row, zeroCounts())
}

/** How many bulks of the merchant wait for the approval of this user. */
export async function countAwaiting(db: Database, scope: TenantScope, userId: string): Promise<number> {
  return db.$count(
    bulks,
    and(eq(bulks.connectionId, scope.connectionId), eq(bulks.state, 'awaiting'), ne(bulks.userId, userId)),
  )
}

/** The merchant's bulks of a condition, in an order. */
async function readBulks(
  db: Database,
  scope: TenantScope,
  condition: SQL | undefined,
  order: SQL,
): Promise<BulkView[]> {
  const where = and(eq(bulks.connectionId, scope.connectionId), condition)
  return viewBulks(db, await db.select().from(bulks).where(where).orderBy(order).limit(MAX_LISTED))
}

/** The bulks that wait for the approval of this user, those that end first. */
export function listAwaiting(db: Database, scope: TenantScope, userId: string): Promise<BulkView[]> {
  return readBulks(db, scope, and(eq(bulks.state, 'awaiting'), ne(bulks.userId, userId)), asc(bulks.expiresAt))
}

/** How long a person is shown that a request of theirs was not approved. */
const DECLINED_SHOWN_DAYS = 7

/** This user's requests that still wait, or that were not approved lately, newest first. */
export function listOwnRequests(db: Database, scope: TenantScope, userId: string): Promise<BulkView[]> {
  const since = new Date(Date.now() - DECLINED_SHOWN_DAYS * 86_400_000)
  const isRecent = or(eq(bulks.state, 'awaiting'), and(eq(bulks.state, 'declined'), gte(bulks.decidedAt, since)))
  return readBulks(db, scope, and(eq(bulks.userId, userId), isRecent), desc(bulks.requestedAt))
}

/** A list that was made longer ago than this must be made again. */
export const MAX_LIST_AGE_MS = 30 * 60_000

/**
 * This user's lists that they may yet confirm, newest first: those that are being read, too, and those that could not be
 * made, as whoever left meanwhile was told of none. Not lists without a payment to cancel.
 */
export function listOwnUnconfirmed(
  db: Database,
  scope: TenantScope,
  userId: string,
  now = Date.now(),
): Promise<BulkView[]> {
  const isUnconfirmed = or(
    inArray(bulks.state, ['preparing', 'failed']),
    and(eq(bulks.state, 'ready'), gt(bulks.count, 0)),
  )
  const isRecent = gte(bulks.changedAt, new Date(now - MAX_LIST_AGE_MS))
  return readBulks(db, scope, and(eq(bulks.userId, userId), isUnconfirmed, isRecent), desc(bulks.createdAt))
}

/** The merchant's latest bulks, newest first: all confirmed ones, and this user's unconfirmed ones. */
export function listBulks(db: Database, scope: TenantScope, userId: string): Promise<BulkView[]> {
  const isShown = or(isNotNull(bulks.startedAt), isNotNull(bulks.requestedAt), eq(bulks.userId, userId))
  return readBulks(db, scope, isShown, desc(bulks.createdAt))
}
