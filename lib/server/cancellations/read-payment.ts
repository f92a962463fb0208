import { type Filter, formatFilter } from '@/lib/api-contract/filter'
import type { ListQuery, Page } from '@/lib/api-contract/pagination'
import type { Payment } from '@/lib/api-contract/payments'
import { isSameId, isUuid } from '@/lib/domain/ids'
import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import { addMilliseconds, type Ledger } from './ledger'
import {
  findPaymentsInList,
  isRefusal,
  type PageReply,
  pickPayment,
  type Reading,
  type ReadPace,
  readPaymentPage,
  resolveUnlisted,
} from './payment-pages'

/**
 * Result of a filter by ids. `isWhole`: the upstream API has no further payments with these ids. `unsettled`: the
 * filter is unsupported or was rejected, so the list must be read.
 */
export type Filtered =
  | { kind: 'page'; entries: readonly Payment[]; isWhole: boolean }
  | { kind: 'unsettled' }
  | { kind: 'unreadable'; why: string }

/** Whether a filter by this many ids may be sent: one until that is known to fail, several once that is proven. */
export function canFilterByIds(proofs: CapabilityProofs, ids: number): boolean {
  return ids === 1 ? proofs['eq:id'] !== false : proofs['eq:id'] === true && proofs['eq:ids'] !== false
}

function makeQuery(ids: readonly string[]): ListQuery {
  const filters = ids.map((value): Filter => ({ kind: 'compare', field: 'id', comparison: 'eq', value }))
  const [first] = filters
  const filter: Filter = first && filters.length === 1 ? first : { kind: 'or', filters }
  return { filter: formatFilter(filter), limit: ids.length + 1 }
}

/** Errors about our credential, rate or the network say nothing about the filter. */
function toInconclusive(reply: Exclude<PageReply, { kind: 'page' }>, isProven: boolean): Filtered {
  const { why } = reply
  // An upstream API that fails on a filter may still return its list.
  const mayBeFilter = reply.kind === 'refused' ? ![401, 403, 429].includes(reply.status) : why === 'upstream-bad-reply'
  return mayBeFilter && !isProven ? { kind: 'unsettled' } : { kind: 'unreadable', why }
}

/** What a filter's failure means: where the plain list fails too, the filter isn't to blame, and reading the list is of no use. */
const blameFilter = (plain: PageReply): Filtered =>
  plain.kind === 'page' ? { kind: 'unsettled' } : { kind: 'unreadable', why: plain.why }

const isRequestedOf =
  (ids: readonly string[]) =>
  ({ id }: Payment) =>
    ids.some((wanted) => isSameId(id, wanted))

function hasStranger({ results }: Page<Payment>, ids: readonly string[]): boolean {
  return results.some((entry) => entry.id !== null && !isRequestedOf(ids)(entry))
}

/**
 * Reads payments by one filter over their ids, and records what the reply proves about this capability: exactly the
 * requested payments prove it, any other payment disproves it, where it was proven in two replies. One rejection may be a passing error; it disproves the
 * filter only if the plain list works and the filter is rejected again, and not if the id may be what is rejected.
 * `read` reads one page and is responsible for pacing and deadline. Never throws.
 */
export async function filterPayments(
  { capabilities }: Pick<Ledger, 'capabilities'>,
  ids: readonly string[],
  read: (query: ListQuery) => Promise<PageReply>,
): Promise<Filtered> {
  const capability = ids.length === 1 ? 'eq:id' : 'eq:ids'
  const proofs = await capabilities.read()
  if (ids.length === 0 || !canFilterByIds(proofs, ids.length)) return { kind: 'unsettled' }
  const query = makeQuery(ids)
  let reply = await read(query)
  if (isRefusal(reply)) {
    const plain = await read({ limit: 1 })
    reply = await read(query)
    // Where all ids are UUIDs, any other is refused, whatever the filter can do.
    const mayBeId =
      plain.kind === 'page' && !ids.every(isUuid) && plain.page.results.every(({ id }) => isUuid(id ?? ''))
    if (isRefusal(reply) && plain.kind === 'page' && !mayBeId) await capabilities.note({ [capability]: false })
    if (reply.kind !== 'page') return blameFilter(plain)
  }
  const isProven = (proofs[capability] ?? (ids.length > 1 && proofs.or)) === true
  if (isProven && reply.kind === 'page' && hasStranger(reply.page, ids)) reply = await read(query)
  if (reply.kind !== 'page') {
    const filtered = toInconclusive(reply, isProven)
    return filtered.kind === 'unsettled' ? blameFilter(await read({ limit: 1 })) : filtered
  }
  const { results, unreadable, continuation } = reply.page
  const isExact = results.length === ids.length && ids.every((wanted) => results.some(({ id }) => isSameId(id, wanted)))
  if (hasStranger(reply.page, ids)) await capabilities.note({ [capability]: false })
  else if (isExact) await capabilities.note({ [capability]: true })
  // A parser that stops at the first id returns only that payment.
  const isConsistent = unreadable === 0 && continuation.kind === 'end' && results.every(isRequestedOf(ids))
  const isWhole = isConsistent && (isProven || isExact)
  return { kind: 'page', entries: results, isWhole }
}

/** Keeps the URL below 2,000 characters, which every server accepts. */
export const MAX_IDS_PER_FILTER = 25

async function readFiltered(
  ledger: Ledger,
  paymentIds: readonly string[],
  pace: ReadPace,
): Promise<Map<string, Reading>> {
  const filtered = await filterPayments(ledger, paymentIds, (query) => readPaymentPage(ledger, query, pace))
  if (filtered.kind === 'unsettled') return new Map()
  return new Map(
    paymentIds.flatMap((paymentId) => {
      const reading = filtered.kind === 'page' ? pickPayment(filtered.entries, paymentId) : filtered
      return reading ? [[paymentId, reading] as const] : []
    }),
  )
}

/** Reads up to `MAX_IDS_PER_FILTER` payments in one request. Omits those to be read singly. Never throws. */
export async function readTogether(
  ledger: Ledger,
  paymentIds: readonly string[],
  pace: ReadPace,
): Promise<Map<string, Reading>> {
  return paymentIds.length < 2 ? new Map() : readFiltered(ledger, paymentIds, pace)
}

/** Reads one payment by a filter by its id. Null if that is inconclusive: the list must be read. Never throws. */
export async function readSingle(ledger: Ledger, paymentId: string, pace: ReadPace): Promise<Reading | null> {
  return (await readFiltered(ledger, [paymentId], pace)).get(paymentId) ?? null
}

const MAX_GUARD_PAGES = 50

/** Reads one payment at once: within `guardTimeoutMs` and MAX_GUARD_PAGES. `isWaitedFor`: see ReadPace. Never throws. */
export async function readPayment(
  ledger: Ledger,
  paymentId: string,
  { isWaitedFor = false }: { isWaitedFor?: boolean } = {},
): Promise<Reading> {
  const until = addMilliseconds(ledger.clock.now(), ledger.rules.guardTimeoutMs)
  const pace = { paced: false, until, isWaitedFor }
  const reading = await readSingle(ledger, paymentId, pace)
  if (reading) return reading
  const listed = new Map<string, Reading>()
  const end = await findPaymentsInList(ledger, [paymentId], {
    read: (query) => readPaymentPage(ledger, query, pace),
    pages: MAX_GUARD_PAGES,
    onPage: (readings) => {
      for (const [id, found] of readings) listed.set(id, found)
      return false
    },
  })
  return listed.get(paymentId) ?? resolveUnlisted(end)
}
