import { parseCsv } from '../csv'

/** One line of a list of payments: an id or a handle, and the reason for this one alone if the line has a second cell. */
export type GivenRow = { given: string; reason: string | null }

const heading = /^(?:payments?[ _-]?)?(?:ids?|handles?|id or handle|payments?)$/iu

/** The first of the separators in a text: neither an id nor a handle holds one. */
function findFirstSeparator(text: string): string {
  return /[,;\t]/u.exec(text)?.[0] ?? ','
}

/** An id or a handle, and all that stands behind its separator, whichever of the three that is in this row. */
function splitRow(cells: readonly string[], separator: string): GivenRow {
  const row = cells.join(separator)
  const at = row.search(/[,;\t]/u)
  return at < 0 ? readRow(row, '') : readRow(row.slice(0, at), row.slice(at + 1))
}

/** Cells that hold nothing leave separators at the end. */
function readRow(given = '', reason = ''): GivenRow {
  return { given: given.trim(), reason: reason.replace(/[\s,;]+$/u, '').trim() || null }
}

/**
 * Reads a list of payments that was pasted or uploaded: one a line, with a reason behind a comma, semicolon or
 * tab. Blank lines, line ends of either kind, a byte order mark and a heading are passed over; duplicates stay.
 * The reason is all that stands behind the first separator of its line. Under a heading of more than two columns it
 * is the column named "reason", and without such a column there is none.
 */
export function parseReferences(text: string): GivenRow[] {
  const { rows, separator } = parseCsv(text, findFirstSeparator)
  const [first] = rows
  const head = first && heading.test(first.cells[0]?.trim() ?? '') ? first.cells : []
  const body = head.length > 0 ? rows.slice(1) : rows
  if (head.length <= 2) return body.map(({ cells }) => splitRow(cells, separator))
  const column = head.findIndex((cell) => cell.trim().toLowerCase() === 'reason')
  return body.map(({ cells }) => readRow(cells[0], cells[column]))
}
