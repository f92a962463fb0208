import { parseCsv } from './parse-csv'

/** One line of a list of payments: an id or a handle, and the reason for this one alone if the line has a second cell. */
export type GivenRow = { given: string; reason: string | null }

const heading = /^(?:payments?[ _-]?)?(?:ids?|handles?|id or handle|payments?)$/iu

/**
 * Reads a list of payments that was pasted or uploaded: one a line, with a reason behind a comma, semicolon or
 * tab. Blank lines, line ends of either kind, a byte order mark and a heading are passed over; duplicates stay.
 */
export function parseReferences(text: string): GivenRow[] {
  const { rows } = parseCsv(text)
  const [first] = rows
  const body = first && heading.test(first.cells[0]?.trim() ?? '') ? rows.slice(1) : rows
  return body.map(({ cells }) => ({ given: cells[0]?.trim() ?? '', reason: cells[1]?.trim() || null }))
}
