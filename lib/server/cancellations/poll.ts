import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Payment } from '@/lib/api-contract/payments'
import { idKey } from '@/lib/domain/ids'
import { isStorable } from '@/lib/domain/text/is-storable'
import { cancellations, idKeyOf } from '../store/schema'
import { findDue, leaseByIds, runIsolated, postpone } from './leases'
import { addMilliseconds, type CancellationRow, classifyState, elapsed, type Ledger } from './ledger'
import {
  type ListedPage,
  MAX_PASS_MS,
  MAX_PASS_PAGES,
  paginatePayments,
  pickPayment,
  type Reading,
  readPaymentPage,
  resolveUnlisted,
} from './payment-pages'
import { readSingle, readTogether } from './read-payment'
import { applyReading, type Resend } from './reconcile'
import { pollingStates } from './states'

const MAX_COOLDOWN_MS = 60_000
const MAX_WANTED = 50_000
const BATCH_SIZE = 100
/** Multiple of `pollIntervalMs`. */
const LONG_SLOW_DOWN_FACTOR = 10

/** Cancellations on this page that wait for a reading. Costs as much as the page is long, however many are open. */
async function findPollingRows(ledger: Ledger, entries: readonly Payment[]): Promise<CancellationRow[]> {
  // No cancellation has an id that the store cannot hold, and one with NUL would end the query for all.
  const ids = entries.flatMap(({ id }) => (id === null || !isStorable(id) ? [] : [idKey(id)]))
  if (ids.length === 0) return []
  return ledger.db
    .select()
    .from(cancellations)
    .where(
      and(
        eq(cancellations.connectionId, ledger.connectionId),
        isNull(cancellations.closedAt),
        inArray(cancellations.state, [...pollingStates]),
        inArray(idKeyOf(cancellations.paymentId), ids),
      ),
    )
}

/** Whether to use this reading: if one is wanted or due, and always if it shows a cancelled payment. */
function shouldApply({ clock, rules }: Ledger, row: CancellationRow, reading: Reading, wanted: boolean): boolean {
  if (wanted || row.dueAt === null || row.dueAt <= clock.store.now()) return true
  return reading.kind === 'found' && classifyState(reading.payment.status, rules) === 'cancelled'
}

/** One pass over the list: applies each page's readings, then resolves the wanted payments it never saw. */
class ListPoll {
  readonly resends: Promise<unknown>[] = []

  constructor(
    readonly ledger: Ledger,
    readonly wanted: Set<string>,
  ) {}

  async #apply(row: CancellationRow, reading: Reading, at: Date): Promise<void> {
    const resend: Resend | null = await runIsolated(this.ledger, row, () =>
      applyReading(this.ledger, row, { reading, at }),
    )
    if (resend) this.resends.push(resend())
  }

  async applyPage(entries: readonly Payment[], at: Date): Promise<void> {
    const readings = new Map<string, Reading>()
    for (const row of await findPollingRows(this.ledger, entries)) {
      const reading = pickPayment(entries, row.paymentId)
      const wanted = this.wanted.delete(row.id)
      this.ledger.memory.leaveListPollQueue(row.id)
      if (reading && shouldApply(this.ledger, row, reading, wanted)) readings.set(row.id, reading)
    }
    const rows = await leaseByIds(this.ledger, pollingStates, [...readings.keys()])
    // The rows share transactions; failures are reported one by one.
    await Promise.all(
      rows.map(async (row) => {
        const reading = readings.get(row.id)
        if (reading) await this.#apply(row, reading, at)
      }),
    )
  }

  async applyMissing(reading: Reading, startedAt: Date): Promise<void> {
    const ids = [...this.wanted]
    for (let start = 0; start < ids.length; start += BATCH_SIZE) {
      const part = ids.slice(start, start + BATCH_SIZE)
      for (const row of await leaseByIds(this.ledger, pollingStates, part)) {
        // Sent after this poll began, which therefore says nothing about it.
        if (row.stateSince > startedAt) await runIsolated(this.ledger, row, () => postpone(this.ledger, row, 0))
        else await this.#apply(row, reading, startedAt)
      }
      for (const id of part) this.ledger.memory.leaveListPollQueue(id)
    }
  }
}

