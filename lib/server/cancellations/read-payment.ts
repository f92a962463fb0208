import { formatFilter } from '@/lib/contract/filter'
import type { Ledger } from './ledger'
import { after } from './ledger-clock'
import { isSameId, pickPayment, type Reading } from './pick-payment'
import { type ListAnswer, type ReadPace, readList } from './read-list'
import { walkPayments } from './walk-payments'

/** Judges the reply to a filter by one id: a reading, or null when the list must be walked. */
function judgeFiltered({ memory }: Ledger, answer: ListAnswer, paymentId: string): Reading | null {
  if (answer.kind === 'page') {
    const { results } = answer.page
    const reading = pickPayment(results, paymentId)
    // Exactly the one asked for proves the filter; anybody else in the reply proves that it is not honoured.
    if (results.length === 1 && reading) memory.idFilter = 'holds'
    else if (results.some(({ id }) => !isSameId(id, paymentId))) memory.idFilter = 'fails'
    return reading
  }
  if (answer.kind === 'refused') {
    const { status, why } = answer
    if ([401, 403, 429].includes(status)) return { kind: 'unreadable', why }
    if (status < 500) memory.idFilter = 'fails'
    else if (memory.idFilter === 'holds') return { kind: 'unreadable', why }
    return null
  }
  // A service that chokes on a filter may still give its list.
  if (answer.why === 'upstream-bad-reply' && memory.idFilter !== 'holds') return null
  return { kind: 'unreadable', why: answer.why }
}

/**
 * Reads one payment by a filter by its id: one request. Null when that says nothing of it: where the service
 * honours no such filter, or finds nothing, the list must be walked. Never throws.
 */
export async function readSingle(ledger: Ledger, paymentId: string, pace: ReadPace): Promise<Reading | null> {
  if (ledger.memory.idFilter === 'fails') return null
  const filter = formatFilter({ kind: 'compare', field: 'id', comparison: 'eq', value: paymentId })
  return judgeFiltered(ledger, await readList(ledger, { filter, limit: 2 }, pace), paymentId)
}

const guardPages = 50

/** Reads one payment while somebody waits: at most `guardDeadline`, at most 50 pages. Never throws. */
export async function readPayment(ledger: Ledger, paymentId: string): Promise<Reading> {
  const pace = { paced: false, until: after(ledger.clock.now(), ledger.rules.guardDeadline) }
  const reading = await readSingle(ledger, paymentId, pace)
  if (reading) return reading
  const walked = await walkPayments(ledger, [paymentId], { ...pace, pages: guardPages })
  return walked.get(paymentId) ?? { kind: 'unreadable', why: 'internal' }
}
