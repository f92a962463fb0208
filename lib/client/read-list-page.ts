import type { ListId } from '@/lib/domain/lists/capabilities'
import type { Filter } from '@/lib/api-contract/filter'
import { asListPage, type ListPage } from '@/lib/domain/lists/list-pages'
import { matchesFilter } from '@/lib/domain/lists/row-matching'
import { callEndpoint, CallError } from './api-client'

type ReadOptions = {
  request: { filter?: string; orderby?: string }
  /** The filter of the request as data. */
  requestedFilter: Filter | null
  after: string | undefined
  signal: AbortSignal
  /** For what nobody asked for: it doesn't extend the session. */
  quiet?: boolean
  /** Called when the reply contradicts a proven capability. */
  onContradiction: () => void
}

/** Whether the unfiltered list starts with a matching row, so that an empty reply to the filter was wrong. */
async function hasMatch(
  list: ListId,
  filter: Filter,
  options: { signal: AbortSignal; quiet: boolean },
): Promise<boolean> {
  const { results } = await callEndpoint<ListId>(list, { query: { limit: 100 }, ...options })
  return results.some((row) => matchesFilter(filter, row))
}

/**
 * Reads one page of a list, at the largest accepted page size. Rows that don't match the requested filter are
 * dropped; if the filter finds nothing, the first unfiltered rows are checked.
 */
export async function readListPage<List extends ListId>(list: List, asking: ReadOptions): Promise<ListPage<List>> {
  const { request, requestedFilter, after, signal, quiet = false, onContradiction } = asking
  const isPlain = request.filter === undefined && request.orderby === undefined
  try {
    const page = asListPage(
      list,
      await callEndpoint<ListId>(list, { query: { ...request, after, limit: 100 }, signal, quiet }),
    )
    const compliesWithFilter =
      !requestedFilter ||
      (page.results.length === 0 && after === undefined
        ? !(await hasMatch(list, requestedFilter, { signal, quiet }))
        : page.results.every((row) => matchesFilter(requestedFilter, row)))
    if (compliesWithFilter) return page
    onContradiction()
    return { ...page, results: page.results.filter((row) => matchesFilter(requestedFilter, row)) }
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'upstream-refused') throw error
    // A later page may be refused for its offset; the first only for its filter or sorting.
    if (!isPlain && after === undefined) onContradiction()
    throw error
  }
}
