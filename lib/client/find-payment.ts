import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import { formatFilter } from '@/lib/api-contract/filter'
import { followPages } from '@/lib/domain/lists/list-pages'
import { pickById } from '@/lib/domain/ids'
import type { Page } from '@/lib/api-contract/pagination'
import type { Payment } from '@/lib/api-contract/payments'
import { callEndpoint, CallError } from './api-client'
import { recallPageOffset } from './page-context'

/** The result of a lookup. `looked`: how many payments were checked. */
export type PaymentLookupResult =
  | { kind: 'found'; payment: Payment }
  | { kind: 'absent' }
  /** Not found, but the list may be incomplete. */
  | { kind: 'incomplete'; looked: number }
  /** Stopped at the limit of pages or time. */
  | { kind: 'gave-up'; looked: number }

type Options = {
  proofs: CapabilityProofs
  signal: AbortSignal
  onProgress?: (looked: number) => void
  /** For tests. */
  read?: (query: { filter?: string; after?: string; limit?: number }, signal: AbortSignal) => Promise<Page<Payment>>
}

const mostPages = 50
const longest = 10_000
const longestPause = 10

type Read = NonNullable<Options['read']>

/** Retries a 429 up to three times, if its `Retry-After` is at most ten seconds. */
function readPatiently(read: Read): Read {
  return async (query, signal) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await read(query, signal)
      } catch (error) {
        const seconds = error instanceof CallError && error.status === 429 ? (error.retryAfter ?? tries) : Number.NaN
        if (!(seconds <= longestPause) || tries > 3 || signal.aborted) throw error
        await new Promise((resolve) => setTimeout(resolve, Math.max(1, seconds) * 1_000))
      }
    }
  }
}

/**
 * Finds one payment (the API can't read a single one): by a filter where that is proven, else on the page where it
 * was last seen, else by paging through the list, at most 50 pages or 10 seconds. Throws CallError.
 */
export async function findPayment(
  id: string,
  { proofs, signal, onProgress, read: readOnce = readPage }: Options,
): Promise<PaymentLookupResult> {
  const read = readPatiently(readOnce)
  const limit = 100
  const pick = (page: Page<Payment>) => pickById(page.results, id)[0]
  if (proofs['eq:id'] === true) {
    const filter = formatFilter({ kind: 'compare', field: 'id', comparison: 'eq', value: id })
    const payment = pick(await read({ filter, limit }, signal))
    return payment ? { kind: 'found', payment } : { kind: 'absent' }
  }
  const place = recallPageOffset(id)
  /** The page at an offset; null if the API no longer accepts it. */
  const readOn = (after: string) =>
    read({ after, limit }, signal).catch((error: unknown) => {
      if (error instanceof CallError && error.code === 'upstream-refused') return null
      throw error
    })
  const kept = place === null ? null : await readOn(place)
  const remembered = kept && pick(kept)
  if (remembered) return { kind: 'found', payment: remembered }

  const started = performance.now()
  const follow = followPages()
  let after: string | undefined
  let looked = 0
  for (let count = 0; count < mostPages && performance.now() - started < longest; count += 1) {
    const page = after === undefined ? await read({ limit }, signal) : await readOn(after)
    if (page === null) return { kind: 'incomplete', looked }
    const payment = pick(page)
    if (payment) return { kind: 'found', payment }
    looked += page.results.length
    onProgress?.(looked)
    const next = follow(page.continuation)
    if (next.kind === 'end') return { kind: 'absent' }
    if (next.kind === 'incomplete') return { kind: 'incomplete', looked }
    after = next.after
  }
  return { kind: 'gave-up', looked }
}

function readPage(
  query: { filter?: string; after?: string; limit?: number },
  signal: AbortSignal,
): Promise<Page<Payment>> {
  return callEndpoint('listPayments', { query, signal })
}
