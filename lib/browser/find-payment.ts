import type { Proofs } from '@/lib/contract/ability'
import { formatFilter } from '@/lib/contract/filter'
import type { Page } from '@/lib/contract/page'
import type { Payment } from '@/lib/contract/payments'
import { call } from './call'

/** What looking for one payment came to. `looked` is how many payments were looked at. */
export type Finding =
  | { kind: 'found'; payment: Payment }
  /** The service has no payment of this id. */
  | { kind: 'absent' }
  /** The list ended without it, but the service did not say that it was the whole list. */
  | { kind: 'incomplete'; looked: number }
  /** The look-up was cut short: the list is longer than may be walked for one payment. */
  | { kind: 'gave-up'; looked: number }

type Options = {
  proofs: Proofs
  signal: AbortSignal
  onProgress?: (looked: number) => void
  /** For tests: reads a page of the list. */
  read?: (query: { filter?: string; after?: string; limit?: number }, signal: AbortSignal) => Promise<Page<Payment>>
}

const mostPages = 50
const longest = 10_000

const placeKey = (id: string) => `debitdesk-page-of:${id}`

/** Remembers on which page of the plain list a payment was, for a later look-up in this tab. */
export function rememberPlace(id: string, after: string | undefined): void {
  if (after !== undefined) sessionStorage.setItem(placeKey(id), after)
}

function recallPlace(id: string): string | null {
  return typeof sessionStorage === 'undefined' ? null : sessionStorage.getItem(placeKey(id))
}

/**
 * Looks for one payment, which has no read of its own: by a filter where that is proven, else on the page
 * where it was seen last, else by walking the list, 50 pages or 10 seconds at most. Throws CallError.
 */
export async function findPayment(
  id: string,
  { proofs, signal, onProgress, read = readPage }: Options,
): Promise<Finding> {
  const limit = 100
  const pick = (page: Page<Payment>) => page.results.find((payment) => payment.id === id)
  if (proofs['eq:id'] === true) {
    const filter = formatFilter({ kind: 'compare', field: 'id', comparison: 'eq', value: id })
    const payment = pick(await read({ filter, limit }, signal))
    return payment ? { kind: 'found', payment } : { kind: 'absent' }
  }
  const place = recallPlace(id)
  const remembered = place === null ? undefined : pick(await read({ after: place, limit }, signal))
  if (remembered) return { kind: 'found', payment: remembered }

  const started = performance.now()
  const seen = new Set<string>()
  let after: string | undefined
  let looked = 0
  for (let count = 0; count < mostPages && performance.now() - started < longest; count += 1) {
    const page = await read({ after, limit }, signal)
    const payment = pick(page)
    if (payment) return { kind: 'found', payment }
    looked += page.results.length
    onProgress?.(looked)
    const { continuation } = page
    if (continuation.kind === 'end') return { kind: 'absent' }
    if (continuation.kind === 'incomplete' || seen.has(continuation.after)) return { kind: 'incomplete', looked }
    seen.add(continuation.after)
    after = continuation.after
  }
  return { kind: 'gave-up', looked }
}

function readPage(
  query: { filter?: string; after?: string; limit?: number },
  signal: AbortSignal,
): Promise<Page<Payment>> {
  return call('listPayments', { query, signal })
}