/** Returns when the next list poll may start. */
async function pollListOnce(ledger: Ledger): Promise<number> {
  const { clock, memory } = ledger
  const [beganAt, storeStartedAt] = [clock.now(), clock.store.now()]
  const due = await findDue(ledger, pollingStates, MAX_WANTED)
  const poll = new ListPoll(ledger, new Set([...due, ...memory.listPollQueue]))
  const isOver = () => poll.wanted.size === 0 || memory.isStopping
  if (!isOver()) {
    const pace = { paced: true, until: addMilliseconds(beganAt, MAX_PASS_MS), signal: memory.stopSignal }
    const take = async ({ entries, at }: ListedPage) => {
      await poll.applyPage(entries, at)
      return isOver()
    }
    const end = await paginatePayments(ledger, {
      read: (query) => readPaymentPage(ledger, query, pace),
      pages: MAX_PASS_PAGES,
      take,
    })
    if (!isOver()) await poll.applyMissing(resolveUnlisted(end), storeStartedAt)
  }
  // Time spent waiting for resends does not count as polling time.
  const cooldown = Math.min(Math.max(elapsed(beganAt, clock.now()), ledger.rules.pollIntervalMs), MAX_COOLDOWN_MS)
  const nextPollAt = addMilliseconds(clock.now(), cooldown).getTime()
  await Promise.all(poll.resends)
  return nextPollAt
}

/**
 * Starts the list poll that all open cancellations share, or joins it. After a poll comes a cooldown as long as the
 * poll took, at most a minute. Requests are paced and limited in number and time; the cost depends on the list alone.
 * Returns null if no poll may start now. Never rejects.
 */
export function pollByList(ledger: Ledger): Promise<void> | null {
  const { memory, clock, rules } = ledger
  const now = clock.now().getTime()
  // During a long slow-down the first page would only fail.
  if (!memory.isListPollRunning && !memory.hasSlotBy(now + LONG_SLOW_DOWN_FACTOR * rules.pollIntervalMs)) return null
  return memory.shareListPoll(now, () =>
    pollListOnce(ledger).catch((error: unknown) => {
      ledger.report('walk-failed', { error })
      return addMilliseconds(clock.now(), rules.pollIntervalMs).getTime()
    }),
  )
}

/** Share of a lease that reads may use; the rest is for storing the results. */
const READ_LEASE_SHARE = 0.6

async function applyAndResend(ledger: Ledger, row: CancellationRow, reading: Reading, at: Date): Promise<void> {
  await (await applyReading(ledger, row, { reading, at }))?.()
}

/** Reads one payment by filter; if that is inconclusive, queues it for the list poll. */
async function readOne(ledger: Ledger, row: CancellationRow, until: Date): Promise<void> {
  const at = ledger.clock.store.now()
  const reading = await readSingle(ledger, row.paymentId, { paced: true, until })
  if (reading) return applyAndResend(ledger, row, reading, at)
  ledger.memory.queueForListPoll(row.id)
  await postpone(ledger, row, 0)
}

/**
 * Reads the payments of leased cancellations by filter, in one request where the upstream API supports it, and applies
 * the readings. Inconclusive ones are left to the list poll. Never rejects.
 */
export async function pollByFilter(ledger: Ledger, rows: readonly CancellationRow[]): Promise<void> {
  const { memory, clock, rules } = ledger
  memory.reads.begin(rows.length)
  const at = clock.store.now()
  const until = addMilliseconds(clock.now(), rules.leaseMs * READ_LEASE_SHARE)
  const paymentIds = rows.map(({ paymentId }) => paymentId)
  const readings = await readTogether(ledger, paymentIds, { paced: true, until })
  // The rows share transactions.
  await Promise.all(
    rows.map(async (row) => {
      await runIsolated(ledger, row, () => {
        const reading = readings.get(row.paymentId)
        return reading ? applyAndResend(ledger, row, reading, at) : readOne(ledger, row, until)
      })
      memory.reads.end()
      // After `reads.end`, because a list poll takes long and must not block other reads.
      if (memory.listPollQueue.has(row.id)) await pollByList(ledger)
    }),
  )
}
