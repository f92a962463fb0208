import { parseCsv } from '../csv'

/** One line of a list of payments: an id or handle, and the reason for this payment alone. */
export type GivenRow = { given: string; reason: string | null }

const idHeading = /^(?:payments?[ _-]?)?(?:ids?|handles?|id or handle|payments?)$/iu

/** The first separator in a text: ids and handles contain none. */
function findFirstSeparator(text: string): string {
  return /[,;\t]/u.exec(text)?.[0] ?? ','
}

/** Splits a row at its first separator, whichever of the three it is. */
function splitRow(cells: readonly string[], separator: string): GivenRow {
  const row = cells.join(separator)
  const at = row.search(/[,;\t]/u)
  return at < 0 ? toGivenRow(row, '') : toGivenRow(row.slice(0, at), row.slice(at + 1))
}

/** Empty cells leave separators at the end of the reason. */
function toGivenRow(given = '', reason = ''): GivenRow {
  return { given: given.trim(), reason: reason.replace(/[\s,;]+$/u, '').trim() || null }
}

/**
 * Parses a pasted or uploaded list of payments: one per line, optionally with a reason after a comma, semicolon or tab.
 * Skips blank lines, a byte order mark and a heading; keeps duplicates. The reason is everything after the first
 * separator; under a heading of more than two columns it is the column named "reason", if any.
 */
export function parseReferences(text: string): GivenRow[] {
  const { rows, separator } = parseCsv(text, findFirstSeparator)
  const [first] = rows
  const head = first && idHeading.test(first.cells[0]?.trim() ?? '') ? first.cells : []
  const body = head.length > 0 ? rows.slice(1) : rows
  if (head.length <= 2) return body.map(({ cells }) => splitRow(cells, separator))
  const column = head.findIndex((cell) => cell.trim().toLowerCase() === 'reason')
  return body.map(({ cells }) => toGivenRow(cells[0], cells[column]))
}
