import { and, eq, inArray, isNull } from 'drizzle-orm'
import { idKey } from '@/lib/contract/ids'
import type { Payment } from '@/lib/contract/payments'
import { idKeyOf } from '../store/id-key'
import { cancellations } from '../store/schema'
import { attend } from './attend'
import type { CancellationRow, Ledger } from './ledger'
import { after, elapsed } from './ledger-clock'
import { judgeState } from './ledger-rules'
import { findDue, leaseThese } from './lease-due'
import { postpone } from './note-read'
import { pickPayment, type Reading } from './pick-payment'
import { readList } from './read-list'
import { type Resend, settleReading } from './settle-reading'
import { readingStates } from './states'
import { judgeUnmet, type WalkedPage, walkPages } from './walk-pages'

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
        inArray(cancellations.state, [...readingStates]),
        inArray(idKeyOf(cancellations.paymentId), ids),
      ),
    )
}

/** Whether a read of now is used: when one is due, and for what is cancelled at any time. */
function isWorthIt({ clock, rules }: Ledger, row: CancellationRow, reading: Reading, wanted: boolean): boolean {
  if (wanted || row.dueAt === null || row.dueAt <= clock.store.now()) return true
  return reading.kind === 'found' && judgeState(reading.payment.status, rules) === 'cancelled'
}

/** One walk: settles whatever it meets, and in the end those it was begun for and never met. */
class Walk {
  readonly resends: Promise<unknown>[] = []

  constructor(
    readonly ledger: Ledger,
    readonly wanted: Set<string>,
  ) {}

  async #settle(row: CancellationRow, reading: Reading, at: Date): Promise<void> {
    const resend: Resend | null = await attend(this.ledger, row, () => settleReading(this.ledger, row, { reading, at }))
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
    const rows = await leaseThese(this.ledger, readingStates, [...readings.keys()])
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
      for (const row of await leaseThese(this.ledger, readingStates, part)) {
        // Sent meanwhile: this walk says nothing of it.
        if (row.stateSince > began) await attend(this.ledger, row, () => postpone(this.ledger, row, 0))
        else await this.#settle(row, reading, began)
      }
      for (const id of part) this.ledger.memory.leaveWalkQueue(id)
    }
  }
}

/** Answers when the next walk may begin. */
async function walkOnce(ledger: Ledger): Promise<number> {
  const { clock, memory } = ledger
  const [began, asked] = [clock.now(), clock.store.now()]
  const due = await findDue(ledger, readingStates, mostWanted)
  const walk = new Walk(ledger, new Set([...due, ...memory.walkQueue]))
  const isOver = () => walk.wanted.size === 0 || memory.isStopping
  if (!isOver()) {
    const pace = { paced: true, until: after(began, walkFor) }
    const take = async ({ entries, at }: WalkedPage) => {
      await walk.settlePage(entries, at)
      return isOver()
    }
    const end = await walkPages(ledger, { read: (query) => readList(ledger, query, pace), pages: mostPages, take })
    if (!isOver()) await walk.settleMissing(judgeUnmet(end), asked)
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
export function walkList(ledger: Ledger): Promise<void> | null {
  const { memory, clock, rules } = ledger
  const now = clock.now().getTime()
  // Where the service wants to be left alone for long, its first page would only fail.
  if (!memory.isWalking && !memory.hasTurnBy(now + leaveAlone * rules.readEvery)) return null
  return memory.shareWalk(now, () =>
    walkOnce(ledger).catch((error: unknown) => {
      ledger.report('walk-failed', { error })
      return after(clock.now(), rules.readEvery).getTime()
    }),
  )
}
