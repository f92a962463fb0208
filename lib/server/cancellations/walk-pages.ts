import { followPages } from '@/lib/contract/follow-pages'
import { idKey } from '@/lib/contract/ids'
import type { ListQuery } from '@/lib/contract/page'
import type { Payment } from '@/lib/contract/payments'
import type { Ledger } from './ledger'
import { pickPayment, type Reading } from './pick-payment'
import { isRefusal, type ListAnswer, type ReadPace, readList, readPatiently } from './read-list'

const pageLimit = 100

/** One page of the payments, and when it was asked for: so old is what it says. */
export type WalkedPage = { entries: readonly Payment[]; at: Date }

/** How a walk ended; `why` is more exact. Only `whole` means that every entry of the list was read. */
export type WalkEnd = {
  kind: 'whole' | 'enough' | 'list-incomplete' | 'unreadable-entries' | 'list-too-long' | 'refused' | 'failed'
  why: string
}

type Walk = {
  /** Reads one page; it decides on pace and time. */
  read: (query: ListQuery) => Promise<ListAnswer>
  /** So many are read at most. */
  pages: number
  /** Walks the payments of this filter alone. */
  filter?: string | undefined
  /** Answers whether it has had enough. */
  take: (page: WalkedPage) => Promise<boolean> | boolean
}

/**
 * Walks the list of payments page by page, until `take` has had enough or the list ends or cannot be followed to its
 * end. Nothing but a literal end of the list is its end: a missing or repeated cursor leaves it incomplete. Throws
 * what `take` throws.
 */
export async function walkPages(
  { clock }: Pick<Ledger, 'clock'>,
  { read, pages, filter, take }: Walk,
): Promise<WalkEnd> {
  const follow = followPages()
  let after: string | undefined
  let isSound = true
  for (let page = 0; page < pages; page += 1) {
    const at = clock.store.now()
    const answer = await read({ limit: pageLimit, ...(filter && { filter }), ...(after !== undefined && { after }) })
    if (answer.kind !== 'page') return { kind: isRefusal(answer) ? 'refused' : 'failed', why: answer.why }
    const { results, unreadable } = answer.page
    const next = follow(answer.page.continuation)
    if (unreadable > 0 || results.some(({ id }) => id === null)) isSound = false
    if (await take({ entries: results, at })) return { kind: 'enough', why: 'enough' }
    if (next.kind === 'end') {
      const kind = isSound ? 'whole' : 'unreadable-entries'
      return { kind, why: kind }
    }
    if (next.kind === 'incomplete') return { kind: 'list-incomplete', why: next.reason }
    after = next.after
  }
  return { kind: 'list-too-long', why: 'too-many-pages' }
}

/** Walks the payments, those of `filter` if it is given, for a list that is being made; see readPatiently. */
export function walkPatiently(ledger: Ledger, { filter, take }: Pick<Walk, 'filter' | 'take'>): Promise<WalkEnd> {
  return walkPages(ledger, { read: (query) => readPatiently(ledger, query), pages: 20_000, filter, take })
}

/** What holds of a payment that no page of a walk had: only a list that was read whole makes it absent. */
export function judgeUnmet({ kind, why }: WalkEnd): Exclude<Reading, { kind: 'found' }> {
  return kind === 'whole' ? { kind: 'absent' } : { kind: 'unreadable', why }
}

/** Walks the list of payments once for these, until all are found or it ends. Never throws. */
export async function walkForPayments(
  ledger: Ledger,
  paymentIds: readonly string[],
  { pages, ...pace }: ReadPace & { pages: number },
): Promise<Map<string, Reading>> {
  const readings = new Map<string, Reading>()
  const wanted = new Map(paymentIds.map((paymentId) => [idKey(paymentId), paymentId]))
  const take = ({ entries }: WalkedPage) => {
    for (const { id } of entries) {
      const paymentId = id === null ? undefined : wanted.get(idKey(id))
      if (paymentId === undefined) continue
      wanted.delete(idKey(paymentId))
      readings.set(paymentId, pickPayment(entries, paymentId) ?? { kind: 'unreadable', why: 'internal' })
    }
    return wanted.size === 0
  }
  const end = await walkPages(ledger, { read: (query) => readList(ledger, query, pace), pages, take })
  for (const paymentId of wanted.values()) readings.set(paymentId, judgeUnmet(end))
  return readings
}
