import { and, desc, eq, gte, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { union, unionAll } from 'drizzle-orm/pg-core'
import type { Database } from '@/lib/database/database'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { idKey } from '@/lib/domain/ids'
import { whoIsPresent } from '../auth/provider-tokens'
import type { TenantScope } from '../auth/tenant-scope'
import { AppError } from '../runtime/app-error'
import { getSettings } from '../runtime/settings'
import { activity, cancellations, defaultConnectionId, idKeyOf } from '../store/schema'
import { getStore } from '../store/store'
import type { CancellationRow, Ledger } from './ledger'
import { type CancellationState, states } from './states'
import { isNotTakenOver } from './taken-over'

/** A row that waits in its bulk is not being sent yet, and says so. */
function toReason({ bulkId, state, outcomeReason }: CancellationRow): CancellationView['reason'] {
  const waits = bulkId !== null && (state === 'intended' || state === 'waiting')
  return outcomeReason ?? (waits ? 'in-bulk' : null)
}

/** A cancellation as the browser sees it: one of six outcomes, the reason, and the upstream API's own text. */
export function toCancellationView(row: CancellationRow): CancellationView {
  return {
    id: row.id,
    paymentId: row.paymentId,
    named: row.evidence.named ?? null,
    seen: row.seen && { amount: row.seen.amount, currency: row.seen.currency },
    outcome: states[row.state].outcome,
    closed: row.closedAt !== null,
    reason: toReason(row),
    detail: row.detail,
    text: row.reason,
    requestedBy: row.userEmail,
    requestedAt: row.createdAt.toISOString(),
    closedAt: row.closedAt?.toISOString() ?? null,
    checked: row.checked && {
      at: row.checked.at,
      by: row.checked.by,
      kind: row.checked.kind,
      status: row.checked.status ?? null,
    },
    handled: row.handled && { at: row.handled.at, by: row.handled.by, note: row.handled.note },
  }
}

/** One cancellation of the ledger's connection. Throws AppError 'not-found' and what the store throws. */
export async function getCancellationRow({ db, connectionId }: Ledger, id: string): Promise<CancellationRow> {
  const [row] = await db
    .select()
    .from(cancellations)
    .where(and(eq(cancellations.connectionId, connectionId), eq(cancellations.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

const paymentKey = idKeyOf(cancellations.paymentId)

async function queryStore<Result>(query: (db: Database) => Promise<Result>): Promise<Result> {
  try {
    return await query((await getStore()).db)
  } catch (cause) {
    throw new AppError('store-unavailable', { retryAfter: 5 }, { cause })
  }
}

/** With UPSTREAM_AUTH=session, an open cancellation whose owner is signed out makes no progress and says why. */
async function toViews(db: Database, rows: readonly CancellationRow[]): Promise<CancellationView[]> {
  if (getSettings().UPSTREAM_AUTH !== 'session') return rows.map(toCancellationView)
  // A request in flight needs no owner.
  const isOpen = ({ closedAt, connectionId, state }: CancellationRow) =>
    closedAt === null && connectionId === defaultConnectionId && state !== 'sending'
  const owners = rows.filter(isOpen).map(({ userId }) => userId)
  const present = await whoIsPresent(db, owners)
  return rows.map((row) => {
    const view = toCancellationView(row)
    if (!isOpen(row) || present.has(row.userId)) return view
    return { ...view, reason: 'owner-signed-out', detail: row.userEmail }
  })
}

/**
 * For each payment its latest cancellation, and any that needs or needed manual review and was not superseded;
 * `pickCurrentCancellation` chooses between them. Throws AppError 'store-unavailable'.
 */
export async function findCancellationsOf(
  scope: TenantScope,
  paymentIds: readonly string[],
): Promise<CancellationView[]> {
  if (paymentIds.length === 0) return []
  const isOfPayments = and(
    eq(cancellations.connectionId, scope.connectionId),
    inArray(paymentKey, paymentIds.map(idKey)),
  )
  const rows = await queryStore((db) => {
    const latest = db
      .selectDistinctOn([paymentKey])
      .from(cancellations)
      .where(isOfPayments)
      .orderBy(paymentKey, desc(cancellations.createdAt), desc(cancellations.id))
    const reviewed = db
      .select()
      .from(cancellations)
      .where(and(isOfPayments, eq(cancellations.state, 'needs-person'), isNotTakenOver(db)))
    return union(latest, reviewed)
  })
  return queryStore((db) => toViews(db, rows))
}

const MAX_ROWS = 1_000

/** Open, and nobody knows whether they took effect. */
const unknownStates = ['declined', 'unknown'] as const satisfies readonly CancellationState[]

/**
 * Unsettled cancellations of the connection: those that need manual review, then those that are open, or of these only
 * those whose outcome is unknown; oldest first, at most 1,000 of each. Throws AppError 'store-unavailable'.
 */
export async function findUnsettledCancellations(
  scope: TenantScope,
  which: 'all' | 'unknown' = 'all',
): Promise<CancellationView[]> {
  const isMeant = which === 'unknown' ? inArray(cancellations.state, [...unknownStates]) : undefined
  const isOfConnection = eq(cancellations.connectionId, scope.connectionId)
  const select = (db: Database, condition: SQL | undefined) =>
    db
      .select()
      .from(cancellations)
      .where(and(isOfConnection, condition))
      .orderBy(cancellations.createdAt)
      .limit(MAX_ROWS)
  const rows = await queryStore((db) =>
    // A single statement, so that a row moving from open to manual review is in one half or the other.
    unionAll(
      select(db, and(eq(cancellations.state, 'needs-person'), isNull(cancellations.handled), isNotTakenOver(db))),
      select(db, and(isNull(cancellations.closedAt), isMeant)),
    ),
  )
  const age = ({ createdAt }: CancellationRow) => createdAt.getTime()
  const [open, closed] = [rows.filter((row) => row.closedAt === null), rows.filter((row) => row.closedAt !== null)]
  const oldestFirst = (group: CancellationRow[]) => group.toSorted((one, other) => age(one) - age(other))
  return queryStore((db) => toViews(db, [...oldestFirst(closed), ...oldestFirst(open)]))
}

/**
 * The payments that were found cancelled since a time, by `idKey`, with the status that was read. The activity log has them
 * by day, the ledger hasn't. Throws AppError 'store-unavailable'.
 */
export async function findCancelledSince(scope: TenantScope, since: Date): Promise<Map<string, string | null>> {
  const status = sql<string | null>`${activity.details} -> 'evidence' -> 'read' ->> 'status'`
  const rows = await queryStore((db) =>
    db
      .select({ paymentId: activity.objectId, status })
      .from(activity)
      .where(
        and(
          eq(activity.connectionId, scope.connectionId),
          gte(activity.at, since),
          eq(activity.action, 'cancellation.cancelled'),
        ),
      ),
  )
  return new Map(rows.map((row) => [idKey(row.paymentId), row.status]))
}

/** One cancellation of the connection. Throws AppError 'not-found' or 'store-unavailable'. */
export async function getCancellation(scope: TenantScope, id: string): Promise<CancellationView> {
  const [row] = await queryStore((db) =>
    db
      .select()
      .from(cancellations)
      .where(and(eq(cancellations.connectionId, scope.connectionId), eq(cancellations.id, id))),
  )
  if (!row) throw new AppError('not-found')
  const [view] = await queryStore((db) => toViews(db, [row]))
  if (!view) throw new AppError('not-found')
  return view
}
