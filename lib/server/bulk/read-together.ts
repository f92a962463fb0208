import { formatFilter } from '@/lib/contract/filter'
import type { Ledger } from '../cancellations/ledger'
import { after } from '../cancellations/ledger-clock'
import { pickPayment, type Reading } from '../cancellations/pick-payment'
import { readList } from '../cancellations/read-list'

const busy = [401, 403, 429]

/**
 * Reads several payments by one filter by their ids, where the service has proven to honour one by one id: one request
 * in place of many. Those that it does not settle are not among the readings, and are to be read singly. Never throws.
 */
export async function readTogether(ledger: Ledger, paymentIds: readonly string[]): Promise<Map<string, Reading>> {
  const { memory, clock, rules } = ledger
  if (memory.idFilter !== 'holds' || memory.idsFilter === 'fails' || paymentIds.length < 2) return new Map()
  const filters = paymentIds.map((value) => ({ kind: 'compare', field: 'id', comparison: 'eq', value }) as const)
  const query = { filter: formatFilter({ kind: 'or', filters }), limit: paymentIds.length + 1 }
  const answer = await readList(ledger, query, { paced: false, until: after(clock.now(), rules.guardDeadline) })
  const all = (reading: Reading) => new Map(paymentIds.map((paymentId) => [paymentId, reading]))
  if (answer.kind === 'failed') return all({ kind: 'unreadable', why: answer.why })
  if (answer.kind === 'refused' && busy.includes(answer.status)) return all({ kind: 'unreadable', why: answer.why })
  const wanted = new Set(paymentIds.map((paymentId) => paymentId.toLowerCase()))
  const results = answer.kind === 'page' ? answer.page.results : []
  const isHonoured =
    answer.kind === 'page' &&
    answer.page.unreadable === 0 &&
    results.every(({ id }) => id !== null && wanted.has(id.toLowerCase()))
  // A service in trouble proves nothing; anybody else in its reply proves that it does not do what it was asked.
  if (!isHonoured) {
    if (answer.kind === 'page' || answer.status < 500) memory.idsFilter = 'fails'
    return new Map()
  }
  return new Map(
    paymentIds.flatMap((paymentId) => {
      const reading = pickPayment(results, paymentId)
      return reading ? [[paymentId, reading] as const] : []
    }),
  )
}
