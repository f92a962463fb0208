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
