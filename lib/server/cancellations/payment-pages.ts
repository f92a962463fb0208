import { setTimeout as wait } from 'node:timers/promises'
import type { ListQuery, Page } from '@/lib/api-contract/pagination'
import { listPayments, type Payment } from '@/lib/api-contract/payments'
import { hasConflictingField } from '@/lib/api-contract/record-fields'
import { idKey, pickById } from '@/lib/domain/ids'
import { followPages } from '@/lib/domain/lists/list-pages'
import { AppError } from '../runtime/app-error'
import { retryDelayMs } from '../upstream/retry'
import { SeenRows } from '../upstream/seen-rows'
import { addMilliseconds, type Ledger, normalizeState } from './ledger'

/** What reading one payment showed. `absent` requires the complete list without a defective entry. */
export type Reading = { kind: 'found'; payment: Payment } | { kind: 'absent' } | { kind: 'unreadable'; why: string }

/** Reasons that concern the payment or the list, not a temporary upstream failure. */
const LASTING_REASONS = [
  'absent',
  'contradiction',
  'unreadable-entries',
  'list-moved',
  'no-offset',
  'no-word',
  'offset-too-long',
  'page-too-long',
  'offset-repeated',
  'too-many-pages',
]

/** Whether reading again would not help. */
export function isLasting(why: string): boolean {
  return LASTING_REASONS.includes(why)
}

/** Contradictory duplicates of these fields make a payment unreadable: choosing one would gamble with money. */
const DECISIVE_FIELDS = ['amount', 'currency', 'status']

/** Picks the payment from a page; null if it has no such entry. Contradictory entries are `unreadable`. */
export function pickPayment(entries: readonly Payment[], paymentId: string): Reading | null {
  const found = pickById(entries, paymentId)
  const [first] = found
  if (!first) return null
  const agree = found.every(
    (entry) =>
      !hasConflictingField(entry, DECISIVE_FIELDS) &&
      normalizeState(entry.status) === normalizeState(first.status) &&
      normalizeState(entry.currency) === normalizeState(first.currency) &&
      entry.amount === first.amount,
  )
  return agree ? { kind: 'found', payment: first } : { kind: 'unreadable', why: 'contradiction' }
}

/** One page of payments, or the upstream status or error code that explains its absence. */
export type PageReply =
  | { kind: 'page'; page: Page<Payment> }
  | { kind: 'refused'; status: number; why: string }
  | { kind: 'failed'; why: string }

/** Whether the upstream API rejected the query itself; not our credential, our rate, or for a failure of its own. */
export function isRefusal(reply: PageReply): boolean {
  if (reply.kind !== 'refused') return false
  const { status } = reply
  return status >= 400 && status < 500 && ![401, 403, 407, 408, 425, 429].includes(status)
}

/**
 * `paced` waits for a slot among the ledger's reads; `until` is the deadline; `signal` ends the wait, not a request.
 * `isWaitedFor`: a person waits, so that it is sent even before the time that a 429 named (UP-07).
 */
export type ReadPace = { paced: boolean; until: Date; signal?: AbortSignal | undefined; isWaitedFor?: boolean }

const READ_TIMEOUT_MS = 10_000
const MAX_TRIES = 5

/** Waits unless nobody does so any more. */
async function pauseUnlessAborted(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => undefined)
}

const SLOWED_DOWN = 'status-429'

/** Milliseconds until the time that the upstream API named where it slowed a reading down; 0 if it named none. */
export function measureHold({ clock, memory }: Pick<Ledger, 'clock' | 'memory'>, why = SLOWED_DOWN): number {
  return why === SLOWED_DOWN ? Math.max(0, memory.heldUntil - clock.now().getTime()) : 0
}

/** What a hold keeps back is due again this soon: another desk may not be held, and asking whether this one is costs no request. */
export const MAX_HELD_PAUSE_MS = 5_000

/** Waits for a list slot; false if it would come too late or nobody waits for it any more. */
async function waitForSlot(ledger: Ledger, { paced, until, signal, isWaitedFor }: ReadPace): Promise<boolean> {
  const { clock, memory, rules } = ledger
  const isHeld = () => isWaitedFor !== true && measureHold(ledger) > 0
  if (!paced) return clock.now() < until && !isHeld()
  // Again where a 429 came after the slot was reserved.
  do {
    const now = clock.now().getTime()
    const pause = memory.reserveSlot({ now, until: until.getTime(), spacing: rules.listIntervalMs })
    if (pause === null) return false
    if (pause > 0) await pauseUnlessAborted(pause, signal)
    if (signal?.aborted) return false
  } while (isHeld())
  return true
}

