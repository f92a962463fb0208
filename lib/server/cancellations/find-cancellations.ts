import { and, desc, eq, gt, inArray, isNull, notExists } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { CancellationView } from '@/lib/contract/cancellation'
import { idKey } from '@/lib/contract/ids'
import type { Database } from '@/lib/database/open-database'
import { Failure } from '../failure'
import { whoIsPresent } from '../openid/find-present-owners'
import type { Scope } from '../scope'
import { getSettings } from '../settings'
import { defaultConnectionId } from '../store/default-connection'
import { idKeyOf } from '../store/id-key'
import { cancellations } from '../store/schema'
import { getStore } from '../store/open-store'
import type { CancellationRow } from './ledger'
import { viewCancellation } from './views'

const mostOpen = 1_000
const paymentKey = idKeyOf(cancellations.paymentId)

async function ask<Result>(question: (db: Database) => Promise<Result>): Promise<Result> {
  try {
    return await question((await getStore()).db)
  } catch (cause) {
    throw new Failure('store-unavailable', { retryAfter: 5 }, { cause })
  }
}

/**
 * Cancellations as the browser is told. Where the service is asked with the owner's own token, an open one whose owner
 * is not signed in says so: nothing is done about it, and nothing is wrong with it.
 */
async function viewForPeople(db: Database, rows: readonly CancellationRow[]): Promise<CancellationView[]> {
  if (getSettings().UPSTREAM_AUTH !== 'session') return rows.map(viewCancellation)
  // A request that is on its way waits for nobody.
  const isOpen = ({ closedAt, connectionId, state }: CancellationRow) =>
    closedAt === null && connectionId === defaultConnectionId && state !== 'sending'
  const owners = rows.filter(isOpen).map(({ userId }) => userId)
  const present = await whoIsPresent(db, owners)
  return rows.map((row) => {
    const view = viewCancellation(row)
    if (!isOpen(row) || present.has(row.userId)) return view
    return { ...view, reason: 'owner-signed-out', detail: row.userEmail }
  })
}

/** The latest cancellation of each of these payments that has one. Throws Failure 'store-unavailable'. */
export async function findLatestCancellations(
  scope: Scope,
  paymentIds: readonly string[],
): Promise<CancellationView[]> {
  if (paymentIds.length === 0) return []
  const wanted = paymentIds.map(idKey)
  const rows = await ask((db) =>
    db
      .selectDistinctOn([paymentKey])
      .from(cancellations)
      .where(and(eq(cancellations.connectionId, scope.connectionId), inArray(paymentKey, wanted)))
      .orderBy(paymentKey, desc(cancellations.createdAt), desc(cancellations.id)),
  )
  return ask((db) => viewForPeople(db, rows))
}

/** Those that need a person, until one has marked them as handled or asked anew for the same payment. */
function selectUnhandled(db: Database, { connectionId }: Scope) {
  const newer = alias(cancellations, 'newer')
  const askedAnew = db
    .select({ id: newer.id })
    .from(newer)
    .where(
      and(
        eq(newer.connectionId, connectionId),
        eq(idKeyOf(newer.paymentId), paymentKey),
        gt(newer.createdAt, cancellations.createdAt),
      ),
    )
  return db
    .select()
    .from(cancellations)
    .where(
      and(
        eq(cancellations.connectionId, connectionId),
        eq(cancellations.state, 'needs-person'),
        isNull(cancellations.handled),
        notExists(askedAnew),
      ),
    )
    .orderBy(cancellations.createdAt)
    .limit(mostOpen)
}

/**
 * What is not settled: the cancellations of the connection that need a person, then those that are open, the oldest of
 * each first, at most 1,000 of each. Throws Failure 'store-unavailable'.
 */
export async function findUnsettledCancellations(scope: Scope): Promise<CancellationView[]> {
  const unhandled = await ask((db) => selectUnhandled(db, scope))
  const open = await ask((db) =>
    db
      .select()
      .from(cancellations)
      .where(and(eq(cancellations.connectionId, scope.connectionId), isNull(cancellations.closedAt)))
      .orderBy(cancellations.createdAt)
      .limit(mostOpen),
  )
  return ask((db) => viewForPeople(db, [...unhandled, ...open]))
}

/** One cancellation of the connection. Throws Failure 'not-found' or 'store-unavailable'. */
export async function getCancellation(scope: Scope, id: string): Promise<CancellationView> {
  const [row] = await ask((db) =>
    db
      .select()
      .from(cancellations)
      .where(and(eq(cancellations.connectionId, scope.connectionId), eq(cancellations.id, id))),
  )
  if (!row) throw new Failure('not-found')
  const [view] = await ask((db) => viewForPeople(db, [row]))
  if (!view) throw new Failure('not-found')
  return view
}
