import type { ListId } from '@/lib/domain/lists/capabilities'
import type { Filter } from '@/lib/api-contract/filter'
import { asListPage, type ListPage } from '@/lib/domain/lists/list-pages'
import { matchesFilter } from '@/lib/domain/lists/row-matching'
import { callEndpoint, CallError } from './api-client'

type Asking = {
  ask: { filter?: string; orderby?: string }
  /** The filter of the request as data. */
  asked: Filter | null
  after: string | undefined
  signal: AbortSignal
  /** Called when the reply contradicts a proven capability. */
  onContradiction: () => void
}

/** Whether the unfiltered list starts with a matching row, so that an empty reply to the filter was wrong. */
async function hasMatch(list: ListId, asked: Filter, signal: AbortSignal): Promise<boolean> {
  const { results } = await callEndpoint<ListId>(list, { query: { limit: 100 }, signal })
  return results.some((row) => matchesFilter(asked, row))
}

/**
 * Reads one page of a list, at the largest accepted page size. Rows that don't match the requested filter are
 * dropped; if the filter finds nothing, the first unfiltered rows are checked.
 */
export async function readListPage<List extends ListId>(list: List, asking: Asking): Promise<ListPage<List>> {
  const { ask, asked, after, signal, onContradiction } = asking
  const isPlain = ask.filter === undefined && ask.orderby === undefined
  try {
    const page = asListPage(list, await callEndpoint<ListId>(list, { query: { ...ask, after, limit: 100 }, signal }))
    const isSound =
      !asked ||
      (page.results.length === 0 && after === undefined
        ? !(await hasMatch(list, asked, signal))
        : page.results.every((row) => matchesFilter(asked, row)))
    if (isSound) return page
    onContradiction()
    return { ...page, results: page.results.filter((row) => matchesFilter(asked, row)) }
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'upstream-refused') throw error
    // A later page may be refused for its offset; the first only for its filter or sorting.
    if (!isPlain && after === undefined) onContradiction()
    throw error
  }
}
