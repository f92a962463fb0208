import type { WriteCount } from '@/components/use-count'
import { checkCustomerLine } from '@/lib/contract/check-customer-line'
import { importLimits, measureImport } from '@/lib/contract/customer-import'
import { type CustomerMapping, readCustomerLines } from '@/lib/format/customer-csv'
import { parseCsv } from '@/lib/format/parse-csv'

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
  const flawed = lines.flatMap(({ line, body }) => {
    const message = checkCustomerLine(body)
    return message === null ? [] : [{ line, message }]
  })
  const reasons = [
    size > importLimits.bytes
      ? `The file is too large: it takes ${formatCount(Math.ceil(size / 1_000))} kB of the ${formatCount(importLimits.bytes / 1_000)} kB that one import takes. Split it into ${Math.ceil(size / importLimits.bytes)} files or more.`
      : null,
    openQuote === null ? null : `A quotation mark in line ${openQuote} is never closed.`,
    lines.length === 0 ? 'There is no line below the first.' : null,
    lines.length > importLimits.lines
      ? `An import takes at most ${formatCount(importLimits.lines)} lines, and this file has ${formatCount(lines.length)}: split the file.`
      : null,
    mapping.name === undefined ? 'Say which column holds the name.' : null,
  ]
  return {
    header: rows[0]?.cells ?? [],
    good: lines.length - flawed.length,
    flawed,
    reason: reasons.find((reason) => reason !== null) ?? null,
  }
}
