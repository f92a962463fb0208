/** A row of a CSV file and the line where it begins, counted from 1. */
export type CsvRow = { line: number; cells: string[] }

const separators = [',', ';', '\t'] as const

/** The separator that occurs most often outside quotes in the first line. */
function findSeparator(text: string): string {
  const [first = ''] = text.replaceAll(/"[^"]*"/gu, '').split(/\r?\n/u, 1)
  const counts = separators.map((separator) => first.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ','
}

/**
 * Parses comma-, semicolon- or tab-separated text (RFC 4180, with line ends of either kind). `find` chooses the
 * separator. Empty rows are omitted. `openQuote` is the line of a quote that is never closed.
 */
export function parseCsv(
  given: string,
  find: (text: string) => string = findSeparator,
): { rows: CsvRow[]; separator: string; openQuote: number | null } {
  const text = given.replace(/^\uFEFF/u, '')
  const separator = find(text)
  const rows: CsvRow[] = []
  let cells: string[] = []
  let cell = ''
  let quotedFrom: number | null = null
  let line = 1
  let rowStart = 1

  const endRow = () => {
    cells.push(cell)
    if (cells.some((one) => one.trim() !== '')) rows.push({ line: rowStart, cells })
    cells = []
    cell = ''
  }
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (character === '\n') line += 1
    if (quotedFrom !== null) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') {
        cell += '"'
        at += 1
      } else quotedFrom = null
    } else if (character === '"' && cell.trim() === '') {
      cell = ''
      quotedFrom = line
    } else if (character === separator) {
      cells.push(cell)
      cell = ''
    } else if (character === '\n') {
      endRow()
      rowStart = line
    } else if (character !== '\r' || text[at + 1] !== '\n') cell += character
  }
  endRow()
  return { rows, separator, openQuote: quotedFrom }
}

/*
 * Formulas are escaped with an apostrophe (CSV injection, XS-03). Spreadsheets of locales that separate cells with
 * semicolons (Danish, German, French …) read our commas as text, and our quotes too, because they are not at the
 * beginning of a cell. There `a,"x;=1+1"` is two cells, the second a formula, and a line break within quotes begins a
 * row. So every part of a text that could become a cell is escaped. Commas within quotes need no escaping: no
 * spreadsheet splits there.
 */

/**
 * Where an apostrophe is inserted: before what a spreadsheet takes for a formula, and before quotes, spaces and
 * apostrophes that precede it, so that unescaping can tell ours from the text's own. At the beginning of the cell a tab
 * or line end counts as a formula too.
 */
const formulaStart = /^(?=[ '"]*[=+\-@|\t\r\n\0＝＋－＠])|(?<=[;\t\r\n])(?=[ '"]*[=+\-@|\0＝＋－＠])/gu
const escapedFormula = /^'(?=[ '"]*[=+\-@|\t\r\n\0＝＋－＠])|(?<=[;\t\r\n])'(?=[ '"]*[=+\-@|\0＝＋－＠])/gu

function escapeFormulas(text: string): string {
  return text.replace(formulaStart, "'")
}

function quote(text: string): string {
  return /[",;\t\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Text, whose formulas are escaped, or a number of ours, which is written as is (`-5` too). */
export type CsvCell = string | number | { number: string }

function writeCell(cell: CsvCell): string {
  if (typeof cell === 'number') return String(cell)
  return typeof cell === 'string' ? quote(escapeFormulas(cell)) : cell.number
}

/** A row of CSV including its line end. */
export function writeCsvRow(cells: readonly CsvCell[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`
}

/** Rows as CSV (RFC 4180, with a byte order mark for spreadsheets); formulas are escaped (XS-03). */
export function writeCsv(rows: readonly (readonly CsvCell[])[]): string {
  return `\uFEFF${rows.map(writeCsvRow).join('')}`
}

/** The original text of a cell written by `writeCsv`. */
export function unescapeFormulas(cell: string): string {
  return cell.replace(escapedFormula, '')
}
