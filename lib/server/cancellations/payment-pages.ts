import { setTimeout as wait } from 'node:timers/promises'
import type { ListQuery, Page } from '@/lib/api-contract/pagination'
import { listPayments, type Payment } from '@/lib/api-contract/payments'
import { hasConflictingField } from '@/lib/api-contract/record-fields'
import { idKey, pickById } from '@/lib/domain/ids'
import { followPages } from '@/lib/domain/lists/list-pages'
import { AppError } from '../runtime/app-error'
import { retryDelayMs } from '../upstream/retry'
import { after, type Ledger, normalizeState } from './ledger'

/**
 * What a read showed of one payment. `absent` is said only of a list that was read to its end, entry by
 * entry; everything else that is not `found` is `unreadable`, with the reason.
 */
export type Reading = { kind: 'found'; payment: Payment } | { kind: 'absent' } | { kind: 'unreadable'; why: string }

/** What a payment must not say twice if it is to be cancelled: which of two holds would be a guess about money. */
const decisive = ['amount', 'currency', 'status']

/** The entry with this id among those of one page; entries that contradict each other or themselves are no reading at all. */
export function pickPayment(entries: readonly Payment[], paymentId: string): Reading | null {
  const found = pickById(entries, paymentId)
  const [first] = found
  if (!first) return null
  const agree = found.every(
    (entry) =>
      !hasConflictingField(entry, decisive) &&
      normalizeState(entry.status) === normalizeState(first.status) &&
      entry.amount === first.amount,
  )
  return agree ? { kind: 'found', payment: first } : { kind: 'unreadable', why: 'contradiction' }
}

/** One page of the payments, or why there is none: the status the service answered, or the failure's code. */
export type PageReply =
  | { kind: 'page'; page: Page<Payment> }
  | { kind: 'refused'; status: number; why: string }
  | { kind: 'failed'; why: string }

/** Neither our credential, nor our pace, nor a service in trouble: it says no to the question itself. */
export function isRefusal(answer: PageReply): boolean {
  if (answer.kind !== 'refused') return false
  const { status } = answer
  return status >= 400 && status < 500 && ![401, 403, 407, 408, 425, 429].includes(status)
}

/** How patient a read is: `paced` waits for its turn among the ledger's own reads; `until` is when it must be done. */
export type ReadPace = { paced: boolean; until: Date }

const readDeadline = 10_000
const mostTries = 5

/** Waits for the ledger's turn at the service; false when that would be too late. */
async function takeTurn({ clock, memory, rules }: Ledger, { paced, until }: ReadPace): Promise<boolean> {
  const now = clock.now().getTime()
  if (!paced) return now < until.getTime()
  const pause = memory.takeTurn({ now, until: until.getTime(), spacing: rules.listEvery })
  if (pause === null) return false
  if (pause > 0) await wait(pause)
  return true
}

/**
 * Reads one page of the payments for the ledger; never throws. A 429 makes every paced read of this
 * connection wait as long as the service asks.
 */
export async function readPaymentPage(ledger: Ledger, query: ListQuery, pace: ReadPace): Promise<PageReply> {
  if (!(await takeTurn(ledger, pace))) return { kind: 'failed', why: 'out-of-time' }
  await ledger.step('during-read')
  const left = pace.until.getTime() - ledger.clock.now().getTime()
  try {
    const reply = await ledger.call(listPayments, { query, deadline: Math.max(1, Math.min(readDeadline, left)) })
    if (reply.status === 429) {
      const now = ledger.clock.now()
      const pause = retryDelayMs(reply.headers['retry-after'], ledger.clock.wall()) ?? ledger.rules.readEvery * 5
      ledger.memory.slowDown(now.getTime() + pause)
    }
    if (reply.status < 200 || reply.status >= 300)
      return { kind: 'refused', status: reply.status, why: `status-${reply.status}` }
    const read = listPayments.reply.safeParse(reply.json)
    return read.success ? { kind: 'page', page: read.data } : { kind: 'failed', why: 'upstream-bad-reply' }
  } catch (error) {
    return { kind: 'failed', why: error instanceof AppError ? error.code : 'internal' }
  }
}

/**
 * Reads one page of the payments for a list that is being made: what is asked to slow down waits for its turn, what
 * fails is tried again up to five times, unless the service says no to the question or to our credential.
 */
