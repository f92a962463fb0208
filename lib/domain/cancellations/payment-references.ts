import { hasVisibleText } from '@/lib/api-contract/visible-text'
import { type CsvRow, parseCsv } from '../csv'
import { idKey, isUuid } from '../ids'
import { type ListHeading, readListHeading } from './list-heading'

/** One line of a list of payments: an id, handle or reference, and the reason for this payment alone. */
export type GivenRow = { given: string; reason: string | null }

/** A row of a list, and the line where it begins, counted from 1. */
export type ReadRow = GivenRow & {
  line: number
  /** The cells that are neither id nor reason, though their columns have no name that is. */
  leftOut: string[]
  /** What stands behind the id and may be another one; null where nothing does. */
  otherId: string | null
  /** `no-id`: a line without one. `more-cells`: one with more than the others, or whose cells are not below their names. */
  flaw: 'no-id' | 'more-cells' | null
}

/**
 * `unusedColumns`: the names of columns that hold neither ids nor reasons. `unpaidLines`: those of our own result that had
 * no payment, which are no rows. `isUnclear`: the first line seems to name the columns, but not the one with the ids, or to
 * be a title above their names, so there are no rows.
 */
export type ReadList = { rows: ReadRow[]; unusedColumns: string[]; unpaidLines: number[]; isUnclear: boolean }

/** The cells of a row, and the sign between them. */
type Line = { line: number; cells: string[]; sign: string }

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

/** Where nothing names the separator, a line that is one cell without quotes may have another than the list. */
function splitCells({ line, cells, isQuoted }: CsvRow, separator: string): Line {
  const [first = ''] = cells
  if (cells.length > 1 || isQuoted) return { line, cells, sign: separator }
  const sign = /[,;\t]/u.exec(first)?.[0] ?? separator
  return { line, cells: first.split(sign), sign }
}

/** Empty cells leave separators at the end of the reason. One without a visible character is none. */
function toGivenRow(given = '', reason = ''): GivenRow {
  // No pattern, which would take minutes for many spaces.
  const end = reason.split('').findLastIndex((character) => !/[\s,;]/u.test(character)) + 1
  const text = reason.slice(0, end).replaceAll('\t', ' ').trim()
  return { given: given.trim(), reason: hasVisibleText(text) ? text : null }
}

const currency = '(?:kroner|kr\\.?|euro?|dkk|sek|nok|isk|usd|gbp|chf|pln|\\p{Sc})'
const currencyAround = new RegExp(`^${currency}|${currency}$`, 'giu')

/** An amount, a number or a date: no reason. */
function isAmount(cell: string): boolean {
  const bare = cell.replaceAll(currencyAround, '')
  return /\p{N}/u.test(bare) && !/\p{L}/u.test(bare)
}

/** What ids of one kind have in common: `INV-12` and `INV-7` are both `inv-9`. */
const maskDigits = (text: string) =>
  idKey(text)
    .toLowerCase()
    .replaceAll(/\p{N}+/gu, '9')

/**
 * Whether a cell behind an id may be another one: it has a UUID, looks like one of the list's first cells, or would be a
 * reason of nothing but words with digits, such as `INV-2 and INV-3`.
 */
function mayBeId(cell: string, ids: ReadonlySet<string>, isReason: boolean): boolean {
  const words = cell.split(/[\s,;&+]+/u).filter((word) => !['', 'and', 'og'].includes(word))
  if (words.some(isUuid) || ids.has(maskDigits(cell))) return true
  return isReason && !isAmount(cell) && words.length > 0 && words.every((word) => /\p{N}/u.test(word))
}

