import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { hasPermission, permissionForList } from '@/lib/api-contract/permission'
import { isQueuedInBulk } from '../cancellations/leases'
import { addMilliseconds, type CancellationRow, elapsed, type Ledger } from '../cancellations/ledger'
import { findPaymentsInList, type Reading } from '../cancellations/payment-pages'
import { canFilterByIds, MAX_IDS_PER_FILTER, readPayment, readTogether } from '../cancellations/read-payment'
import { apiTokens } from '../store/api-token-schema'
import { bulkRows, bulks } from '../store/bulk-schema'
import { isPast } from '../store/leases'
import { cancellations, memberships, users } from '../store/schema'
import { changeBulk } from './change-bulk'
import type { BulkRow } from './queries'

/**
 * `problem`: why it must stop, null if it may go on. `revoked`: the user who started it may not cancel as many payments any
 * more; `token-revoked`: the API token that started it was revoked.
 */
export type RunningBulk = { bulk: BulkRow; problem: 'revoked' | 'token-revoked' | null }

/** The connection's running bulks, oldest first. */
export async function findRunningBulks({ db, connectionId, ownerId }: Ledger): Promise<RunningBulk[]> {
  const rows = await db
    .select({ bulk: bulks, disabledAt: users.disabledAt, role: memberships.role, token: apiTokens })
    .from(bulks)
    .leftJoin(users, eq(users.id, bulks.userId))
    .leftJoin(memberships, and(eq(memberships.userId, bulks.userId), eq(memberships.connectionId, bulks.connectionId)))
    .leftJoin(apiTokens, eq(apiTokens.id, sql`(${bulks.confirmed} -> 'apiToken' ->> 'id')::uuid`))
    .where(
      and(
        eq(bulks.connectionId, connectionId),
        ownerId === undefined ? undefined : eq(bulks.userId, ownerId),
        eq(bulks.state, 'running'),
      ),
    )
    .orderBy(asc(bulks.startedAt))
  return rows.map(({ bulk, disabledAt, role, token }) => {
    const mayCancel = disabledAt === null && role !== null && hasPermission(role, permissionForList(bulk.count))
    // One that was deleted has long ended.
    const mayToken = bulk.confirmed?.apiToken === undefined || (token !== null && token.revokedAt === null)
    return { bulk, problem: !mayCancel ? 'revoked' : mayToken ? null : 'token-revoked' }
  })
}

/** Leases sendable rows of a bulk to this process, so that several desks on one store can share the work. */
export async function claimRows(
  ledger: Ledger,
  bulkId: string,
  limit: number,
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
      // In list order, so that a paused bulk is done up to some row.
      .orderBy(asc(bulkRows.position))
      .limit(limit)
      .for('update', { of: cancellations, skipLocked: true })
    const ids = (await due).map(({ id }) => id)
    if (ids.length === 0) return []
    const leased = await tx
      .update(cancellations)
      .set({ leaseHolder: memory.holder, leaseUntil: clock.store.sql(lease) })
      .where(inArray(cancellations.id, ids))
      .returning()
    const positions = new Map(ids.map((id, place) => [id, place]))
    return leased.toSorted((one, other) => (positions.get(one.id) ?? 0) - (positions.get(other.id) ?? 0))
  })
}

/** Releases leased rows that were not sent, due again after `delay` ms. */
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

/** Releases leases of an earlier process, if no other process can exist. */
export async function freeLeases({ db, connectionId, isAlone }: Ledger): Promise<void> {
  if (!isAlone) return
  await db
    .update(cancellations)
    .set({ leaseHolder: null, leaseUntil: null })
    .where(and(eq(cancellations.connectionId, connectionId), isQueuedInBulk))
}

/** A leased row, and how to read its payment when its turn comes. */
export type ClaimedRow = { row: CancellationRow; read: () => Promise<Reading> }

/** After `until` another process may lease the row. */
type QueuedRow = ClaimedRow & { until: Date }

/** Limits for readings from the payment list. They are as old as the start of pagination. */
const LIST_READ_ROWS = 200
const LIST_READ_TIMEOUT_MS = 60_000
const LIST_READ_PAGES = 10_000
const LIST_READING_LIFETIME_MS = 60_000

/** Rows that this process works on next, a few at a time from each running bulk in turn. */
export class RowQueue {
  readonly #ledger: Ledger
  #queued: QueuedRow[] = []
  #turn = 0
  #refilling: Promise<void> | null = null

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  get size(): number {
    return this.#queued.length
  }

  /** The next row whose lease is still safe, if any. */
  take(): ClaimedRow | undefined {
    const now = this.#ledger.clock.now()
    this.#queued = this.#queued.filter(({ until }) => now < until)
    return this.#queued.shift()
  }

