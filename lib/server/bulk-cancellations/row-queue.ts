import { and, asc, eq, sql } from 'drizzle-orm'
import { hasPermission, permissionForList } from '@/lib/api-contract/permission'
import { addMilliseconds, type CancellationRow, elapsed, type Ledger } from '../cancellations/ledger'
import {
  findPaymentsInList,
  isLasting,
  MAX_PASS_MS,
  MAX_PASS_PAGES,
  type Reading,
  readPageWithRetry,
  resolveUnlisted,
} from '../cancellations/payment-pages'
import { canFilterByIds, MAX_IDS_PER_FILTER, readSingle, readTogether } from '../cancellations/read-payment'
import { apiTokens } from '../store/api-token-schema'
import { bulks } from '../store/bulk-schema'
import { memberships, users } from '../store/schema'
import { stopAllUnsent } from './change-bulk'
import type { BulkRow } from './queries'
import { type Claim, claimRows, hasSentSince, listUnsent, releaseRows, renewRows } from './row-leases'

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
    // Retention keeps the token of an open bulk. Nobody knows of one that is gone all the same that it was not revoked.
    const mayToken = bulk.confirmed?.apiToken === undefined || (token !== null && token.revokedAt === null)
    return { bulk, problem: !mayCancel ? 'revoked' : mayToken ? null : 'token-revoked' }
  })
}

/** A leased row, and how to read its payment when its turn comes; null if it must be queued again to be read. */
export type ClaimedRow = { row: CancellationRow; read: () => Promise<Reading | null> }

/** After `until` another process may lease the row. */
type QueuedRow = ClaimedRow & { until: Date }

/** How many rows share a pass through the payment list. */
const MAX_ROWS_PER_PASS = 200
/** Maximum age of the page on which a row is sent. */
const LIST_READING_LIFETIME_MS = 60_000
/** Short beside a pass, so that the rows of a process that died are soon free; renewed while the pass goes on. */
const PASS_LEASE_MS = 120_000
const PASS_LEASE_RENEWAL_MS = 30_000
/** The longest that a pass may take with the requests that the provider had to be asked again. */
const MAX_HINDERED_PASS_MS = 3 * MAX_PASS_MS
const PAUSE_AFTER_FAILED_STOP_MS = 5_000
/** How long a row that the filter did not show waits for the rows of other bulks before a pass looks for it. */
const MAX_UNSHOWN_MS = 5 * 60_000
/** How many passes may miss a row while requests are sent, before its payment counts as unreadable. */
const MAX_PASSES_AMID_SENDS = 20
/** Share of a lease within which a row's turn may begin. */
const LEASE_SHARE = 0.8

/** A pass through the payment list, and the leased rows that it still looks for, by payment id. */
type ListPass = { wanted: Map<string, CancellationRow>; pauses: AbortController; ended: Promise<void> }

/** Since when, and how many passes missed it, by what they said. */
type Unshown = { at: Date; misses: Record<string, number> }

type ClaimOptions = { limit: number; isAhead: boolean; except: readonly string[] }

/**
 * `onQueued` and `onFailure` are called for what happens after `refill`: a pass through the payment list takes long.
 * `countWithin`: about how many rows can be sent within this many ms.
 */
type QueueEvents = {
  onQueued: () => void
  onFailure: (error: unknown) => void
  countWithin: (milliseconds: number) => number
  isSending: () => boolean
}

/** Rows that this process works on next, a few at a time from each running bulk in turn. */
export class RowQueue {
  readonly #ledger: Ledger
  #queued: QueuedRow[] = []
  #turn = 0
  /** Of bulks that may not go on, none of whose rows is sent meanwhile. */
  #stopsDueAt = new Date(0)
  #refilling: Promise<void> | null = null
  #pass: ListPass | null = null
  /** The rows that a filter or a pass did not show, by id: only a pass can read them. */
  readonly #unshown = new Map<string, Unshown>()
  #lastPassMs = 0
  readonly #on: QueueEvents

