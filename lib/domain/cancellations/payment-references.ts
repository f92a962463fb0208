import { type CsvRow, parseCsv } from '../csv'
import { isUuid } from '../ids'

/** One line of a list of payments: an id, handle or reference, and the reason for this payment alone. */
export type GivenRow = { given: string; reason: string | null }

/** A row of a list, and the line where it begins, counted from 1. */
export type ReadRow = GivenRow & {
  line: number
  /** The cells that are neither id nor reason, though their columns have no name that is. */
  leftOut: string[]
  /** What stands behind the id and may be another one; null where nothing does. */
  otherId: string | null
}

/** `unusedColumns`: the names of columns that hold neither ids nor reasons. */
export type ReadList = { rows: ReadRow[]; unusedColumns: string[] }

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

const isFilled = (cell: string) => cell.trim() !== ''

/** The cells of a row and what separates them. Only a line that is one cell without quotes may have another separator than the list. */
function splitCells({ cells, isQuoted }: CsvRow, separator: string): { cells: string[]; sign: string } {
  const [first = ''] = cells
  if (cells.length > 1 || isQuoted) return { cells, sign: separator }
  const sign = /[,;\t]/u.exec(first)?.[0] ?? separator
  return { cells: first.split(sign), sign }
}

/** Reads a row whose reason is all that stands behind its first cell. */
function readWithRest(row: CsvRow, separator: string): ReadRow {
  const { cells, sign } = splitCells(row, separator)
  return { ...toGivenRow(cells[0], cells.slice(1).join(sign)), line: row.line, leftOut: [], otherId: null }
}

/** Empty cells leave separators at the end of the reason. */
function toGivenRow(given = '', reason = ''): GivenRow {
  return { given: given.trim(), reason: reason.replace(/[\s,;]+$/u, '').trim() || null }
}

/**
 * Whether a list whose columns have no names has more of them than a name and a reason, in each row. A reason with a sign in it has
 * a space behind the sign, or stands beside others without one.
 */
function isTable(rows: readonly CsvRow[], separator: string): boolean {
  if (rows.some(({ cells }) => cells.length < 3)) return false
  const columns = rows.flatMap(({ cells }) => cells.slice(2)).filter(isFilled)
  return columns.length > 0 && (separator === '\t' || columns.every((cell) => !cell.startsWith(' ')))
}

/** A text with `9` for each run of letters and digits that has a digit, and `a` for the others: `INV-12b` is `a-9`. */
function shapeOf(text: string): string {
  if (isUuid(text)) return 'uuid'
  return text.replaceAll(/[\p{L}\p{N}]+/gu, (run) => (/\p{N}/u.test(run) ? '9' : 'a'))
}

/** What stands behind an id and looks like it. Words without a digit are reasons, unless the line is all there is: `A;B;C`. */
function findOtherId(row: CsvRow, separator: string, isOnlyRow: boolean): string | null {
  const [first = '', second = ''] = splitCells(row, separator).cells.map((cell) => cell.trim())
  const isAlike = second !== '' && shapeOf(first) === shapeOf(second)
  return isAlike && (isOnlyRow || /\p{N}/u.test(second)) ? second : null
}

/** Reads a row by the names of its columns. In one with more cells than names the cells have moved: none is a reason. */
function readByColumn({ line, cells }: CsvRow, columns: readonly string[], reasonColumn: number): ReadRow {
  const others = cells.slice(1)
  const hasMoved = cells.findLastIndex(isFilled) >= columns.length
  const leftOut = others.filter((cell, at) => isFilled(cell) && (hasMoved || !isFilled(columns[at + 1] ?? '')))
  const row = toGivenRow(cells[0], hasMoved ? '' : cells[reasonColumn])
  return { ...row, line, leftOut: leftOut.map((cell) => cell.trim()), otherId: null }
}

/**
 * Parses a pasted or uploaded list of payments: one per line, optionally with a reason after a comma, semicolon or tab.
 * Skips blank lines, a byte order mark and a heading; keeps duplicates. The reason is everything after the first
 * separator; where the columns have names, or are more than two, it is the one whose name says so, if any. What is not
 * used is said, and what may be another id (decision 0029).
 */
export function parseReferences(text: string): ReadList {
  const { rows, separator } = parseCsv(text, findSeparator)
  const names = rows[0] ? splitCells(rows[0], separator).cells : []
  const columns = names.slice(0, names.findLastIndex(isFilled) + 1)
  const reasonColumn = columns.findIndex((name, column) => column > 0 && reasonHeadings.includes(normalize(name)))
  const hasHeading = nameHeading.test(normalize(columns[0])) || (columns.length > 2 && reasonColumn > 0)
  const body = hasHeading ? rows.slice(1) : rows
  if (!hasHeading || columns.length === 1) {
    const read = isTable(body, separator)
      ? (row: CsvRow) => readByColumn(row, [''], -1)
      : (row: CsvRow) => readWithRest(row, separator)
    const isOnlyRow = body.length === 1
    return {
      rows: body.map((row) => ({ ...read(row), otherId: findOtherId(row, separator, isOnlyRow) })),
      unusedColumns: [],
    }
  }
  if (columns.length === 2 && reasonColumn === 1)
    return { rows: body.map((row) => readWithRest(row, separator)), unusedColumns: [] }
  const unusedColumns = columns.filter((name, column) => column > 0 && column !== reasonColumn && isFilled(name))
  return {
    rows: body.map((row) => readByColumn(row, columns, reasonColumn)),
    unusedColumns: unusedColumns.map((name) => name.trim()),
  }
}
