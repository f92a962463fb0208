import { createHash } from 'node:crypto'

/** Rows of earlier pages that are remembered: what a moving list brings twice comes soon after. */
const mostRemembered = 100_000
/** 64 bits in base64url, without padding. */
const markLength = 11

function markOf(id: string): string {
  return createHash('sha256').update(id).digest().subarray(0, 8).toString('base64url')
}

/** The rows that an export has met, by a short mark each, so that one that comes again is known, after a pause too. */
export class SeenRows {
  readonly #marks = new Set<string>()
  /** Whether one came twice: it has moved, and another may have passed unseen. */
  hasMoved = false

  #meet(mark: string): void {
    this.hasMoved ||= this.#marks.has(mark)
    this.#marks.add(mark)
    const [oldest] = this.#marks.size > mostRemembered ? this.#marks : []
    if (oldest !== undefined) this.#marks.delete(oldest)
  }

  /** Meets the rows of a page; answers their marks as one text, to be kept with what came of it. */
  meet(rows: readonly { id: string | null }[]): string {
    const marks = rows.flatMap(({ id }) => (id === null ? [] : [markOf(id)]))
    for (const mark of marks) this.#meet(mark)
    return marks.join('')
  }

  /** Meets the rows of a page that was kept before, by their marks. */
  recall(marks: string): void {
    for (let at = 0; at < marks.length; at += markLength) this.#meet(marks.slice(at, at + markLength))
  }
}
