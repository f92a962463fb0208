/**
 * A row of a CSV file and the line where it begins, counted from 1. `isQuoted`: its first cell is. A row with a quotation
 * mark that never closes is `isOpen`, with its line as its only cell.
 */
export type CsvRow = { line: number; cells: string[]; isQuoted?: true; isOpen?: true }

/** Whether a file is a workbook of a spreadsheet, which is no text: a zip, or the compound file of Excel before 2007. */
export function isWorkbook(bytes: ArrayBuffer): boolean {
  const [first, second, third, fourth] = new Uint8Array(bytes, 0, Math.min(4, bytes.byteLength))
  if (first === 0x50 && second === 0x4b) return third === 3 && fourth === 4
  return first === 0xd0 && second === 0xcf && third === 0x11 && fourth === 0xe0
}

/**
 * The text of a file from a spreadsheet: UTF-16 with a byte order mark ("Unicode text" of Excel) or with a first character
 * of which one byte is 0, else UTF-8, else Windows-1252, which Western ones write.
 */
export function decodeSpreadsheet(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength))
  if ((first === 0xff && second === 0xfe) || (first && second === 0)) return new TextDecoder('utf-16le').decode(bytes)
  if ((first === 0xfe && second === 0xff) || (first === 0 && second)) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const separators = [',', ';', '\t'] as const

