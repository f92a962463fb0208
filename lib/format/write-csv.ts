/**
 * What a spreadsheet would take for a formula, or for the end of the cell before it; and what is already held
 * back by apostrophes, so that the reader can tell ours from the text's own.
 */
const dangerous = /^'*[=+\-@|\t\r\n\0＝＋－＠]/u

function defuse(text: string): string {
  return dangerous.test(text) ? `'${text}` : text
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
export function readDefused(cell: string): string {
  return /^'+[=+\-@|\t\r\n\0＝＋－＠]/u.test(cell) ? cell.slice(1) : cell
}