export async function readPageWithRetry(ledger: Ledger, query: ListQuery): Promise<PageReply> {
  for (let tries = 1; ; tries += 1) {
    const until = after(ledger.clock.now(), 90_000)
    const answer = await readPaymentPage(ledger, query, { paced: tries > 1, until })
    const isFinal = answer.kind === 'page' || isRefusal(answer)
    const isHopeless = answer.kind === 'refused' && [401, 403].includes(answer.status)
    if (isFinal || isHopeless || tries === mostTries) return answer
    await wait(Math.min(ledger.rules.readEvery * 2 ** (tries - 1), 8_000))
  }
}

const pageLimit = 100

/** One page of the payments, and when it was asked for: so old is what it says. */
export type ListedPage = { entries: readonly Payment[]; at: Date }

/** How a walk ended; `why` is more exact. Only `whole` means that every entry of the list was read. */
export type PaginationEnd = {
  kind: 'whole' | 'enough' | 'list-incomplete' | 'unreadable-entries' | 'list-too-long' | 'refused' | 'failed'
  why: string
}

type Pagination = {
  /** Reads one page; it decides on pace and time. */
  read: (query: ListQuery) => Promise<PageReply>
  /** So many are read at most. */
  pages: number
  /** Walks the payments of this filter alone. */
  filter?: string | undefined
  /** Answers whether it has had enough. */
  take: (page: ListedPage) => Promise<boolean> | boolean
}

/**
 * Walks the list of payments page by page, until `take` has had enough or the list ends or cannot be followed to its
 * end. Nothing but a literal end of the list is its end: a missing or repeated cursor leaves it incomplete. Throws
 * what `take` throws.
 */
export async function paginatePayments(
  { clock }: Pick<Ledger, 'clock'>,
  { read, pages, filter, take }: Pagination,
): Promise<PaginationEnd> {
  const follow = followPages()
  let after: string | undefined
  let isSound = true
  for (let page = 0; page < pages; page += 1) {
    const at = clock.store.now()
    const answer = await read({ limit: pageLimit, ...(filter && { filter }), ...(after !== undefined && { after }) })
    if (answer.kind !== 'page') return { kind: isRefusal(answer) ? 'refused' : 'failed', why: answer.why }
    const { results, unreadable } = answer.page
    const next = follow(answer.page.continuation)
    if (unreadable > 0 || results.some(({ id }) => id === null)) isSound = false
    if (await take({ entries: results, at })) return { kind: 'enough', why: 'enough' }
    if (next.kind === 'end') {
      const kind = isSound ? 'whole' : 'unreadable-entries'
      return { kind, why: kind }
    }
    if (next.kind === 'incomplete') return { kind: 'list-incomplete', why: next.reason }
    after = next.after
  }
  return { kind: 'list-too-long', why: 'too-many-pages' }
}

/** Walks the payments, those of `filter` if it is given, for a list that is being made; see readPageWithRetry. */
export function paginateWithRetry(
  ledger: Ledger,
  { filter, take }: Pick<Pagination, 'filter' | 'take'>,
): Promise<PaginationEnd> {
  return paginatePayments(ledger, { read: (query) => readPageWithRetry(ledger, query), pages: 20_000, filter, take })
}

/** What holds of a payment that no page of a walk had: only a list that was read whole makes it absent. */
export function resolveUnlisted({ kind, why }: PaginationEnd): Exclude<Reading, { kind: 'found' }> {
  return kind === 'whole' ? { kind: 'absent' } : { kind: 'unreadable', why }
}

/** Walks the list of payments once for these, until all are found or it ends. Never throws. */
export async function findPaymentsInList(
  ledger: Ledger,
  paymentIds: readonly string[],
  { pages, ...pace }: ReadPace & { pages: number },
): Promise<Map<string, Reading>> {
  const readings = new Map<string, Reading>()
  const wanted = new Map(paymentIds.map((paymentId) => [idKey(paymentId), paymentId]))
  const take = ({ entries }: ListedPage) => {
    for (const { id } of entries) {
      const paymentId = id === null ? undefined : wanted.get(idKey(id))
      if (paymentId === undefined) continue
      wanted.delete(idKey(paymentId))
      readings.set(paymentId, pickPayment(entries, paymentId) ?? { kind: 'unreadable', why: 'internal' })
    }
    return wanted.size === 0
  }
  const end = await paginatePayments(ledger, { read: (query) => readPaymentPage(ledger, query, pace), pages, take })
  for (const paymentId of wanted.values()) readings.set(paymentId, resolveUnlisted(end))
  return readings
}