/** The separator that occurs most often outside quotes in the first line. */
function findSeparator(text: string): string {
  const [first = ''] = text.replaceAll(/"[^"]*"/gu, '').split(/\r?\n/u, 1)
  const counts = separators.map((separator) => first.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ','
}

/** Lines with quotes that never close; after so many the rest of the file is one such row. */
const MAX_OPEN_ROWS = 100

/**
 * Parses comma-, semicolon- or tab-separated text (RFC 4180, with line ends CRLF or LF, or CR alone throughout). A first line such as
 * `sep=;`, which Excel reads, names the separator (`isNamed`) and is no row; else `find` chooses it. Empty rows are omitted. After a quote that is never closed, parsing goes on with the next line.
 */
export function parseCsv(
  given: string,
  find: (text: string) => string = findSeparator,
): { rows: CsvRow[]; separator: string; isNamed: boolean } {
  const bare = given.replace(/^\uFEFF/u, '')
  const text = bare.includes('\n') ? bare : bare.replaceAll('\r', '\n')
  const named = /^sep=([^"\r\n])\r?(?:\n|$)/iu.exec(text)
  const begin = named?.[0].length ?? 0
  const separator = named?.[1] ?? find(text)
  const rows: CsvRow[] = []
  let cells: string[] = []
  let cell = ''
  let line = named ? 2 : 1
  let rowStart = { at: begin, line }
  /** Where a quote opened, until it closes. */
  let quote: { at: number; line: number } | null = null
  let openRows = 0
  let isQuoted = false

  const endRow = () => {
    cells.push(cell)
    if (cells.some((one) => one.trim() !== '')) rows.push({ line: rowStart.line, cells, ...(isQuoted && { isQuoted }) })
    cells = []
    cell = ''
    isQuoted = false
  }
  for (let at = begin; at <= text.length; at += 1) {
    const character = text[at] ?? ''
    if (at === text.length) {
      if (quote === null) {
        endRow()
        break
      }
      const lineEnd = text.indexOf('\n', quote.at)
      const end = lineEnd < 0 || openRows >= MAX_OPEN_ROWS ? text.length : lineEnd
      rows.push({ line: quote.line, cells: [text.slice(rowStart.at, end).trimEnd()], isOpen: true })
      openRows += 1
      isQuoted = false
      if (end === text.length) break
      cells = []
      cell = ''
      line = quote.line + 1
      rowStart = { at: end + 1, line }
      quote = null
      at = end
      continue
    }
    if (character === '\n') line += 1
    if (quote !== null) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') {
        cell += '"'
        at += 1
      } else quote = null
    } else if (character === '"' && cell.trim() === '') {
      cell = ''
      quote = { at, line }
      isQuoted ||= cells.length === 0
    } else if (character === separator) {
      cells.push(cell)
      cell = ''
    } else if (character === '\n') {
      endRow()
      rowStart = { at: at + 1, line }
    } else if (character !== '\r' || text[at + 1] !== '\n') cell += character
  }
  return { rows, separator, isNamed: named !== null }
}

/** `semicolon` is what spreadsheets of locales with a decimal comma open: semicolons between cells, commas in numbers. */
export type CsvFlavour = 'comma' | 'semicolon'

/** The flavour that spreadsheets of a locale open. */
export function csvFlavourOf(locale: string): CsvFlavour {
  return new Intl.NumberFormat(locale).format(1.5).includes(',') ? 'semicolon' : 'comma'
}

/*
 * Formulas are escaped with an apostrophe (CSV injection, XS-03). Spreadsheets that separate cells with the other sign
 * (semicolons in Danish, German, French …, commas in English) read ours as text, and our quotes too, because they are
 * not at the beginning of a cell. There `a,"x;=1+1"` is two cells, the second a formula, and a line break within quotes
 * begins a row. So every part of a text that could become a cell is escaped. The sign of the flavour itself needs no
 * escaping within quotes: no spreadsheet splits there.
 */

/**
 * Where an apostrophe is inserted: before what a spreadsheet takes for a formula, and before quotes, spaces and
 * apostrophes that precede it, so that unescaping can tell ours from the text's own. At the beginning of the cell a tab
 * or line end counts as a formula too.
 */
const formulaStart: Record<CsvFlavour, RegExp> = {
  comma: /^(?=[ '"]*[=+\-@|\t\r\n\0＝＋－＠])|(?<=[;\t\r\n])(?=[ '"]*[=+\-@|\0＝＋－＠])/gu,
  semicolon: /^(?=[ '"]*[=+\-@|\t\r\n\0＝＋－＠])|(?<=[,\t\r\n])(?=[ '"]*[=+\-@|\0＝＋－＠])/gu,
}
const escapedFormula: Record<CsvFlavour, RegExp> = {
  comma: /^'(?=[ '"]*[=+\-@|\t\r\n\0＝＋－＠])|(?<=[;\t\r\n])'(?=[ '"]*[=+\-@|\0＝＋－＠])/gu,
  semicolon: /^'(?=[ '"]*[=+\-@|\t\r\n\0＝＋－＠])|(?<=[,\t\r\n])'(?=[ '"]*[=+\-@|\0＝＋－＠])/gu,
}

function escapeFormulas(text: string, flavour: CsvFlavour): string {
  return text.replace(formulaStart[flavour], "'")
}

function quote(text: string): string {
  return /[",;\t\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Text, whose formulas are escaped, or a number of ours, which is written as is (`-5` too). */
export type CsvCell = string | number | { number: string }

function writeCell(cell: CsvCell, flavour: CsvFlavour): string {
  if (typeof cell === 'number') return String(cell)
  if (typeof cell === 'string') return quote(escapeFormulas(cell, flavour))
  return flavour === 'semicolon' ? cell.number.replace('.', ',') : cell.number
}

/** A row of CSV including its line end. */
export function writeCsvRow(cells: readonly CsvCell[], flavour: CsvFlavour = 'comma'): string {
  return `${cells.map((cell) => writeCell(cell, flavour)).join(flavour === 'semicolon' ? ';' : ',')}\r\n`
}

/** Rows as CSV (RFC 4180, with a byte order mark for spreadsheets); formulas are escaped (XS-03). */
export function writeCsv(rows: readonly (readonly CsvCell[])[], flavour?: CsvFlavour): string {
  return `\uFEFF${rows.map((cells) => writeCsvRow(cells, flavour)).join('')}`
}

/** The original text of a cell written by `writeCsv`. */
export function unescapeFormulas(cell: string, flavour: CsvFlavour = 'comma'): string {
  return cell.replace(escapedFormula[flavour], '')
}
