import { filterPayments } from './filter-payments'
import type { Ledger } from './ledger'
import { after } from './ledger-clock'
import { pickPayment, type Reading } from './pick-payment'
import { type ReadPace, readList } from './read-list'
import { walkForPayments } from './walk-pages'

/** So many ids make an address of less than two thousand characters, which every server takes. */
export const mostTogether = 25

async function readFiltered(
  ledger: Ledger,
  paymentIds: readonly string[],
  pace: ReadPace,
): Promise<Map<string, Reading>> {
  const filtered = await filterPayments(ledger, paymentIds, (query) => readList(ledger, query, pace))
  if (filtered.kind === 'unsettled') return new Map()
  return new Map(
    paymentIds.flatMap((paymentId) => {
      const reading = filtered.kind === 'page' ? pickPayment(filtered.entries, paymentId) : filtered
      return reading ? [[paymentId, reading] as const] : []
    }),
  )
}

/**
 * Reads several payments, at most `mostTogether`, by one filter by their ids: one request in place of many. Those
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
  const walked = await walkForPayments(ledger, [paymentId], { ...pace, pages: guardPages })
  return walked.get(paymentId) ?? { kind: 'unreadable', why: 'internal' }
}
