/** What a spreadsheet would take for a formula, or for the end of the cell before it. */
const dangerous = /^[=+\-@\t\r\0＝＋－＠]/u

function writeCell(value: string): string {
  const defused = dangerous.test(value) ? `'${value}` : value
  return /[",;\t\r\n]/u.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused
}

/** Writes rows of text as CSV (RFC 4180, with the mark that tells spreadsheets it is UTF-8); formulas are defused (XS-03). */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((cells) => `${cells.map(writeCell).join(',')}\r\n`).join('')}`
}
