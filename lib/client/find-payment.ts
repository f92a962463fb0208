import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import { type Filter, formatFilter } from '@/lib/api-contract/filter'
import { followPages } from '@/lib/domain/lists/list-pages'
import { isUuid, pickById, pickByIdOrHandle } from '@/lib/domain/ids'
import type { Page } from '@/lib/api-contract/pagination'
import type { Payment } from '@/lib/api-contract/payments'
import { callEndpoint, CallError } from './api-client'
import { forgetPageOffset, recallPageOffset } from './page-context'
import { doubtCapabilities } from './use-capabilities'

/** The result of a lookup. `scanned`: how many payments were checked. */
export type PaymentLookupResult =
  | { kind: 'found'; payment: Payment }
  | { kind: 'absent' }
  /** Not found, but the list may be incomplete. */
  | { kind: 'incomplete'; scanned: number }
  /** Stopped at the limit of pages or time. */
  | { kind: 'gave-up'; scanned: number }

type Options = {
  proofs: CapabilityProofs
  /** Whether the name may also be a handle, as in an address that somebody wrote. */
  mayBeHandle?: boolean
  signal: AbortSignal
  /** As in CallInput: nobody asked for it. */
  quiet?: boolean
  onProgress?: (scanned: number) => void
}

const PAGE_SIZE = 100
const MAX_PAGES = 50
const MAX_DURATION_MS = 10_000
const MAX_RETRY_AFTER_SECONDS = 10

type Query = { filter?: string; after?: string }

/** Reads a page. Retries a 429 up to three times, if its `Retry-After` is at most ten seconds. */
async function readPage(query: Query, { signal, quiet }: Pick<Options, 'signal' | 'quiet'>): Promise<Page<Payment>> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await callEndpoint('listPayments', { query: { ...query, limit: PAGE_SIZE }, signal, quiet })
    } catch (error) {
      const seconds = error instanceof CallError && error.status === 429 ? (error.retryAfter ?? tries) : Number.NaN
      if (!(seconds <= MAX_RETRY_AFTER_SECONDS) || tries > 3 || signal.aborted) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.max(1, seconds) * 1_000))
    }
  }
}

/**
 * Finds one payment by its id, or by its handle too (the API can't read a single one): by a filter where that is proven and
 * the reply doesn't contradict it, else on the page where it was last seen, else by paging through the list, at most 50
 * pages or 10 seconds. Throws CallError.
 */
export async function findPayment(
  id: string,
  { proofs, mayBeHandle = false, signal, quiet = false, onProgress }: Options,
): Promise<PaymentLookupResult> {
  const read = (query: Query) => readPage(query, { signal, quiet })
  const isHandle = mayBeHandle && !isUuid(id)
  const pick = ({ results }: Page<Payment>) => (isHandle ? pickByIdOrHandle(results, id) : pickById(results, id))[0]
  for (const field of isHandle ? (['id', 'handle'] as const) : (['id'] as const)) {
    if (proofs[`eq:${field}`] !== true) break
    const filter: Filter = { kind: 'compare', field, comparison: 'eq', value: id }
    const page = await read({ filter: formatFilter(filter) })
    const payment = pick(page)
    if (payment) return { kind: 'found', payment }
    // A service whose comparison ignores case has answered the question all the same.
    const isAsked = (row: Payment) => row[field]?.toLowerCase() === id.toLowerCase()
    const isAnswer = page.results.every(isAsked)
    if (!isAnswer) doubtCapabilities('listPayments', [`eq:${field}`], { quiet }).catch(() => undefined)
    // An entry that cannot be read may be the payment.
    if (!isAnswer || page.unreadable > 0) {
      // Nobody waits, and a walk for each of many rows would cost more than it tells.
      if (quiet) return { kind: 'incomplete', scanned: 0 }
      break
    }
    if (!isHandle || field === 'handle') return { kind: 'absent' }
  }
  const offset = recallPageOffset(id)
  /** The page at an offset; null if the API no longer accepts it. */
  const readPageAt = (after: string) =>
    read({ after }).catch((error: unknown) => {
      if (error instanceof CallError && error.code === 'upstream-refused') return null
      throw error
    })
  /** Null where its reading fails in any way but for the rate: the list is read from its start then, and tells. */
  const readRememberedPage = (after: string) =>
    read({ after }).catch((error: unknown) => {
      if (signal.aborted || (error instanceof CallError && error.status === 429)) throw error
      forgetPageOffset(id)
      return null
    })
  const rememberedPage = offset === null ? null : await readRememberedPage(offset)
  const remembered = rememberedPage && pick(rememberedPage)
  if (remembered) return { kind: 'found', payment: remembered }

  const started = performance.now()
  const nextPage = followPages()
  let after: string | undefined
  let scanned = 0
  const seen = new Set<string | null>()
  /** Whether each entry could be read and none came on two pages, as in a list that moves, where others are passed over. */
  let isWhole = true
  for (let count = 0; count < MAX_PAGES && performance.now() - started < MAX_DURATION_MS; count += 1) {
    const page = after === undefined ? await read({}) : await readPageAt(after)
    if (page === null) return { kind: 'incomplete', scanned }
    const payment = pick(page)
    if (payment) return { kind: 'found', payment }
    const ids = page.results.map((row) => row.id)
    isWhole &&= page.unreadable === 0 && ids.every((one) => one !== null && !seen.has(one))
    for (const one of ids) seen.add(one)
    scanned += page.results.length
    onProgress?.(scanned)
    const next = nextPage(page.continuation)
    if (next.kind === 'end' && isWhole) return { kind: 'absent' }
    if (next.kind !== 'more') return { kind: 'incomplete', scanned }
    after = next.after
  }
  return { kind: 'gave-up', scanned }
}
