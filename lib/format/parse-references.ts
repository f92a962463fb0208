import { parseCsv } from './parse-csv'

/** One line of a list of payments: an id or a handle, and the reason for this one alone if the line has a second cell. */
export type GivenRow = { given: string; reason: string | null }

const heading = /^(?:payments?[ _-]?)?(?:ids?|handles?|id or handle|payments?)$/iu

/**
 * Reads a list of payments that was pasted or uploaded: one a line, with a reason behind a comma, semicolon or
 * tab. Blank lines, line ends of either kind, a byte order mark and a heading are passed over; duplicates stay.
 * Without a heading the reason is all that stands behind the first separator. With one of more than two columns it
 * is the column named "reason", and without such a column there is none.
 */
export function parseReferences(text: string): GivenRow[] {
  const { rows, separator } = parseCsv(text)
  const [first] = rows
  const head = first && heading.test(first.cells[0]?.trim() ?? '') ? first.cells : null
  const column = head && head.length > 2 ? head.findIndex((cell) => cell.trim().toLowerCase() === 'reason') : null
  return (head ? rows.slice(1) : rows).map(({ cells: [given = '', ...others] }) => {
    const reason = column === null ? others.join(separator) : others[column - 1]
    return { given: given.trim(), reason: readReason(reason) }
  })
}

/** Null for cells that hold nothing, also where they are joined. */
function readReason(text: string | undefined): string | null {
  return text?.replace(/[\s,;]+$/u, '').trim() || null
}
