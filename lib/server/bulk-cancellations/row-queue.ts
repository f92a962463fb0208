import { and, asc, eq, inArray } from 'drizzle-orm'
import { hasPermission } from '@/lib/api-contract/permission'
import { isQueuedInBulk } from '../cancellations/leases'
import { addMilliseconds, type CancellationRow, elapsed, type Ledger } from '../cancellations/ledger'
import { findPaymentsInList, type Reading } from '../cancellations/payment-pages'
import { canFilterByIds, MAX_IDS_PER_FILTER, readPayment, readTogether } from '../cancellations/read-payment'
import { bulkRows, bulks } from '../store/bulk-schema'
import { isPast } from '../store/leases'
import { cancellations, memberships, users } from '../store/schema'
import { changeBulk } from './change-bulk'
import type { BulkRow } from './queries'

/** A bulk that runs, and whether whoever started it may still cancel payments. */
export type RunningBulk = { bulk: BulkRow; mayGoOn: boolean }

/** The running bulks of the connection, oldest first. Throws what the store throws. */
export async function findRunning({ db, connectionId, ownerId }: Ledger): Promise<RunningBulk[]> {
  const rows = await db
    .select({ bulk: bulks, disabledAt: users.disabledAt, role: memberships.role })
    .from(bulks)
    .leftJoin(users, eq(users.id, bulks.userId))
    .leftJoin(memberships, and(eq(memberships.userId, bulks.userId), eq(memberships.connectionId, bulks.connectionId)))
    .where(
      and(
        eq(bulks.connectionId, connectionId),
        ownerId === undefined ? undefined : eq(bulks.userId, ownerId),
        eq(bulks.state, 'running'),
      ),
    )
    .orderBy(asc(bulks.startedAt))
  return rows.map(({ bulk, disabledAt, role }) => ({
    bulk,
    mayGoOn: disabledAt === null && role !== null && hasPermission(role, 'cancel'),
  }))
}

/**
 * Takes rows of a bulk that may be sent now, for this process alone: two desks on one store share the work. Throws
 * what the store throws.
 */
export async function claimRows(
  ledger: Ledger,
  bulkId: string,
  most: number,
  lease: number,
): Promise<CancellationRow[]> {
  const { db, clock, memory } = ledger
  return db.transaction(async (tx) => {
    const due = tx
      .select({ id: cancellations.id })
      .from(cancellations)
      .innerJoin(bulkRows, eq(bulkRows.cancellationId, cancellations.id))
      .where(
        and(
          eq(cancellations.bulkId, bulkId),
          isQueuedInBulk,
          isPast(cancellations.dueAt, clock.store.sql),
          isPast(cancellations.leaseUntil, clock.store.sql),
        ),
      )
      // As the list was given: whoever pauses finds its beginning done.
      .orderBy(asc(bulkRows.position))
      .limit(most)
      .for('update', { of: cancellations, skipLocked: true })
    const ids = (await due).map(({ id }) => id)
    if (ids.length === 0) return []
    const taken = await tx
      .update(cancellations)
      .set({ leaseHolder: memory.holder, leaseUntil: clock.store.sql(lease) })
      .where(inArray(cancellations.id, ids))
      .returning()
    const places = new Map(ids.map((id, place) => [id, place]))
    return taken.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
  })
}

/** Gives rows back that were taken and not sent, to be taken again after `delay` milliseconds. */
export async function releaseRows(
  { db, clock, memory }: Ledger,
  rows: readonly CancellationRow[],
  delay = 0,
): Promise<void> {
  if (rows.length === 0) return
  await db
    .update(cancellations)
    .set({ leaseHolder: null, leaseUntil: null, ...(delay > 0 && { dueAt: clock.store.sql(delay) }) })
    .where(
      and(
        inArray(
          cancellations.id,
          rows.map(({ id }) => id),
        ),
        eq(cancellations.leaseHolder, memory.holder),
        isQueuedInBulk,
      ),
    )
}

/** Frees what an earlier process had taken, where no other can be at work. */
export async function freeLeases({ db, connectionId, isAlone }: Ledger): Promise<void> {
  if (!isAlone) return
  await db
    .update(cancellations)
    .set({ leaseHolder: null, leaseUntil: null })
    .where(and(eq(cancellations.connectionId, connectionId), isQueuedInBulk))
}

/** A row that was taken for this process, and how its payment is read when it is its turn. */
export type Claimed = { row: CancellationRow; read: () => Promise<Reading> }

/** Whoever takes it later than `until` may not be alone with it. */
type Waiting = Claimed & { until: Date }

/** With readings of a shared walk: they are as old as its begin. */
const sharedRows = 200
const sharedWalk = 60_000
const sharedPages = 10_000
const readingLives = 60_000

