import { addDays } from '@/lib/api-contract/business-days'
import type { OverviewFigures, Tally } from '@/lib/domain/overview'
import type { Payment } from '@/lib/api-contract/payments'
import { dayInZone, parseBusinessDay } from '@/lib/domain/date'
import { parseMillionths, formatMillionths } from '@/lib/domain/amount-sums'
import { normalizeState, classifyState, type LedgerRules } from '../cancellations/ledger'

type Heap = { count: number; sum: bigint }

type Group = {
  mode: OverviewFigures['mode']
  currency: string | null
  days: Map<string, Heap>
  months: Map<string, Heap>
  heaps: Record<'later' | 'overdue' | 'rejected' | 'chargebacks' | 'closingSoon', Heap>
  unreadAmounts: number
}

/** How many days ahead are shown one by one. */
const daysAhead = 28
const monthsBack = 12
const soon = 2

const empty = (): Heap => ({ count: 0, sum: 0n })
const write = ({ count, sum }: Heap): Tally => ({ count, sum: formatMillionths(sum) })

function add(heap: Heap, amount: bigint | null): void {
  heap.count += 1
  heap.sum += amount ?? 0n
}

function heapAt(heaps: Map<string, Heap>, at: string): Heap {
  const heap = heaps.get(at) ?? empty()
  heaps.set(at, heap)
  return heap
}

function writeSpans(heaps: Map<string, Heap>): OverviewFigures['toCome'] {
  return [...heaps].map(([at, heap]) => ({ at, ...write(heap) })).toSorted((one, other) => (one.at < other.at ? -1 : 1))
}

/**
 * Counts payments into the figures of the overview, live apart from test and each currency by itself. `zone` is
 * that of business dates. What "settled", "rejected" and "chargeback" are called is decision 0002's word, whatever
 * its case: the interface names no such states.
 */
export class PaymentTally {
  counted = 0
  readonly #groups = new Map<string, Group>()
  readonly #seen = new Set<string>()
  readonly #today: string

  constructor(
    private readonly rules: LedgerRules,
    private readonly zone: string,
    now: Date,
  ) {
    this.#today = dayInZone(now.getTime(), zone)
  }

  #groupOf({ test, currency }: Payment): Group {
    const mode = test === null ? 'unsaid' : test ? 'test' : 'live'
    const key = `${mode} ${currency ?? ''}`
    const known = this.#groups.get(key)
    if (known) return known
    const heaps = { later: empty(), overdue: empty(), rejected: empty(), chargebacks: empty(), closingSoon: empty() }
    const made = { mode, currency, days: new Map(), months: new Map(), heaps, unreadAmounts: 0 } as const
    this.#groups.set(key, made)
    return made
  }

  #addOpen({ days, heaps }: Group, payment: Payment, amount: bigint | null, isCancellable: boolean): void {
    const debited =
      parseBusinessDay(payment.paymentDate, this.zone) ?? parseBusinessDay(payment.scheduleDate, this.zone)
    const closes = parseBusinessDay(payment.scheduleDate, this.zone)
    if (isCancellable && closes !== null && closes >= this.#today && closes <= addDays(this.#today, soon))
      add(heaps.closingSoon, amount)
    if (debited === null || debited > addDays(this.#today, daysAhead)) add(heaps.later, amount)
    else if (debited < this.#today) add(heaps.overdue, amount)
    else add(heapAt(days, debited), amount)
  }

  #addEnded({ months, heaps }: Group, payment: Payment, amount: bigint | null): void {
    const state = normalizeState(payment.status)
    if (state === 'rejected') add(heaps.rejected, amount)
    if (state === 'chargeback') add(heaps.chargebacks, amount)
    if (state !== 'settled') return
    const day = parseBusinessDay(payment.settlementDate, this.zone) ?? parseBusinessDay(payment.paymentDate, this.zone)
    if (day !== null && day.slice(0, 7) > addDays(this.#today, -31 * monthsBack).slice(0, 7))
      add(heapAt(months, day.slice(0, 7)), amount)
  }

  /** Counts what was not counted before; one that has no id cannot be known again and is counted. */
  add(payments: readonly Payment[]): void {
    for (const payment of payments) {
      if (payment.id !== null && this.#seen.has(payment.id)) continue
      if (payment.id !== null) this.#seen.add(payment.id)
      this.counted += 1
      const group = this.#groupOf(payment)
      const amount = parseMillionths(payment.amount)
      if (amount === null) group.unreadAmounts += 1
      const judged = classifyState(payment.status, this.rules)
      if (judged === 'final') this.#addEnded(group, payment, amount)
      else if (judged !== 'cancelled') this.#addOpen(group, payment, amount, judged === 'cancellable')
    }
  }

  figures(): OverviewFigures[] {
    return [...this.#groups.values()].map(({ mode, currency, days, months, heaps, unreadAmounts }) => ({
      mode,
      currency,
      toCome: writeSpans(days),
      settled: writeSpans(months),
      later: write(heaps.later),
      overdue: write(heaps.overdue),
      rejected: write(heaps.rejected),
      chargebacks: write(heaps.chargebacks),
      closingSoon: write(heaps.closingSoon),
      unreadAmounts,
    }))
  }
}