/**
 * Reads one page of payments; never throws. A 429 delays every paced read of this connection. Until the time that it
 * named nothing is sent, and the reply is that 429 again, but where a person waits. What is read for that person ends
 * the time.
 */
export async function readPaymentPage(ledger: Ledger, query: ListQuery, pace: ReadPace): Promise<PageReply> {
  if (!(await waitForSlot(ledger, pace)))
    return measureHold(ledger) > 0
      ? { kind: 'refused', status: 429, why: SLOWED_DOWN }
      : { kind: 'failed', why: 'out-of-time' }
  await ledger.step('during-read')
  const remaining = pace.until.getTime() - ledger.clock.now().getTime()
  const { heldUntil } = ledger.memory
  const isHeld = measureHold(ledger) > 0
  try {
    const reply = await ledger.call(listPayments, {
      query,
      deadline: Math.max(1, Math.min(READ_TIMEOUT_MS, remaining)),
    })
    if (reply.status === 429) {
      const now = ledger.clock.now().getTime()
      const asked = retryDelayMs(reply.headers, ledger.clock.wall())
      if (asked === null) ledger.memory.slowDown(now + ledger.rules.pollIntervalMs * 5)
      else ledger.memory.hold(now + asked)
    }
    if (reply.status < 200 || reply.status >= 300)
      return { kind: 'refused', status: reply.status, why: `status-${reply.status}` }
    // Not by a reply to what was sent before the 429 came.
    if (isHeld) ledger.memory.endHold(heldUntil, ledger.clock.now().getTime() + ledger.rules.listIntervalMs)
    const parsed = listPayments.reply.safeParse(reply.json)
    return parsed.success ? { kind: 'page', page: parsed.data } : { kind: 'failed', why: 'upstream-bad-reply' }
  } catch (error) {
    return { kind: 'failed', why: error instanceof AppError ? error.code : 'internal' }
  }
}

/** Asks for one payment before the time that a 429 named, which ends where that is answered; returns what is left of it in ms. */
export async function askDuringHold(ledger: Ledger): Promise<number> {
  if (measureHold(ledger) > 0) {
    const until = addMilliseconds(ledger.clock.now(), ledger.rules.guardTimeoutMs)
    await readPaymentPage(ledger, { limit: 1 }, { paced: false, until, isWaitedFor: true })
  }
  return measureHold(ledger)
}

/**
 * `signal`: nobody waits for it any more. `isWaitedFor`: see ReadPace. `onRetry` is called before each pause, which with
 * its read is shorter than two minutes.
 */
type Retries = { signal?: AbortSignal; isWaitedFor?: boolean; onRetry: () => Promise<void> | void }

/**
 * Reads one page of payments of a list that is wanted whole. Waits after a 429 and tries other failures up to MAX_TRIES
 * times, except a rejected query or credential. Throws only what `onRetry` throws.
 */
export async function readPageWithRetry(
  ledger: Ledger,
  query: ListQuery,
  { signal, isWaitedFor = false, onRetry }: Retries,
): Promise<PageReply> {
  for (let tries = 1; ; tries += 1) {
    const now = ledger.clock.now()
    // No slot soon: the upstream API asked to slow down, and one more 429 would keep all paced reads back for longer.
    // Where none comes in time, a person who waits is not refused unasked.
    const until = addMilliseconds(now, 90_000)
    const hasSlotBy = (time: Date) => ledger.memory.hasSlotBy(time.getTime())
    const isBusy = !hasSlotBy(addMilliseconds(now, ledger.rules.listIntervalMs)) && hasSlotBy(until)
    const reply = await readPaymentPage(ledger, query, { paced: tries > 1 || isBusy, until, signal, isWaitedFor })
    const isFinal = reply.kind === 'page' || isRefusal(reply)
    const isUnauthorized = reply.kind === 'refused' && [401, 403].includes(reply.status)
    if (isFinal || isUnauthorized || tries === MAX_TRIES || signal?.aborted) return reply
    await onRetry()
    await pauseUnlessAborted(Math.min(ledger.rules.pollIntervalMs * 2 ** (tries - 1), 8_000), signal)
  }
}

const PAGE_SIZE = 100

/** Limits of a pass through the list that serves many cancellations: ten minutes at 10 requests a second (decision 0020). */
export const MAX_PASS_MS = 10 * 60_000
export const MAX_PASS_PAGES = 10_000

/** One page of payments and the time of the request, which is the age of its data. */
export type ListedPage = { entries: readonly Payment[]; at: Date }

