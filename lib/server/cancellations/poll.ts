import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Payment } from '@/lib/api-contract/payments'
import { idKey } from '@/lib/domain/ids'
import { cancellations, idKeyOf } from '../store/schema'
import { findDue, leaseByIds, runIsolated } from './leases'
import { after, type CancellationRow, classifyState, elapsed, type Ledger } from './ledger'
import {
  type ListedPage,
  paginatePayments,
  pickPayment,
  type Reading,
  readPaymentPage,
  resolveUnlisted,
} from './payment-pages'
import { readSingle, readTogether } from './read-payment'
import { applyReading, postpone, type Resend } from './reconcile'
import { pollingStates } from './states'

/** A walk ends here even if the list does not: 10 requests a second for ten minutes. */
const walkFor = 10 * 60_000
const mostPages = 10_000
const longestRest = 60_000
const mostWanted = 50_000
const batch = 100
/** So many times the pause between two reads. */
const leaveAlone = 10

/** Those of a page whose cancellation waits for a read; its cost is that of the page, however many are open. */
async function findMet(ledger: Ledger, entries: readonly Payment[]): Promise<CancellationRow[]> {
  const ids = entries.flatMap(({ id }) => (id === null ? [] : [idKey(id)]))
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

/** Whether a read of now is used: when one is due, and for what is cancelled at any time. */
function isWorthIt({ clock, rules }: Ledger, row: CancellationRow, reading: Reading, wanted: boolean): boolean {
  if (wanted || row.dueAt === null || row.dueAt <= clock.store.now()) return true
  return reading.kind === 'found' && classifyState(reading.payment.status, rules) === 'cancelled'
}

/** One walk: settles whatever it meets, and in the end those it was begun for and never met. */
class ListPoll {
  readonly resends: Promise<unknown>[] = []

  constructor(
    readonly ledger: Ledger,
    readonly wanted: Set<string>,
  ) {}

  async #settle(row: CancellationRow, reading: Reading, at: Date): Promise<void> {
    const resend: Resend | null = await runIsolated(this.ledger, row, () =>
      applyReading(this.ledger, row, { reading, at }),
    )
    if (resend) this.resends.push(resend())
  }

  async settlePage(entries: readonly Payment[], at: Date): Promise<void> {
    const readings = new Map<string, Reading>()
    for (const row of await findMet(this.ledger, entries)) {
      const reading = pickPayment(entries, row.paymentId)
      const wanted = this.wanted.delete(row.id)
      this.ledger.memory.leaveWalkQueue(row.id)
      if (reading && isWorthIt(this.ledger, row, reading, wanted)) readings.set(row.id, reading)
    }
    const rows = await leaseByIds(this.ledger, pollingStates, [...readings.keys()])
    // Together they share transactions; what fails is told one by one.
    await Promise.all(
      rows.map(async (row) => {
        const reading = readings.get(row.id)
        if (reading) await this.#settle(row, reading, at)
      }),
    )
  }

  async settleMissing(reading: Reading, began: Date): Promise<void> {
    const ids = [...this.wanted]
    for (let start = 0; start < ids.length; start += batch) {
      const part = ids.slice(start, start + batch)
      for (const row of await leaseByIds(this.ledger, pollingStates, part)) {
        // Sent meanwhile: this walk says nothing of it.
        if (row.stateSince > began) await runIsolated(this.ledger, row, () => postpone(this.ledger, row, 0))
        else await this.#settle(row, reading, began)
      }
      for (const id of part) this.ledger.memory.leaveWalkQueue(id)
    }
  }
}

/** Answers when the next walk may begin. */
async function pollListOnce(ledger: Ledger): Promise<number> {
  const { clock, memory } = ledger
  const [began, asked] = [clock.now(), clock.store.now()]
  const due = await findDue(ledger, pollingStates, mostWanted)
  const walk = new ListPoll(ledger, new Set([...due, ...memory.walkQueue]))
  const isOver = () => walk.wanted.size === 0 || memory.isStopping
  if (!isOver()) {
    const pace = { paced: true, until: after(began, walkFor) }
    const take = async ({ entries, at }: ListedPage) => {
      await walk.settlePage(entries, at)
      return isOver()
    }
    const end = await paginatePayments(ledger, {
      read: (query) => readPaymentPage(ledger, query, pace),
      pages: mostPages,
      take,
    })
    if (!isOver()) await walk.settleMissing(resolveUnlisted(end), asked)
  }
  // What takes as long as the service does is not part of the walk.
  const rest = Math.min(Math.max(elapsed(began, clock.now()), ledger.rules.readEvery), longestRest)
  const nextWalkAt = after(clock.now(), rest).getTime()
  await Promise.all(walk.resends)
  return nextWalkAt
}

/**
 * Begins the one walk of the list that all open cancellations share, unless it is under way or was just done:
 * then it rests as long as it took, at most a minute. Reads are paced, pages and time bounded, and what it
 * costs depends on the list alone. Answers the walk under way, null while none may begin; it never rejects.
 */
export function pollByList(ledger: Ledger): Promise<void> | null {
  const { memory, clock, rules } = ledger
  const now = clock.now().getTime()
  // Where the service wants to be left alone for long, its first page would only fail.
  if (!memory.isWalking && !memory.hasTurnBy(now + leaveAlone * rules.readEvery)) return null
  return memory.shareWalk(now, () =>
    pollListOnce(ledger).catch((error: unknown) => {
      ledger.report('walk-failed', { error })
      return after(clock.now(), rules.readEvery).getTime()
    }),
  )
}

/** So much of a lease a read may use; the rest is for writing down what it showed. */
const share = 0.6

async function settle(ledger: Ledger, row: CancellationRow, reading: Reading, at: Date): Promise<void> {
  await (await applyReading(ledger, row, { reading, at }))?.()
}

/** Reads one by itself, and leaves it to the walk where that says nothing of it. */
async function readOne(ledger: Ledger, row: CancellationRow, until: Date): Promise<void> {
  const at = ledger.clock.store.now()
  const reading = await readSingle(ledger, row.paymentId, { paced: true, until })
  if (reading) return settle(ledger, row, reading, at)
  ledger.memory.queueForWalk(row.id)
  await postpone(ledger, row, 0)
}

/**
 * Reads the payments of leased cancellations, several by one request where the service can, else one by one, and
 * applies what they show; where a filter brings nothing the shared walk is to tell. Never rejects.
 */
export async function pollByFilter(ledger: Ledger, rows: readonly CancellationRow[]): Promise<void> {
  const { memory, clock, rules } = ledger
  memory.reads.begin(rows.length)
  const at = clock.store.now()
  const until = after(clock.now(), rules.lease * share)
  const paymentIds = rows.map(({ paymentId }) => paymentId)
  const readings = await readTogether(ledger, paymentIds, { paced: true, until })
  // Together they share transactions.
  await Promise.all(
    rows.map(async (row) => {
      await runIsolated(ledger, row, () => {
        const reading = readings.get(row.paymentId)
        return reading ? settle(ledger, row, reading, at) : readOne(ledger, row, until)
      })
      memory.reads.end()
      // A walk takes long, and keeps no other read waiting.
      if (memory.walkQueue.has(row.id)) await pollByList(ledger)
    }),
  )
}
