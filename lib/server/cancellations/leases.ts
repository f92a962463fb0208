import { and, asc, eq, inArray, isNotNull, isNull, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { isPast } from '../store/leases'
import { cancellations } from '../store/schema'
import type { CancellationRow, Ledger } from './ledger'
import type { CancellationState } from './states'

/** Of these nothing has reached the service, or surely nothing was done. */
const unsent: CancellationState[] = ['intended', 'waiting']

/** Intents of a bulk that were not sent: they wait for their turn in the bulk, whatever their age (see bulk/run-bulks). */
export const isQueuedInBulk = and(isNotNull(cancellations.bulkId), inArray(cancellations.state, unsent))

/** All others: what the ledger's own worker takes up. */
export const isNotQueuedInBulk = or(isNull(cancellations.bulkId), notInArray(cancellations.state, unsent))

/** Open ones of these states that nobody works on. */
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

/** As `isFree`, and due. One without a due time is due when its lease has run out: whoever was at it is gone. */
function isDue(ledger: Ledger, states: readonly CancellationState[]): SQL | undefined {
  return and(isFree(ledger, states), isPast(cancellations.dueAt, ledger.clock.store.sql))
}

async function take(
  { db, clock, rules, memory }: Ledger,
  which: SQL | undefined,
  most: number,
): Promise<CancellationRow[]> {
  // At rest there is none, every second: a look is a third of the work of a transaction, and tells nobody that the
  // store may have changed (countWrites).
  const seen = await db.select({ id: cancellations.id }).from(cancellations).where(which).limit(1)
  if (seen.length === 0) return []
  // An age below nothing would never end a grace.
  const notAhead = (column: typeof cancellations.stateSince | typeof cancellations.undecidedSince) =>
    sql`least(${column}, ${clock.store.sql()})`
  return db.transaction(async (tx) => {
    const free = tx
      .select({ id: cancellations.id })
      .from(cancellations)
      .where(which)
      .orderBy(asc(cancellations.dueAt))
      .limit(most)
      .for('update', { skipLocked: true })
    return tx
      .update(cancellations)
      .set({
        leaseHolder: memory.holder,
        leaseUntil: clock.store.sql(rules.lease),
        stateSince: notAhead(cancellations.stateSince),
        undecidedSince: sql`case when ${cancellations.undecidedSince} is null then null else ${notAhead(cancellations.undecidedSince)} end`,
      })
      .where(inArray(cancellations.id, free))
      .returning()
  })
}

/**
 * Takes at most `most` open cancellations of these states that are due and that nobody works on, for this
 * process alone, the longest due first; none of those that `except` names.
 */
export async function leaseDue(
  ledger: Ledger,
  states: readonly CancellationState[],
  { most, except = [] }: { most: number; except?: readonly string[] },
): Promise<CancellationRow[]> {
  if (most <= 0) return []
  const others = except.length > 0 ? notInArray(cancellations.id, [...except]) : undefined
  return take(ledger, and(isDue(ledger, states), others), most)
}

/** Takes those of these cancellations, by id, that are still open in these states and that nobody works on, due or not. */
export async function leaseByIds(
  ledger: Ledger,
  states: readonly CancellationState[],
  ids: readonly string[],
): Promise<CancellationRow[]> {
  if (ids.length === 0) return []
  return take(ledger, and(isFree(ledger, states), inArray(cancellations.id, [...ids])), ids.length)
}

/** The ids of those that are due and that nobody works on, at most `most` of them. Takes none. */
export async function findDue(
  ledger: Ledger,
  states: readonly CancellationState[],
  most: number,
): Promise<readonly string[]> {
  const rows = await ledger.db
    .select({ id: cancellations.id })
    .from(cancellations)
    .where(isDue(ledger, states))
    .limit(most)
  return rows.map(({ id }) => id)
}

/** One that fails must not keep the others; its lease runs out and it is taken up again. Never throws. */
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
