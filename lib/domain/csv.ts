/** A row of a CSV file and the line where it begins; the first is 1. */
export type CsvRow = { line: number; cells: string[] }

const separators = [',', ';', '\t'] as const

/** The separator of the first line: the one that occurs most outside quotes. */
function findSeparator(text: string): string {
  const [first = ''] = text.replaceAll(/"[^"]*"/gu, '').split(/\r?\n/u, 1)
  const counts = separators.map((separator) => first.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ','
}

/**
 * Reads comma-, semicolon- or tab-separated text (RFC 4180: quotes around a cell, doubled inside it, line
 * ends of either kind; `find` chooses the separator). Rows that are empty are left out. `openQuote` is the line of a quote that never ends.
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
  let begin = 1

  const endRow = () => {
    cells.push(cell)
    if (cells.some((one) => one.trim() !== '')) rows.push({ line: begin, cells })
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
      begin = line
    } else if (character !== '\r' || text[at + 1] !== '\n') cell += character
  }
  endRow()
  return { rows, separator, openQuote: quotedFrom }
}

/*
 * Where a semicolon separates cells (Danish, German, French … spreadsheets), our commas are text, and so are our quotes:
 * they do not stand at the beginning of a cell. Then `a,"x;=1+1"` is two cells, the second a formula; a line break within
 * quotes begins a row. So each part of a text that could become a cell is defused, not the whole alone. A comma within
 * quotes is one to nobody.
 */

/**
 * Where an apostrophe belongs: before what a spreadsheet takes for a formula, with the quotes that may fall away before
 * it and the apostrophes that are there already, so that the reader can tell ours from the text's own. At the beginning
 * of the whole cell a tab or line end counts too.
 */
const dangerous = /^(?=[ '"]*[=+\-@|\t\r\n\0＝＋－＠])|(?<=[;\t\r\n])(?=[ '"]*[=+\-@|\0＝＋－＠])/gu
const defused = /^'(?=[ '"]*[=+\-@|\t\r\n\0＝＋－＠])|(?<=[;\t\r\n])'(?=[ '"]*[=+\-@|\0＝＋－＠])/gu

function defuse(text: string): string {
  return text.replace(dangerous, "'")
}

function quote(text: string): string {
  return /[",;\t\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A cell: text, which is defused, or a number of ours, which stands as it is (`-5` too). */
export type CsvCell = string | number | { number: string }

function writeCell(cell: CsvCell): string {
  if (typeof cell === 'number') return String(cell)
  return typeof cell === 'string' ? quote(defuse(cell)) : cell.number
}

/** One row of CSV with its line end. */
export function writeCsvRow(cells: readonly CsvCell[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`
}

/** Writes rows as CSV (RFC 4180, with the mark that tells spreadsheets it is UTF-8); formulas are defused (XS-03). */
export function writeCsv(rows: readonly (readonly CsvCell[])[]): string {
  return `\uFEFF${rows.map(writeCsvRow).join('')}`
}

/** The text that `writeCsv` was given, from the cell that a CSV parser reads. */
export function unescapeFormulas(cell: string): string {
  return cell.replace(defused, '')
}
