import type { RowList } from './use-row-list'

/** What a list has since it was loaded. */
export type News<Row> = {
  /** Rows that are here, as they are now. */
  known: Row[]
  /** Rows that are not here, as far as the rules let them through. */
  fresh: Row[]
  /** All rows that stand before those that are here. */
  top: Row[]
  /** Whether the new ones are among those, so that they can be put there; else the list is read anew. */
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
  const isNew = (row: Row) => row.id !== null && !isKnown(row)
  const fresh = rows.filter((row) => isNew(row) && list.accepts(row))
  const top = rows.slice(0, Math.max(0, rows.findIndex(isKnown))).filter(isNew)
  return { known: rows.filter(isKnown), fresh, top, isOnTop: top.length > 0 && fresh.every((row) => top.includes(row)) }
}