/**
 * How pagination ended, with details in `why`. Only `whole` means that every entry of the list was read, as far as can be
 * seen: `list-moved` is an end after an entry that came twice, as another may have been passed over.
 */
export type PaginationEnd = {
  kind:
    | 'whole'
    | 'enough'
    | 'list-moved'
    | 'list-incomplete'
    | 'unreadable-entries'
    | 'list-too-long'
    | 'refused'
    | 'failed'
  why: string
}

type Pagination = {
  /** Reads one page; responsible for pacing and deadline. */
  read: (query: ListQuery) => Promise<PageReply>
  /** Maximum number of pages. */
  pages: number
  filter?: string | undefined
  orderby?: string | undefined
  /** Receives a page; returns true to stop. */
  take: (page: ListedPage) => Promise<boolean> | boolean
}

/**
 * Reads the payment list page by page until it ends, `take` stops it or it cannot be followed further. A missing
 * or repeated cursor counts as incomplete, not as the end. Throws what `take` throws.
 */
export async function paginatePayments(
  { clock }: Pick<Ledger, 'clock'>,
  { read, pages, filter, orderby, take }: Pagination,
): Promise<PaginationEnd> {
  const follow = followPages()
  let after: string | undefined
  let allReadable = true
  const met = new SeenRows()
  for (let page = 0; page < pages; page += 1) {
    const at = clock.store.now()
    const reply = await read({
      limit: PAGE_SIZE,
      ...(filter && { filter }),
      ...(orderby && { orderby }),
      ...(after !== undefined && { after }),
    })
    if (reply.kind !== 'page') return { kind: isRefusal(reply) ? 'refused' : 'failed', why: reply.why }
    const { results, unreadable } = reply.page
    const next = follow(reply.page.continuation)
    if (unreadable > 0 || results.some(({ id }) => id === null)) allReadable = false
    met.meet(results)
    const isEnough = await take({ entries: results, at })
    if (next.kind === 'end') {
      const kind = !allReadable ? 'unreadable-entries' : met.hasMoved ? 'list-moved' : 'whole'
      return { kind, why: kind }
    }
    if (isEnough) return { kind: 'enough', why: 'enough' }
    if (next.kind === 'incomplete') return { kind: 'list-incomplete', why: next.reason }
    after = next.after
  }
  return { kind: 'list-too-long', why: 'too-many-pages' }
}

/** Paginates for a list in preparation, for which a person waits; see readPageWithRetry. */
export function paginateWithRetry(
  ledger: Ledger,
  { filter, orderby, take, onRetry }: Pick<Pagination, 'filter' | 'orderby' | 'take'> & Pick<Retries, 'onRetry'>,
): Promise<PaginationEnd> {
  const read = (query: ListQuery) => readPageWithRetry(ledger, query, { isWaitedFor: true, onRetry })
  return paginatePayments(ledger, { read, pages: 20_000, filter, orderby, take })
}

/** The reading of a payment that no page contained: `absent` only if the whole list was read. */
export function resolveUnlisted({ kind, why }: PaginationEnd): Exclude<Reading, { kind: 'found' }> {
  return kind === 'whole' ? { kind: 'absent' } : { kind: 'unreadable', why }
}

type ListSearch = {
  read: Pagination['read']
  pages: number
  /**
   * Receives what a page showed, by the given ids, and the page's time: a reading is as old as its page. Returns true to
   * stop.
   */
  onPage: (readings: ReadonlyMap<string, Reading>, at: Date) => Promise<boolean> | boolean
}

/**
 * Reads the payment list once, until all these payments are found, it ends or `onPage` stops it. What its end means for
 * the others says `resolveUnlisted`. Throws what `onPage` throws.
 */
export async function findPaymentsInList(
  ledger: Pick<Ledger, 'clock'>,
  paymentIds: readonly string[],
  { read, pages, onPage }: ListSearch,
): Promise<PaginationEnd> {
  const missing = new Map(paymentIds.map((paymentId) => [idKey(paymentId), paymentId]))
  const take = async ({ entries, at }: ListedPage) => {
    const readings = new Map<string, Reading>()
    for (const { id } of entries) {
      const paymentId = id === null ? undefined : missing.get(idKey(id))
      if (paymentId === undefined) continue
      missing.delete(idKey(paymentId))
      readings.set(paymentId, pickPayment(entries, paymentId) ?? { kind: 'unreadable', why: 'internal' })
    }
    return (await onPage(readings, at)) || missing.size === 0
  }
  return paginatePayments(ledger, { read, pages, take })
}
