import type { Payment } from '@/lib/contract/payments'
import type { Ledger } from './ledger'
import type { Reading } from './pick-payment'
import { type ReadPace, readList } from './read-list'

const pageLimit = 100

/** One page of the payments, and when it was asked for: so old is what it says. */
export type WalkedPage = { entries: readonly Payment[]; at: Date }

/**
 * Walks the list of payments page by page, until it ends or cannot be followed to its end: a page fails, a
 * cursor is missing or comes again, `pages` or the time are used up. Returns what holds of a payment that no
 * page had: only a list that was read whole makes it absent, else it is unreadable. Never throws.
 */
export async function* walkPages(
  ledger: Ledger,
  { pages, ...pace }: ReadPace & { pages: number },
): AsyncGenerator<WalkedPage, Exclude<Reading, { kind: 'found' }>, void> {
  const cursors = new Set<string>()
  let after: string | undefined
  let isWhole = true
  for (let page = 0; page < pages; page += 1) {
    const at = ledger.clock.now()
    const answer = await readList(ledger, { limit: pageLimit, ...(after !== undefined && { after }) }, pace)
    if (answer.kind !== 'page') return { kind: 'unreadable', why: answer.why }
    const { results, unreadable, continuation } = answer.page
    if (unreadable > 0 || results.some(({ id }) => id === null)) isWhole = false
    yield { entries: results, at }
    if (continuation.kind === 'end')
      return isWhole ? { kind: 'absent' } : { kind: 'unreadable', why: 'unreadable-entries' }
    if (continuation.kind === 'incomplete') return { kind: 'unreadable', why: continuation.reason }
    if (cursors.has(continuation.after)) return { kind: 'unreadable', why: 'offset-repeated' }
    cursors.add(continuation.after)
    after = continuation.after
  }
  return { kind: 'unreadable', why: 'too-many-pages' }
}