  /** Leases up to `limit` rows of the next bulk in turn. */
  refill(limit: number, isAhead = false): Promise<void> {
    this.#refilling ??= this.#refill(limit, isAhead).finally(() => {
      this.#refilling = null
    })
    return this.#refilling
  }

  /**
   * Like `refill`, and starts reading the rows, so that they are ready in time. Not if that takes the whole list: the
   * readings would be outdated by then.
   */
  async refillAhead(limit: number): Promise<void> {
    if (canFilterByIds(await this.#ledger.capabilities.read(), 1)) await this.refill(limit, true)
  }

  /** Releases all waiting rows, or those of one bulk. */
  async release(bulkId?: string): Promise<void> {
    await this.#refilling?.catch(() => undefined)
    const isReleased = ({ row }: ClaimedRow) => bulkId === undefined || row.bulkId === bulkId
    const released = this.#queued.filter(isReleased)
    this.#queued = this.#queued.filter((one) => !isReleased(one))
    await releaseRows(
      this.#ledger,
      released.map(({ row }) => row),
    )
  }

  async #refill(limit: number, isAhead: boolean): Promise<void> {
    const running = await findRunningBulks(this.#ledger)
    for (const { bulk, problem } of running)
      if (problem !== null) await changeBulk(this.#ledger, bulk.id, { action: 'stop', actor: 'desk', problem })
    const allowed = running.filter(({ problem }) => problem === null)
    for (let step = 0, leased = 0; step < allowed.length && leased === 0; step += 1) {
      this.#turn += 1
      const next = allowed[this.#turn % allowed.length]
      if (next) leased = await this.#claim(next.bulk.id, limit, isAhead)
    }
  }

  /** Reads all rows in one request, now or at the first row's turn. Rows whose turn comes later are read anew. */
  #readByFilter(rows: readonly CancellationRow[], isAhead: boolean): ClaimedRow[] {
    const ledger = this.#ledger
    const start = async () => {
      const at = ledger.clock.now()
      const pace = { paced: false, until: addMilliseconds(at, ledger.rules.guardTimeoutMs) }
      const paymentIds = rows.map(({ paymentId }) => paymentId)
      return { at, readings: await readTogether(ledger, paymentIds, pace) }
    }
    let shared = isAhead ? start() : undefined
    return rows.map((row) => ({
      row,
      read: async () => {
        const pending = (shared ??= start())
        const { at, readings } = await pending
        const isFresh = elapsed(at, ledger.clock.now()) <= ledger.rules.maxReadingAgeMs
        const reading = isFresh ? readings.get(row.paymentId) : undefined
        // A failure counts for the rows that waited for it; later ones start another request.
        if (reading?.kind === 'unreadable' && shared === pending) shared = undefined
        return reading ?? readPayment(ledger, row.paymentId)
      },
    }))
  }

  async #claim(bulkId: string, limit: number, isAhead: boolean): Promise<number> {
    const { capabilities, clock, rules } = this.#ledger
    // Without a filter by id, reading the list once serves many rows.
    const readsList = !canFilterByIds(await capabilities.read(), 1)
    const lease = readsList ? LIST_READ_TIMEOUT_MS + LIST_READING_LIFETIME_MS : rules.leaseMs
    const startedAt = clock.now()
    const rows = await claimRows(
      this.#ledger,
      bulkId,
      readsList ? LIST_READ_ROWS : Math.min(limit, MAX_IDS_PER_FILTER),
      lease,
    )
    const claimed = readsList ? await this.#readFromList(rows, startedAt) : this.#readByFilter(rows, isAhead)
    this.#queued.push(...claimed.map((one) => ({ ...one, until: addMilliseconds(startedAt, lease * 0.8) })))
    return rows.length
  }

  async #readFromList(rows: readonly CancellationRow[], startedAt: Date): Promise<ClaimedRow[]> {
    if (rows.length === 0) return []
    const { clock } = this.#ledger
    const ids = rows.map(({ paymentId }) => paymentId)
    const until = addMilliseconds(startedAt, LIST_READ_TIMEOUT_MS)
    const readings = await findPaymentsInList(this.#ledger, ids, { pages: LIST_READ_PAGES, paced: false, until })
    return rows.map((row) => ({
      row,
      read: () => {
        const isOutdated = elapsed(startedAt, clock.now()) > LIST_READING_LIFETIME_MS
        const reading = isOutdated ? undefined : readings.get(row.paymentId)
        return Promise.resolve(reading ?? { kind: 'unreadable', why: 'out-of-time' })
      },
    }))
  }
}
