import type { Proofs } from '@/lib/contract/ability'
import { type Filter, formatFilter } from '@/lib/contract/filter'
import { isSameId } from '@/lib/contract/ids'
import type { ListQuery } from '@/lib/contract/page'
import type { Payment } from '@/lib/contract/payments'
import type { Ledger } from './ledger'
import { isRefusal, type ListAnswer } from './read-list'

/**
 * What a filter by ids brought. `isWhole`: the service has no other payments of these ids. `unsettled`: it can not be
 * asked like this, or not now, and the list must be walked.
 */
export type Filtered =
  | { kind: 'page'; entries: readonly Payment[]; isWhole: boolean }
  | { kind: 'unsettled' }
  | { kind: 'unreadable'; why: string }

/** Whether a filter by so many ids may be sent: one is tried until it is known to fail, several once one is proven. */
export function mayFilter(proofs: Proofs, ids: number): boolean {
  return ids === 1 ? proofs['eq:id'] !== false : proofs['eq:id'] === true && proofs['eq:ids'] !== false
}

function makeQuery(ids: readonly string[]): ListQuery {
  const filters = ids.map((value): Filter => ({ kind: 'compare', field: 'id', comparison: 'eq', value }))
  const [first] = filters
  const filter: Filter = first && filters.length === 1 ? first : { kind: 'or', filters }
  return { filter: formatFilter(filter), limit: ids.length + 1 }
}

/** Neither our credential, nor our pace, nor a service in trouble says anything of a filter. */
function explainTrouble(answer: Exclude<ListAnswer, { kind: 'page' }>, isProven: boolean): Filtered {
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
  read: (query: ListQuery) => Promise<ListAnswer>,
): Promise<Filtered> {
  const ability = ids.length === 1 ? 'eq:id' : 'eq:ids'
  const proofs = await capabilities.read()
  if (ids.length === 0 || !mayFilter(proofs, ids.length)) return { kind: 'unsettled' }
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
