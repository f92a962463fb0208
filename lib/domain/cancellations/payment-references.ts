import { type CsvRow, parseCsv } from '../csv'

/** One line of a list of payments: an id, handle or reference, and the reason for this payment alone. */
export type GivenRow = { given: string; reason: string | null }

const normalize = (heading: string | undefined) => (heading ?? '').toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Headings of the first column, normalized, also as other programs name it. */
const nameHeading =
  /^(?:ids?|handles?|references?|ref|idorhandle|idellerhandle|(?:payments?|betalings?|betalinger|invoices?|faktura|reference|ref)(?:ids?|handles?|references?|ref|no|nr|number|nummer)?)$/u

const reasonHeadings = ['reason', 'cancellationreason', 'årsag', 'grund', 'begrundelse', 'annulleringsårsag']

/**
 * The separator of a list: a tab, as no name has one. Otherwise a sign before a space may belong to a name or a reason, such as
 * `Invoice 12, part 2;Moved`, and a comma between digits to an amount. Such a sign separates only where no other does.
 */
function findSeparator(text: string): string {
  const bare = text.replaceAll(/"[^"]*"/gu, '')
  if (bare.includes('\t')) return '\t'
  const signs = [/;(?! )|(?<!\d),(?! )|,(?![ \d])/u, /;|(?<!\d),|,(?!\d)/u, /,/u]
  return signs.flatMap((sign) => sign.exec(bare)?.[0] ?? [])[0] ?? ','
}

/** Splits a row after its first cell. Only a line that is one cell without quotes may have another separator than the list. */
function splitRow({ cells, isQuoted }: CsvRow, separator: string): GivenRow {
  const [first = '', ...others] = cells
  const at = others.length > 0 || isQuoted ? -1 : first.search(/[,;\t]/u)
  return at < 0 ? toGivenRow(first, others.join(separator)) : toGivenRow(first.slice(0, at), first.slice(at + 1))
}

/** Empty cells leave separators at the end of the reason. */
function toGivenRow(given = '', reason = ''): GivenRow {
  return { given: given.trim(), reason: reason.replace(/[\s,;]+$/u, '').trim() || null }
}

/**
 * Whether a list without a heading has more columns than a name and a reason, in each row. A reason with a sign in it has a
 * space behind the sign, or stands beside others without one.
 */
function isTable(rows: readonly CsvRow[], separator: string): boolean {
  if (rows.some(({ cells }) => cells.length < 3)) return false
  const columns = rows.flatMap(({ cells }) => cells.slice(2)).filter((cell) => cell.trim() !== '')
  return columns.length > 0 && (separator === '\t' || columns.every((cell) => !cell.startsWith(' ')))
}

/**
 * Parses a pasted or uploaded list of payments: one per line, optionally with a reason after a comma, semicolon or tab.
 * Skips blank lines, a byte order mark and a heading; keeps duplicates. The reason is everything after the first
 * separator; of more than two columns it is the one whose heading says so, if any.
 */
export function parseReferences(text: string): GivenRow[] {
  const { rows, separator } = parseCsv(text, findSeparator)
  const first = rows[0]?.cells ?? []
  const reasonColumn = first.findIndex((cell, column) => column > 0 && reasonHeadings.includes(normalize(cell)))
  const hasHeading = nameHeading.test(normalize(first[0])) || (first.length > 2 && reasonColumn > 0)
  const body = hasHeading ? rows.slice(1) : rows
  if (hasHeading ? first.length > 2 : isTable(rows, separator))
    return body.map(({ cells }) => toGivenRow(cells[0], cells[reasonColumn]))
  return body.map((row) => splitRow(row, separator))
}