/** The rows that this process works on next, a few at a time, from each running bulk in turn. */
export class RowQueue {
  readonly #ledger: Ledger
  #waiting: Waiting[] = []
  #turn = 0
  #refilling: Promise<void> | null = null

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  get size(): number {
    return this.#waiting.length
  }

  /** The next row; undefined when none is left that was taken recently enough. */
  take(): Claimed | undefined {
    const now = this.#ledger.clock.now()
    this.#waiting = this.#waiting.filter(({ until }) => now < until)
    return this.#waiting.shift()
  }

  /** Takes up to `most` more rows of the next bulk whose turn it is. Throws what the store throws. */
  refill(most: number, isAhead = false): Promise<void> {
    this.#refilling ??= this.#refill(most, isAhead).finally(() => {
      this.#refilling = null
    })
    return this.#refilling
  }

  /**
   * As `refill`, and reads them already, so that the next are at hand when these are sent. Not where a reading
   * is a walk of the whole list: what it read would be old by then.
   */
  async refillAhead(most: number): Promise<void> {
    if (canFilterByIds(await this.#ledger.capabilities.read(), 1)) await this.refill(most, true)
  }

  /** Gives back what is left, all of it or that of one bulk. Throws what the store throws. */
  async giveBack(bulkId?: string): Promise<void> {
    await this.#refilling?.catch(() => undefined)
    const isGone = ({ row }: Claimed) => bulkId === undefined || row.bulkId === bulkId
    const gone = this.#waiting.filter(isGone)
    this.#waiting = this.#waiting.filter((one) => !isGone(one))
    await releaseRows(
      this.#ledger,
      gone.map(({ row }) => row),
    )
  }

  async #refill(most: number, isAhead: boolean): Promise<void> {
    const running = await findRunning(this.#ledger)
    for (const { bulk, mayGoOn } of running) {
      if (mayGoOn) continue
      await changeBulk(this.#ledger, bulk.id, { action: 'stop', actor: 'desk', problem: 'revoked' })
    }
    const able = running.filter(({ mayGoOn }) => mayGoOn)
    for (let step = 0, taken = 0; step < able.length && taken === 0; step += 1) {
      this.#turn += 1
      const next = able[this.#turn % able.length]
      if (next) taken = await this.#claim(next.bulk.id, most, isAhead)
    }
  }

  /** One request for all of them, at once or when it is the first one's turn; whose turn comes much later reads anew. */
  #readByFilter(rows: readonly CancellationRow[], isAhead: boolean): Claimed[] {
    const ledger = this.#ledger
    const begin = async () => {
      const at = ledger.clock.now()
      const pace = { paced: false, until: addMilliseconds(at, ledger.rules.guardDeadline) }
      const paymentIds = rows.map(({ paymentId }) => paymentId)
      return { at, readings: await readTogether(ledger, paymentIds, pace) }
    }
    let together = isAhead ? begin() : undefined
    return rows.map((row) => ({
      row,
      read: async () => {
        const asked = (together ??= begin())
        const { at, readings } = await asked
        const isFresh = elapsed(at, ledger.clock.now()) <= ledger.rules.freshFor
        const reading = isFresh ? readings.get(row.paymentId) : undefined
        // A failure counts for those that waited for it: whoever comes later asks anew.
        if (reading?.kind === 'unreadable' && together === asked) together = undefined
        return reading ?? readPayment(ledger, row.paymentId)
      },
    }))
  }

  /** Answers how many were taken. */
  async #claim(bulkId: string, most: number, isAhead: boolean): Promise<number> {
    const { capabilities, clock, rules } = this.#ledger
    // Where the service honours no filter by id, one walk of the list serves many.
    const isShared = !canFilterByIds(await capabilities.read(), 1)
    const lease = isShared ? sharedWalk + readingLives : rules.lease
    const began = clock.now()
    const rows = await claimRows(
      this.#ledger,
      bulkId,
      isShared ? sharedRows : Math.min(most, MAX_IDS_PER_FILTER),
      lease,
    )
    const claimed = isShared ? await this.#readByWalk(rows, began) : this.#readByFilter(rows, isAhead)
    this.#waiting.push(...claimed.map((one) => ({ ...one, until: addMilliseconds(began, lease * 0.8) })))
    return rows.length
  }

  async #readByWalk(rows: readonly CancellationRow[], began: Date): Promise<Claimed[]> {
    if (rows.length === 0) return []
    const { clock } = this.#ledger
    const ids = rows.map(({ paymentId }) => paymentId)
    const until = addMilliseconds(began, sharedWalk)
    const readings = await findPaymentsInList(this.#ledger, ids, { pages: sharedPages, paced: false, until })
    return rows.map((row) => ({
      row,
      read: () => {
        const isOld = elapsed(began, clock.now()) > readingLives
        const reading = isOld ? undefined : readings.get(row.paymentId)
        return Promise.resolve(reading ?? { kind: 'unreadable', why: 'out-of-time' })
      },
    }))
  }
}
