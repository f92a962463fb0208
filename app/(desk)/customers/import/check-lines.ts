import type { WriteCount } from '@/components/use-count'
import { checkCustomerLine } from '@/lib/format/check-customer-line'
import { importLimits, measureImport } from '@/lib/contract/customer-import'
import { type CustomerMapping, readCustomerLines } from '@/lib/format/customer-csv'
import { parseCsv } from '@/lib/format/parse-csv'
import * as words from '@/lib/words/customer-import'

export type CheckedFile = {
  /** The first line: the names of the columns. */
  header: string[]
  good: number
  /** Lines that would not be sent, and why. */
  flawed: { line: number; message: string }[]
  /** Why the file as a whole cannot be imported. */
  reason: string | null
}

/** Tries a file out without sending anything: which lines would be created, and what is wrong with the others. */
export function checkLines(text: string, mapping: CustomerMapping, formatCount: WriteCount): CheckedFile {
  const { rows, openQuote } = parseCsv(text)
  const lines = readCustomerLines(text, mapping)
  const size = measureImport(text)
  const flawed = lines.flatMap((line) => {
    const message = checkCustomerLine(line)
    return message === null ? [] : [{ line: line.line, message }]
  })
  const reasons = [
    size > importLimits.bytes
      ? words.fileIsTooLarge(
          formatCount(Math.ceil(size / 1_000)),
          formatCount(importLimits.bytes / 1_000),
          Math.ceil(size / importLimits.bytes),
        )
      : null,
    openQuote === null ? null : words.quotationMarkInLine(openQuote),
    lines.length === 0 ? words.thereIsNoLineBelow : null,
    lines.length > importLimits.lines
      ? words.importTakesAtMostLines(formatCount(importLimits.lines), formatCount(lines.length))
      : null,
    mapping.name === undefined ? words.sayWhichColumnHolds : null,
  ]
  return {
    header: rows[0]?.cells ?? [],
    good: lines.length - flawed.length,
    flawed,
    reason: reasons.find((reason) => reason !== null) ?? null,
  }
}
