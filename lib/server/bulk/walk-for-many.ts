import type { Ledger } from '../cancellations/ledger'
import { pickPayment, type Reading } from '../cancellations/pick-payment'
import type { ReadPace } from '../cancellations/read-list'
import { walkPages } from '../cancellations/walk-pages'

/** Walks the list of payments once for many of them, until all are found or it ends; see walkPages. Never throws. */
export async function walkForMany(
  ledger: Ledger,
  paymentIds: readonly string[],
  pace: ReadPace & { pages: number },
): Promise<Map<string, Reading>> {
  const readings = new Map<string, Reading>()
  const wanted = new Map(paymentIds.map((paymentId) => [paymentId.toLowerCase(), paymentId]))
  const pages = walkPages(ledger, pace)
  while (wanted.size > 0) {
    const page = await pages.next()
    if (page.done) {
      for (const paymentId of wanted.values()) readings.set(paymentId, page.value)
      break
    }
    const { entries } = page.value
    for (const { id } of entries) {
      const paymentId = id === null ? undefined : wanted.get(id.toLowerCase())
      if (paymentId === undefined) continue
      wanted.delete(paymentId.toLowerCase())
      readings.set(paymentId, pickPayment(entries, paymentId) ?? { kind: 'unreadable', why: 'internal' })
    }
  }
  return readings
}