  constructor(ledger: Ledger, on: QueueEvents) {
    this.#ledger = ledger
    this.#on = on
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

  /**
   * Leases up to `limit` rows of the next bulk in turn. Without a filter by id it starts a pass through the payment list
   * instead, unless one is under way, for rows of all bulks.
   */
  refill(limit: number, isAhead = false): Promise<void> {
    this.#refilling ??= this.#refill(limit, isAhead).finally(() => {
      this.#refilling = null
    })
    return this.#refilling
  }

  /** Like `refill`, and starts reading the rows, so that they are ready in time. Not if that takes the whole list. */
  async refillAhead(limit: number): Promise<void> {
    if (canFilterByIds(await this.#ledger.capabilities.read(), 1)) await this.refill(limit, true)
  }

  /** Releases all waiting rows, or those of one bulk. */
  async release(bulkId?: string): Promise<void> {
    await this.#refilling?.catch(() => undefined)
    await this.#releaseWhere((row) => bulkId === undefined || row.bulkId === bulkId)
  }

  /** Releases all rows and resolves when nothing is read any more. */
  async close(): Promise<void> {
    try {
      await this.release()
    } finally {
      await this.#pass?.ended
    }
  }

  async #releaseWhere(isReleased: (row: CancellationRow) => boolean): Promise<void> {
    const wanted = [...(this.#pass?.wanted.values() ?? [])].filter(isReleased)
    for (const { paymentId } of wanted) this.#pass?.wanted.delete(paymentId)
    if (this.#pass?.wanted.size === 0) this.#pass.pauses.abort()
    const queued = this.#queued.map(({ row }) => row).filter(isReleased)
    this.#queued = this.#queued.filter(({ row }) => !isReleased(row))
    await releaseRows(this.#ledger, [...queued, ...wanted])
  }

  async #refill(limit: number, isAhead: boolean): Promise<void> {
    const running = await findRunningBulks(this.#ledger)
    const now = this.#ledger.clock.now()
    if (now >= this.#stopsDueAt && !(await stopAllUnsent(this.#ledger, running)))
      this.#stopsDueAt = addMilliseconds(now, PAUSE_AFTER_FAILED_STOP_MS)
    const allowed = running.filter(({ problem }) => problem === null)
    const bulkIds = allowed.map(({ bulk }) => bulk.id)
    if (this.#pass) await this.#releaseWhere(({ bulkId }) => !bulkIds.includes(bulkId ?? ''))
    const unshown = await this.#listUnshown(bulkIds)
    const isFull = unshown.length >= MAX_ROWS_PER_PASS
    if (isFull) await this.#startPass(bulkIds, { only: unshown })
    let leased = 0
    if (!canFilterByIds(await this.#ledger.capabilities.read(), 1))
      leased = await this.#startPass(bulkIds, { except: unshown })
    else if (!isFull || !this.#pass) leased = await this.#claimInTurn(bulkIds, { limit, isAhead, except: unshown })
    const isAtRest = leased === 0 && this.#queued.length === 0 && !this.#on.isSending()
    const overdue = unshown.filter((id) => this.#isOverdue(id, now))
    // Last where they are few, as what is sent meanwhile moves the list; but each is looked for before long.
    if (isAtRest && unshown.length > 0 && !isAhead) await this.#startPass(bulkIds, { only: unshown })
    else if (overdue.length > 0) await this.#startPass(bulkIds, { only: overdue })
  }

  #isOverdue(id: string, now: Date): boolean {
    const row = this.#unshown.get(id)
    return row !== undefined && Object.keys(row.misses).length === 0 && elapsed(row.at, now) > MAX_UNSHOWN_MS
  }

  /** The rows in #unshown that are still to be sent. Forgets the others. */
  async #listUnshown(bulkIds: readonly string[]): Promise<string[]> {
    const ids = [...this.#unshown.keys()]
    const unsent = new Set(await listUnsent(this.#ledger, bulkIds, ids))
    for (const id of ids) if (!unsent.has(id)) this.#unshown.delete(id)
    return [...unsent]
  }

  /**
   * Reads all rows in one request, now or at the first row's turn. Rows whose turn comes later are read anew, and those that it
   * did not show alone. What no filter shows is left to a pass: a search through the list for each would flood the upstream API.
   */
  #readByFilter(rows: readonly CancellationRow[], isAhead: boolean): ClaimedRow[] {
    const ledger = this.#ledger
    const pace = () => ({ paced: false, until: addMilliseconds(ledger.clock.now(), ledger.rules.guardTimeoutMs) })
    const start = async () => {
      const at = ledger.clock.now()
      const paymentIds = rows.map(({ paymentId }) => paymentId)
      return { at, readings: await readTogether(ledger, paymentIds, pace()) }
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
        if (reading) return reading
        const alone = await readSingle(ledger, row.paymentId, pace())
        // Where the filter is known to fail by now, a pass looks for all rows.
        const isUnshown = alone === null && canFilterByIds(await ledger.capabilities.read(), 1)
        if (isUnshown && !this.#unshown.has(row.id)) this.#unshown.set(row.id, { at: ledger.clock.now(), misses: {} })
        return alone
      },
    }))
  }

  /** Leases rows of the next bulk in turn that has some, and returns how many. */
  async #claimInTurn(bulkIds: readonly string[], options: ClaimOptions): Promise<number> {
    let leased = 0
    for (let step = 0; step < bulkIds.length && leased === 0; step += 1) {
      this.#turn += 1
      const next = bulkIds[this.#turn % bulkIds.length]
      if (next) leased = await this.#claim(next, options)
    }
    return leased
  }

  async #claim(bulkId: string, { limit, isAhead, except }: ClaimOptions): Promise<number> {
    const { clock, rules } = this.#ledger
    const startedAt = clock.now()
    const most = Math.min(limit, MAX_IDS_PER_FILTER)
    const rows = await claimRows(this.#ledger, bulkId, { limit: most, lease: rules.leaseMs, except })
    const until = addMilliseconds(startedAt, rules.leaseMs * LEASE_SHARE)
    this.#queued.push(...this.#readByFilter(rows, isAhead).map((one) => ({ ...one, until })))
    return rows.length
  }

  /** Starts a pass for rows of these bulks, unless one is under way. Returns how many it leased. */
  async #startPass(bulkIds: readonly string[], which: Pick<Claim, 'only' | 'except'>): Promise<number> {
    if (this.#pass) return 0
    const startedAt = this.#ledger.clock.now()
    const wanted = new Map<string, CancellationRow>()
    // More would have to be looked for again: what a page shows is sent within a minute, while the pass goes on.
    const within = Math.max(LIST_READING_LIFETIME_MS, this.#lastPassMs)
    const most = Math.min(MAX_ROWS_PER_PASS, this.#on.countWithin(within))
    for (const bulkId of bulkIds) {
      const limit = Math.max(1, Math.ceil(most / bulkIds.length))
      const rows = await claimRows(this.#ledger, bulkId, { limit, lease: PASS_LEASE_MS, ...which })
      for (const row of rows) wanted.set(row.paymentId, row)
    }
    if (wanted.size === 0) return 0
    const pauses = new AbortController()
    const ended = this.#passThroughList({ wanted, pauses }, startedAt)
      .catch((error: unknown) => this.#on.onFailure(error))
      .finally(() => {
        this.#lastPassMs = elapsed(startedAt, this.#ledger.clock.now())
        this.#pass = null
        this.#on.onQueued()
      })
    this.#pass = { wanted, pauses, ended }
    return wanted.size
  }

  /** Queues each row as soon as a page shows its payment, and at the end those that no page showed. */
  async #passThroughList({ wanted, pauses }: Omit<ListPass, 'ended'>, startedAt: Date): Promise<void> {
    const { clock, rules } = this.#ledger
    const since = clock.store.now()
    let leasedAt = startedAt
    /** Spent on pages that had to be asked for again: the list is no longer for it. */
    let hinderedMs = 0
    const readPage = (query: Parameters<typeof readPageWithRetry>[1]) => {
      const begunAt = clock.now()
      let retries = 0
      const onRetry = () => void (retries += 1)
      return readPageWithRetry(this.#ledger, query, { signal: pauses.signal, onRetry }).finally(() => {
        if (retries > 0) hinderedMs += elapsed(begunAt, clock.now())
      })
    }
    const isTooLong = () => elapsed(startedAt, clock.now()) - hinderedMs > MAX_PASS_MS
    const keepLeases = async () => {
      const now = clock.now()
      if (elapsed(leasedAt, now) < PASS_LEASE_RENEWAL_MS) return
      const rows = await renewRows(this.#ledger, [...wanted.values()], PASS_LEASE_MS)
      leasedAt = now
      const kept = new Map(rows.map((row) => [row.id, row]))
      for (const [paymentId, { id }] of wanted) {
        const row = kept.get(id)
        if (row) wanted.set(paymentId, row)
        else wanted.delete(paymentId)
      }
    }
    const queue = (paymentId: string, reading: Reading, at: Date) => {
      const row = wanted.get(paymentId)
      if (!row) return
      wanted.delete(paymentId)
      if (reading.kind === 'found') this.#unshown.delete(row.id)
      const isFresh = () => elapsed(at, clock.store.now()) <= LIST_READING_LIFETIME_MS
      const read = () => Promise.resolve(isFresh() ? reading : null)
      this.#queued.push({ row, read, until: addMilliseconds(leasedAt, PASS_LEASE_MS * LEASE_SHARE) })
    }
    const end = await findPaymentsInList(this.#ledger, [...wanted.keys()], {
      read: readPage,
      pages: MAX_PASS_PAGES,
      onPage: async (readings, at) => {
        await keepLeases()
        for (const [paymentId, reading] of readings) queue(paymentId, reading, at)
        if (readings.size > 0) this.#on.onQueued()
        return wanted.size === 0 || isTooLong() || elapsed(startedAt, clock.now()) > MAX_HINDERED_PASS_MS
      },
    })
    // Where its length alone ended the pass, later ones would get no further, and the row would wait for ever.
    const why = isTooLong() ? 'too-many-pages' : 'out-of-time'
    const unlisted: Reading = end.kind === 'enough' ? { kind: 'unreadable', why } : resolveUnlisted(end)
    await keepLeases()
    const rows = [...wanted.values()]
    const { told, reading } = await this.#judgeMissed(rows, unlisted, since)
    for (const { paymentId } of told) queue(paymentId, reading, clock.store.now())
    // After a pass that took long the rows behind these have their turn first.
    const pause = Math.max(rules.pollIntervalMs, elapsed(startedAt, clock.now()))
    const others = rows.filter((row) => !told.includes(row))
    await releaseRows(this.#ledger, others, pause)
  }

  /**
   * The rows of which a pass tells that did not show them, and what it tells. The others are looked for again, until two passes
   * have ended in the same way.
   */
  async #judgeMissed(
    rows: readonly CancellationRow[],
    unlisted: Exclude<Reading, { kind: 'found' }>,
    since: Date,
  ): Promise<{ told: readonly CancellationRow[]; reading: Reading }> {
    const why = unlisted.kind === 'absent' ? 'absent' : unlisted.why
    // A failure of the pass counts once.
    if (unlisted.kind === 'unreadable' && !isLasting(why)) return { told: rows.slice(0, 1), reading: unlisted }
    // Another pass would get no further.
    if (why === 'too-many-pages') return { told: rows, reading: unlisted }
    // A cancelled payment may leave the list or go to its end, which moves others to pages that were read before.
    const isAmidSends = rows.length > 0 && (await hasSentSince(this.#ledger, since))
    const [kind, enough] = isAmidSends ? ['amid-sends', MAX_PASSES_AMID_SENDS] : [why, 2]
    const told = rows.filter(({ id }) => {
      const { at, misses } = this.#unshown.get(id) ?? { at: this.#ledger.clock.now(), misses: {} }
      const count = (misses[kind] ?? 0) + 1
      this.#unshown.set(id, { at, misses: { ...misses, [kind]: count } })
      return count >= enough
    })
    return { told, reading: isAmidSends && why === 'absent' ? { kind: 'unreadable', why: 'list-moved' } : unlisted }
  }
}
