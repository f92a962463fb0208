import { and, desc, eq, gt, inArray, isNull, notExists, or, type SQL } from 'drizzle-orm'
import { alias, union, unionAll } from 'drizzle-orm/pg-core'
import type { Database } from '@/lib/database/database'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { alreadyEndedReasons } from '@/lib/domain/cancellations/current-cancellation'
import { idKey } from '@/lib/domain/ids'
import { whoIsPresent } from '../auth/provider-tokens'
import type { TenantScope } from '../auth/tenant-scope'
import { AppError } from '../runtime/app-error'
import { getSettings } from '../runtime/settings'
import { cancellations, defaultConnectionId, idKeyOf } from '../store/schema'
import { getStore } from '../store/store'
import type { CancellationRow, Ledger } from './ledger'
import { states } from './states'

/** One of a bulk says that it waits there: its request is not on its way. */
function tellReason({ bulkId, state, outcomeReason }: CancellationRow): CancellationView['reason'] {
  const waits = bulkId !== null && (state === 'intended' || state === 'waiting')
  return outcomeReason ?? (waits ? 'in-bulk' : null)
}

/** A cancellation as the browser is told: one of the six words, why, and the service's own words. */
export function toCancellationView(row: CancellationRow): CancellationView {
  return {
    id: row.id,
    paymentId: row.paymentId,
    outcome: states[row.state].told,
    closed: row.closedAt !== null,
    reason: tellReason(row),
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

const mostOpen = 1_000
const paymentKey = idKeyOf(cancellations.paymentId)

async function ask<Result>(question: (db: Database) => Promise<Result>): Promise<Result> {
  try {
    return await question((await getStore()).db)
  } catch (cause) {
    throw new AppError('store-unavailable', { retryAfter: 5 }, { cause })
  }
}

/**
 * Cancellations as the browser is told. Where the service is asked with the owner's own token, an open one whose owner
 * is not signed in says so: nothing is done about it, and nothing is wrong with it.
 */
async function viewForPeople(db: Database, rows: readonly CancellationRow[]): Promise<CancellationView[]> {
  if (getSettings().UPSTREAM_AUTH !== 'session') return rows.map(toCancellationView)
  // A request that is on its way waits for nobody.
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

/** That no later cancellation of the same payment has taken the matter over (see `takesOver` in lib/domain). */
function isNotTakenOver(db: Database, { connectionId }: TenantScope): SQL {
  const later = alias(cancellations, 'later')
  return notExists(
    db
      .select({ id: later.id })
      .from(later)
      .where(
        and(
          eq(later.connectionId, connectionId),
          eq(idKeyOf(later.paymentId), paymentKey),
          gt(later.createdAt, cancellations.createdAt),
          or(
            isNull(later.closedAt),
            inArray(later.state, ['cancelled', 'needs-person']),
            inArray(later.outcomeReason, alreadyEndedReasons),
          ),
        ),
      ),
  )
}

/**
 * Of each of these payments the latest cancellation, and the one that needs a person or did, where no later one has
 * taken the matter over: `pickCurrentCancellation` says which of them counts. Throws AppError 'store-unavailable'.
 */
export async function findCancellationsOf(
  scope: TenantScope,
  paymentIds: readonly string[],
): Promise<CancellationView[]> {
  if (paymentIds.length === 0) return []
  const isOfThese = and(eq(cancellations.connectionId, scope.connectionId), inArray(paymentKey, paymentIds.map(idKey)))
  const rows = await ask((db) => {
    const latest = db
      .selectDistinctOn([paymentKey])
      .from(cancellations)
      .where(isOfThese)
      .orderBy(paymentKey, desc(cancellations.createdAt), desc(cancellations.id))
    const doubtful = db
      .select()
      .from(cancellations)
      .where(and(isOfThese, eq(cancellations.state, 'needs-person'), isNotTakenOver(db, scope)))
    return union(latest, doubtful)
  })
  return ask((db) => viewForPeople(db, rows))
}

/**
 * What is not settled: the cancellations of the connection that need a person, then those that are open, the oldest of
 * each first, at most 1,000 of each. Throws AppError 'store-unavailable'.
 */
export async function findUnsettledCancellations(scope: TenantScope): Promise<CancellationView[]> {
  const isOfConnection = eq(cancellations.connectionId, scope.connectionId)
  const read = (db: Database, condition: SQL | undefined) =>
    db
      .select()
      .from(cancellations)
      .where(and(isOfConnection, condition))
      .orderBy(cancellations.createdAt)
      .limit(mostOpen)
  const rows = await ask((db) =>
    // One statement: what passes from open to a person meanwhile is in one half or the other.
    unionAll(
      read(db, and(eq(cancellations.state, 'needs-person'), isNull(cancellations.handled), isNotTakenOver(db, scope))),
      read(db, isNull(cancellations.closedAt)),
    ),
  )
  const age = ({ createdAt }: CancellationRow) => createdAt.getTime()
  const [open, closed] = [rows.filter((row) => row.closedAt === null), rows.filter((row) => row.closedAt !== null)]
  const oldestFirst = (some: CancellationRow[]) => some.toSorted((one, other) => age(one) - age(other))
  return ask((db) => viewForPeople(db, [...oldestFirst(closed), ...oldestFirst(open)]))
}

/** One cancellation of the connection. Throws AppError 'not-found' or 'store-unavailable'. */
export async function getCancellation(scope: TenantScope, id: string): Promise<CancellationView> {
  const [row] = await ask((db) =>
    db
      .select()
      .from(cancellations)
      .where(and(eq(cancellations.connectionId, scope.connectionId), eq(cancellations.id, id))),
  )
  if (!row) throw new AppError('not-found')
  const [view] = await ask((db) => viewForPeople(db, [row]))
  if (!view) throw new AppError('not-found')
  return view
}
