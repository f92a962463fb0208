import { createHash } from 'node:crypto'

/** Remembered rows of earlier pages: a row repeated by a moving list comes soon after. */
const MAX_REMEMBERED = 100_000
/** 64 bits in base64url, without padding. */
const MARK_LENGTH = 11

function markOf(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, 8).toString('base64url')
}

/** The rows that were read of a list, as short marks that can be stored, to detect repetitions even after a pause. */
export class SeenRows {
  readonly #marks = new Set<string>()
  /** Whether a row came twice: the list moved, and another row may have been missed. */
  hasMoved = false
  /**
   * Pages in a row of which no row was new; one without an id is known by its content. Entries that couldn't be read are
   * no rows: a list of nothing else might go on without end, too.
   */
  pagesWithoutNewRows = 0

  #remember(mark: string): void {
    this.#marks.add(mark)
    const [oldest] = this.#marks.size > MAX_REMEMBERED ? this.#marks : []
    if (oldest !== undefined) this.#marks.delete(oldest)
  }

  #meet(mark: string): void {
    this.hasMoved ||= this.#marks.has(mark)
    this.#remember(mark)
  }

  /** Adds the rows of a page; returns the marks of those with an id as one text, to be stored with the page. */
  meet(rows: readonly { id: string | null }[]): string {
    // Twice on one page is no movement.
    const marks = [...new Set(rows.flatMap(({ id }) => (id === null ? [] : [markOf(id)])))]
    // Two rows without ids may be equal, so that these don't say whether the list moved.
    const contents = rows.flatMap((row) => (row.id === null ? [markOf(JSON.stringify(row))] : []))
    const hasNew = [...marks, ...contents].some((mark) => !this.#marks.has(mark))
    this.pagesWithoutNewRows = hasNew ? 0 : this.pagesWithoutNewRows + 1
    for (const mark of marks) this.#meet(mark)
    for (const mark of contents) this.#remember(mark)
    return marks.join('')
  }

  /** Adds the rows of a stored page by their marks. */
  recall(marks: string): void {
    for (let at = 0; at < marks.length; at += MARK_LENGTH) this.#meet(marks.slice(at, at + MARK_LENGTH))
  }
}
