import type { RowList } from './use-row-list'

/** What a list has since it was loaded. */
export type News<Row> = {
  /** Rows that are here, as they are now. */
  known: Row[]
  /** Rows that are not here. */
  fresh: Row[]
  /** Whether the new ones stand before all others, so that they can be put there; else the list is read anew. */
  isOnTop: boolean
}

/** Reads the head of a list again and, where its end was reached, the page at the end, where new rows may come too. Throws CallError. */
export async function readNews<Row extends { id: string | null }>(list: RowList<Row>): Promise<News<Row>> {
  const { signal } = new AbortController()
  const head = await list.readPage(null, signal)
  const isKnown = ({ id }: Row) => id !== null && list.get(id) !== undefined
  const { kind } = list.walk
  const last = kind === 'complete' ? list.lastOffset : null
  const tail = last === null ? [] : (await list.readPage(last, signal)).results
  // Where a list goes on, what follows its last known row is not new: it is only not loaded yet.
  const end = kind === 'complete' || kind === 'incomplete' ? -1 : head.results.findLastIndex(isKnown)
  const read = end < 0 ? [...head.results, ...tail] : head.results.slice(0, end + 1)
  const rows = [...new Map(read.map((row) => [row.id, row])).values()]
  const fresh = rows.filter((row) => row.id !== null && !isKnown(row) && list.accepts(row))
  const first = rows.findIndex(isKnown)
  return {
    known: rows.filter(isKnown),
    fresh,
    isOnTop: first > 0 && rows.slice(first).every((row) => isKnown(row) || !fresh.includes(row)),
  }
}
