import { formatFilter } from '@/lib/contract/filter'
import type { Ledger } from './ledger'
import { pickPayment, type Reading } from './pick-payment'
import { type ReadPace, readList } from './read-list'

/** So many ids make an address of less than two thousand characters, which every server takes. */
export const mostTogether = 25

const busy = [401, 403, 429]

/** Whether the service has proven to honour a filter by one id, and was not seen to fail at one by several. */
export function mayReadTogether({ memory }: Pick<Ledger, 'memory'>): boolean {
  return memory.idFilter === 'holds' && memory.idsFilter !== 'fails'
}

/**
 * Reads several payments, at most `mostTogether`, by one filter by their ids, where the service is known to honour
 * one by one id: one request in place of many. Those that it does not settle are not among the readings, and are to
 * be read singly. Never throws.
 */
export async function readTogether(
  ledger: Ledger,
  paymentIds: readonly string[],
  pace: ReadPace,
): Promise<Map<string, Reading>> {
  const { memory } = ledger
  if (!mayReadTogether(ledger) || paymentIds.length < 2) return new Map()
  const filters = paymentIds.map((value) => ({ kind: 'compare', field: 'id', comparison: 'eq', value }) as const)
  const query = { filter: formatFilter({ kind: 'or', filters }), limit: paymentIds.length + 1 }
  const answer = await readList(ledger, query, pace)
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
