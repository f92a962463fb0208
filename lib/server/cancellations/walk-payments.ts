import type { Payment } from '@/lib/contract/payments'
import type { Ledger } from './ledger'
import { pickPayment, type Reading } from './pick-payment'
import { type ReadPace, readList } from './read-list'

const pageLimit = 100

/** Takes from one page what it says of the payments still looked for. */
function collect(entries: readonly Payment[], wanted: Set<string>, readings: Map<string, Reading>): void {
  for (const paymentId of wanted) {
    const reading = pickPayment(entries, paymentId)
    if (!reading) continue
    readings.set(paymentId, reading)
    wanted.delete(paymentId)
  }
}

/**
 * Walks the list of payments once for many, until all are found, the list ends, or it cannot be followed to
 * its end: a page fails, a cursor is missing or comes again, `pages` or the time are used up. Only a list that
 * was read whole makes a payment absent; else the missing ones are unreadable.
 */
export async function walkPayments(
  ledger: Ledger,
  paymentIds: readonly string[],
  { pages, ...pace }: ReadPace & { pages: number },
): Promise<Map<string, Reading>> {
  const readings = new Map<string, Reading>()
  const wanted = new Set(paymentIds)
  const giveUp = (reading: Reading) =>
    new Map([...readings, ...[...wanted].map((paymentId) => [paymentId, reading] as const)])
  const cursors = new Set<string>()
  let after: string | undefined
  let isWhole = true
  for (let page = 0; page < pages; page += 1) {
    const answer = await readList(ledger, { limit: pageLimit, ...(after !== undefined && { after }) }, pace)
    if (answer.kind !== 'page') return giveUp({ kind: 'unreadable', why: answer.why })
    const { results, unreadable, continuation } = answer.page
    collect(results, wanted, readings)
    if (wanted.size === 0) return readings
    if (unreadable > 0 || results.some(({ id }) => id === null)) isWhole = false
    if (continuation.kind === 'end')
      return giveUp(isWhole ? { kind: 'absent' } : { kind: 'unreadable', why: 'unreadable-entries' })
    if (continuation.kind === 'incomplete') return giveUp({ kind: 'unreadable', why: continuation.reason })
    if (cursors.has(continuation.after)) return giveUp({ kind: 'unreadable', why: 'offset-repeated' })
    cursors.add(continuation.after)
    after = continuation.after
  }
  return giveUp({ kind: 'unreadable', why: 'too-many-pages' })
}
