import type { Payment } from '@/lib/contract/payments'
import type { Ledger } from '../cancellations/ledger'
import { readPage } from './read-page'

/** How a walk ended. Only `whole` means that every entry of the list was read. */
export type WalkEnd =
  | 'whole'
  | 'enough'
  | 'list-incomplete'
  | 'unreadable-entries'
  | 'list-too-long'
  | 'refused'
  | 'failed'

const pageLimit = 100
const mostPages = 20_000

/**
 * Walks the payments page by page, those of `filter` if it is given. `take` answers whether it has had enough.
 * Nothing but a literal end of the list is its end: a missing or repeated cursor leaves it incomplete.
 */
export async function walkList(
  ledger: Ledger,
  filter: string | undefined,
  take: (payments: readonly Payment[]) => Promise<boolean> | boolean,
): Promise<WalkEnd> {
  const cursors = new Set<string>()
  let after: string | undefined
  let isSound = true
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await readPage(ledger, { limit: pageLimit, ...(filter && { filter }), ...(after && { after }) })
    if (answer.kind !== 'page') return answer.kind
    const { results, unreadable, continuation } = answer.page
    if (unreadable > 0 || results.some(({ id }) => id === null)) isSound = false
    if (await take(results)) return 'enough'
    if (continuation.kind === 'end') return isSound ? 'whole' : 'unreadable-entries'
    if (continuation.kind === 'incomplete' || cursors.has(continuation.after)) return 'list-incomplete'
    cursors.add(continuation.after)
    after = continuation.after
  }
  return 'list-too-long'
}
