import { and, asc, eq, inArray, isNotNull, isNull, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { isPast, isSameTime } from '../store/leases'
import { cancellations } from '../store/schema'
import type { CancellationRow, Ledger } from './ledger'
import type { CancellationState } from './states'

/** No request has had an effect in these states. */
export const unsentStates: CancellationState[] = ['intended', 'waiting']

/** Unsent intents of a bulk: sent by the bulk's worker, whatever their age (bulk-cancellations/row-leases.ts). */
export const isQueuedInBulk = and(isNotNull(cancellations.bulkId), inArray(cancellations.state, unsentStates))

/** What the ledger's own worker handles. */
export const isNotQueuedInBulk = or(isNull(cancellations.bulkId), notInArray(cancellations.state, unsentStates))

/** Open, in one of these states and not leased. */
function isFree({ connectionId, ownerId, clock }: Ledger, states: readonly CancellationState[]): SQL | undefined {
  return and(
    eq(cancellations.connectionId, connectionId),
    ownerId === undefined ? undefined : eq(cancellations.userId, ownerId),
    isNull(cancellations.closedAt),
    inArray(cancellations.state, [...states]),
    isNotQueuedInBulk,
    isPast(cancellations.leaseUntil, clock.store.sql),
  )
}

/** Free and due. A row without a due time is due once its lease has expired: its worker has died. */
function isDue(ledger: Ledger, states: readonly CancellationState[]): SQL | undefined {
  return and(isFree(ledger, states), isPast(cancellations.dueAt, ledger.clock.store.sql))
}

async function leaseRows(
  { db, clock, rules, memory }: Ledger,
  condition: SQL | undefined,
  limit: number,
): Promise<CancellationRow[]> {
  // Every second this mostly finds nothing. A select costs a third of a transaction and is no write (countWrites).
  const found = await db.select({ id: cancellations.id }).from(cancellations).where(condition).limit(1)
  if (found.length === 0) return []
  // A timestamp in the future would yield a negative age and never end a grace.
  const capAtNow = (column: typeof cancellations.stateSince | typeof cancellations.undecidedSince) =>
    sql`least(${column}, ${clock.store.sql()})`
  return db.transaction(async (tx) => {
    const free = tx
      .select({ id: cancellations.id })
      .from(cancellations)
      .where(condition)
      .orderBy(asc(cancellations.dueAt))
      .limit(limit)
      .for('update', { skipLocked: true })
    return tx
      .update(cancellations)
      .set({
        leaseHolder: memory.holder,
        leaseUntil: clock.store.sql(rules.leaseMs),
        stateSince: capAtNow(cancellations.stateSince),
        undecidedSince: sql`case when ${cancellations.undecidedSince} is null then null else ${capAtNow(cancellations.undecidedSince)} end`,
      })
      .where(inArray(cancellations.id, free))
      .returning()
  })
}

/** Leases up to `limit` due cancellations in these states to this process, the longest overdue first. */
export async function leaseDue(
  ledger: Ledger,
  states: readonly CancellationState[],
  { limit, except = [] }: { limit: number; except?: readonly string[] },
): Promise<CancellationRow[]> {
  if (limit <= 0) return []
  const others = except.length > 0 ? notInArray(cancellations.id, [...except]) : undefined
  return leaseRows(ledger, and(isDue(ledger, states), others), limit)
}

/** Leases the given cancellations that are open, in one of these states and not leased, due or not. */
export async function leaseByIds(
  ledger: Ledger,
  states: readonly CancellationState[],
  ids: readonly string[],
): Promise<CancellationRow[]> {
  if (ids.length === 0) return []
  return leaseRows(ledger, and(isFree(ledger, states), inArray(cancellations.id, [...ids])), ids.length)
}

/** The ids of up to `limit` due cancellations, without leasing them. */
export async function findDue(
  ledger: Ledger,
  states: readonly CancellationState[],
  limit: number,
): Promise<readonly string[]> {
  const rows = await ledger.db
    .select({ id: cancellations.id })
    .from(cancellations)
    .where(isDue(ledger, states))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** The row has not changed since it was leased. */
export function isUnchanged({ id, state, attempts, leaseUntil }: CancellationRow): SQL | undefined {
  return and(
    eq(cancellations.id, id),
    eq(cancellations.state, state),
    eq(cancellations.attempts, attempts),
    isSameTime(cancellations.leaseUntil, leaseUntil),
  )
}

/** Releases a cancellation that could not be processed now, due again after `delay` ms. */
export async function postpone({ db, clock }: Ledger, row: CancellationRow, delay: number): Promise<void> {
  await db
    .update(cancellations)
    .set({ dueAt: clock.store.sql(delay), leaseHolder: null, leaseUntil: null })
    .where(isUnchanged(row))
}

/** Reports a failure instead of throwing: one row must not block the others. It is retried when its lease expires. */
export async function runIsolated<Result>(
  ledger: Ledger,
  row: Pick<CancellationRow, 'id'>,
  work: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await work()
  } catch (error) {
    ledger.report('cancellation-stuck', { cancellationId: row.id, error })
    return null
  }
}
