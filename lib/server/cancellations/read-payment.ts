import { type Filter, formatFilter } from '@/lib/api-contract/filter'
import type { ListQuery } from '@/lib/api-contract/pagination'
import type { Payment } from '@/lib/api-contract/payments'
import { isSameId } from '@/lib/domain/ids'
import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import { after, type Ledger } from './ledger'
import {
  findPaymentsInList,
  isRefusal,
  type PageReply,
  pickPayment,
  type Reading,
  type ReadPace,
  readPaymentPage,
} from './payment-pages'

/**
 * What a filter by ids brought. `isWhole`: the service has no other payments of these ids. `unsettled`: it can not be
 * asked like this, or not now, and the list must be walked.
 */
export type Filtered =
  | { kind: 'page'; entries: readonly Payment[]; isWhole: boolean }
  | { kind: 'unsettled' }
  | { kind: 'unreadable'; why: string }

/** Whether a filter by so many ids may be sent: one is tried until it is known to fail, several once one is proven. */
export function canFilterByIds(proofs: CapabilityProofs, ids: number): boolean {
  return ids === 1 ? proofs['eq:id'] !== false : proofs['eq:id'] === true && proofs['eq:ids'] !== false
}

function makeQuery(ids: readonly string[]): ListQuery {
  const filters = ids.map((value): Filter => ({ kind: 'compare', field: 'id', comparison: 'eq', value }))
  const [first] = filters
  const filter: Filter = first && filters.length === 1 ? first : { kind: 'or', filters }
  return { filter: formatFilter(filter), limit: ids.length + 1 }
}

/** Neither our credential, nor our pace, nor a service in trouble says anything of a filter. */
function explainTrouble(answer: Exclude<PageReply, { kind: 'page' }>, isProven: boolean): Filtered {
  const { why } = answer
  // A service that chokes on a filter may still give its list.
  const mayChoke = answer.kind === 'refused' ? ![401, 403, 429].includes(answer.status) : why === 'upstream-bad-reply'
  return mayChoke && !isProven ? { kind: 'unsettled' } : { kind: 'unreadable', why }
}

/**
 * Asks the service for the payments of these ids by one filter, and keeps what the reply shows of its capabilities:
 * exactly those that were asked for prove the filter, anybody else disproves it. A refusal alone is a passing error:
 * it counts once the service gives its plain list in the same breath and refuses again. `read` reads one page; it
 * decides on pace and time. Never throws.
 */
export async function filterPayments(
  { capabilities }: Pick<Ledger, 'capabilities'>,
  ids: readonly string[],
  read: (query: ListQuery) => Promise<PageReply>,
): Promise<Filtered> {
  const ability = ids.length === 1 ? 'eq:id' : 'eq:ids'
  const proofs = await capabilities.read()
  if (ids.length === 0 || !canFilterByIds(proofs, ids.length)) return { kind: 'unsettled' }
  const query = makeQuery(ids)
  let answer = await read(query)
  if (isRefusal(answer)) {
    const plain = await read({ limit: 1 })
    answer = await read(query)
    if (isRefusal(answer) && plain.kind === 'page') await capabilities.note({ [ability]: false })
    if (answer.kind !== 'page') return { kind: 'unsettled' }
  }
  const isProven = (proofs[ability] ?? (ids.length > 1 && proofs.or)) === true
  if (answer.kind !== 'page') return explainTrouble(answer, isProven)
  const { results, unreadable, continuation } = answer.page
  const isAsked = ({ id }: Payment) => ids.some((wanted) => isSameId(id, wanted))
  const hasStranger = results.some((entry) => entry.id !== null && !isAsked(entry))
  const isExact = results.length === ids.length && ids.every((wanted) => results.some(({ id }) => isSameId(id, wanted)))
  if (hasStranger) await capabilities.note({ [ability]: false })
  else if (isExact) await capabilities.note({ [ability]: true })
  // Whoever understands the first name of several alone leaves the others out.
  const isSound = unreadable === 0 && continuation.kind === 'end' && results.every(isAsked)
  const isWhole = isSound && (isProven || isExact)
  return { kind: 'page', entries: results, isWhole }
}

/** So many ids make an address of less than two thousand characters, which every server takes. */
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

/**
 * Reads several payments, at most `MAX_IDS_PER_FILTER`, by one filter by their ids: one request in place of many. Those
 * that it does not settle are not among the readings, and are to be read singly. Never throws.
 */
export async function readTogether(
  ledger: Ledger,
  paymentIds: readonly string[],
  pace: ReadPace,
): Promise<Map<string, Reading>> {
  return paymentIds.length < 2 ? new Map() : readFiltered(ledger, paymentIds, pace)
}

/**
 * Reads one payment by a filter by its id. Null when that says nothing of it: where the service honours no such
 * filter, or finds nothing, the list must be walked. Never throws.
 */
export async function readSingle(ledger: Ledger, paymentId: string, pace: ReadPace): Promise<Reading | null> {
  return (await readFiltered(ledger, [paymentId], pace)).get(paymentId) ?? null
}

const guardPages = 50

/** Reads one payment while somebody waits: at most `guardDeadline`, at most 50 pages. Never throws. */
export async function readPayment(ledger: Ledger, paymentId: string): Promise<Reading> {
  const pace = { paced: false, until: after(ledger.clock.now(), ledger.rules.guardDeadline) }
  const reading = await readSingle(ledger, paymentId, pace)
  if (reading) return reading
  const walked = await findPaymentsInList(ledger, [paymentId], { ...pace, pages: guardPages })
  return walked.get(paymentId) ?? { kind: 'unreadable', why: 'internal' }
}