/** In a table such a cell is an amount, though ids may be numbers, too. */
const isPlainNumber = (cell: string) => /^[\d.,' ]+$/u.test(cell)

/** Beside a number, which may count the lines or be an amount, such a cell may be the id. */
const hasLettersAndDigits = (cell: string) => /\p{L}/u.test(cell) && /\p{N}/u.test(cell) && !isAmount(cell)

/** Reads a list whose columns have no names: all that stands behind the id is its reason, unless there are more columns. */
function readUnnamed(lines: readonly Line[]): ReadRow[] {
  // A reason with a sign in it has a space behind the sign, and no tab.
  const isWide = ({ cells, sign }: Line) =>
    cells.slice(2).some((cell) => isFilled(cell) && (sign === '\t' || !cell.startsWith(' ')))
  const wide = lines.filter(isWide)
  const isTable =
    wide.some(({ sign }) => sign === '\t') || (wide.length > 0 && lines.every(({ cells }) => cells.length > 2))
  const ids = new Set(lines.map(({ cells }) => maskDigits((cells[0] ?? '').trim())))
  return lines.map((line) => {
    const { cells, sign } = line
    const behind = cells
      .slice(1)
      .filter(isFilled)
      .map((cell) => cell.trim())
    const isLeftOut = isTable || behind.some(isAmount)
    const row = toGivenRow(cells[0], isLeftOut ? '' : cells.slice(1).join(sign))
    // `A;B;C`, where a reason would be two.
    const areAlike =
      lines.length === 1 && behind.length > 1 && [row.given, ...behind].every((cell) => /^\p{L}+$/u.test(cell))
    const asked = isTable || sign === '\t' ? behind.filter((cell) => !isPlainNumber(cell)) : behind
    const isBesideNumber = isLeftOut && isAmount(row.given)
    const other = asked.find(
      (cell) => areAlike || mayBeId(cell, ids, !isTable) || (isBesideNumber && hasLettersAndDigits(cell)),
    )
    const flaw = row.given === '' ? 'no-id' : !isTable && isWide(line) ? 'more-cells' : null
    return { ...row, line: line.line, leftOut: isLeftOut ? behind : [], otherId: other ?? null, flaw }
  })
}

/**
 * Reads rows by the names of their columns. In one with more cells than names the cells have moved: none is a reason. A
 * decimal comma moves them, too, and is not seen where the line has no last cell: then an amount is no reason, nor is an id.
 */
function readNamed(rows: readonly CsvRow[], separator: string, heading: ListHeading): ReadRow[] {
  const { names, idColumn, reasonColumn, width } = heading
  const ids = new Set(rows.map(({ cells }) => maskDigits((cells[idColumn] ?? '').trim())))
  const mayMove = separator === ',' && names.length > 2
  return rows.map(({ line, cells }) => {
    const reason = (cells[reasonColumn] ?? '').trim()
    const hasMoved =
      cells.length > width ||
      cells.findLastIndex(isFilled) >= names.length ||
      (mayMove && idColumn > 0 && reasonColumn > idColumn && reason !== '' && mayBeId(reason, ids, true))
    const isNoReason = hasMoved || (mayMove && isAmount(reason))
    const leftOut = cells.filter(
      (cell, at) =>
        at !== idColumn &&
        isFilled(cell) &&
        (hasMoved || (isNoReason && at === reasonColumn) || !isFilled(names[at] ?? '')),
    )
    const row = toGivenRow(cells[idColumn], isNoReason ? '' : reason)
    const flaw = hasMoved ? 'more-cells' : row.given === '' ? 'no-id' : null
    return { ...row, line, leftOut: leftOut.map((cell) => cell.trim()), otherId: null, flaw }
  })
}

/**
 * Parses a pasted or uploaded list of payments: one per line, optionally with a reason after a comma, semicolon or tab.
 * Skips blank lines, a byte order mark and a heading; keeps duplicates. The reason is everything after the first
 * separator; where the columns have names, or are more than two, it is the one whose name says so, if any. What is not
 * used is said, and what may be another id (decision 0029).
 */
export function parseReferences(text: string): ReadList {
  const { rows, separator, isNamed } = parseCsv(text, findSeparator)
  const toLine = (row: CsvRow) => (isNamed ? { ...row, sign: separator } : splitCells(row, separator))
  const [first] = rows
  const heading = first ? readListHeading(toLine(first).cells) : null
  const hasOneName = heading === null || (heading !== 'unclear' && heading.names.length === 1)
  // Of a sheet the names may stand below a title.
  const firstWide = rows.find(({ cells }) => cells.filter(isFilled).length > 1)
  const isBelowTitle = hasOneName && firstWide !== undefined && readListHeading(firstWide.cells) !== null
  const nothing: ReadList = { rows: [], unusedColumns: [], unpaidLines: [], isUnclear: false }
  if (heading === 'unclear' || isBelowTitle) return { ...nothing, isUnclear: true }
  const body = heading ? rows.slice(1) : rows
  if (!heading || hasOneName) return { ...nothing, rows: readUnnamed(body.map(toLine)) }
  const { names, idColumn, reasonColumn, isResult } = heading
  const unused = names.filter((name, at) => at !== idColumn && at !== reasonColumn && isFilled(name))
  // The last column may have the separator in its texts.
  const isPair = names.length === 2 && reasonColumn === 1 && separator !== '\t'
  const toPair = ({ cells, ...row }: CsvRow) => ({ ...row, cells: [cells[0] ?? '', cells.slice(1).join(separator)] })
  const read = readNamed(isPair ? body.map(toPair) : body, separator, heading)
  const isUnpaid = ({ flaw }: ReadRow) => isResult && flaw === 'no-id'
  return {
    ...nothing,
    rows: read.filter((row) => !isUnpaid(row)),
    unusedColumns: unused.map((name) => name.trim()),
    unpaidLines: read.filter(isUnpaid).map(({ line }) => line),
  }
}
