import type { Payment } from '@/lib/contract/payments'
import type { Ledger } from './ledger'
import { pickPayment, type Reading } from './pick-payment'
import type { ReadPace } from './read-list'
import { walkPages } from './walk-pages'

/** Takes from one page what it says of the payments still looked for. */
function collect(entries: readonly Payment[], wanted: Set<string>, readings: Map<string, Reading>): void {
  for (const paymentId of wanted) {
    const reading = pickPayment(entries, paymentId)
    if (!reading) continue
    readings.set(paymentId, reading)
    wanted.delete(paymentId)
  }
}

/** Walks the list of payments once for a few that somebody waits for, until all are found; see walkPages. Never throws. */
export async function walkPayments(
  ledger: Ledger,
  paymentIds: readonly string[],
  pace: ReadPace & { pages: number },
): Promise<Map<string, Reading>> {
  const readings = new Map<string, Reading>()
  const wanted = new Set(paymentIds)
  const pages = walkPages(ledger, pace)
  for (;;) {
    const page = await pages.next()
    if (page.done) return new Map([...readings, ...[...wanted].map((paymentId) => [paymentId, page.value] as const)])
    collect(page.value.entries, wanted, readings)
    if (wanted.size === 0) return readings
  }
}
