import { readIssues } from '@/components/form/field-messages'
import { customerFields } from '@/lib/contract/customer-fields'
import { importLimits } from '@/lib/contract/customer-import'
import { customerInput } from '@/lib/contract/customers'
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

const labels: Record<string, string> = Object.fromEntries(customerFields.map(({ name, label }) => [name, label]))

function describe(body: Record<string, string>): string | null {
  const read = customerInput.safeParse({ name: '', ...body })
  if (read.success) return null
  return Object.entries(readIssues(read.error.issues))
    .map(([field, message]) => `${labels[field] ?? field} ${message}`)
    .join('; ')
}

/** Tries a file out without sending anything: which lines would be created, and what is wrong with the others. */
export function checkLines(text: string, mapping: CustomerMapping): CheckedFile {
  const { rows, openQuote } = parseCsv(text)
  const lines = readCustomerLines(text, mapping)
  const flawed = lines.flatMap(({ line, body }) => {
    const message = describe(body)
    return message === null ? [] : [{ line, message }]
  })
  const reasons = [
    text.length > importLimits.characters ? 'The file is too large: split it into files of at most 900 kB.' : null,
    openQuote === null ? null : `A quotation mark in line ${openQuote} is never closed.`,
    lines.length === 0 ? 'There is no line below the first.' : null,
    lines.length > importLimits.lines ? `An import takes at most ${importLimits.lines} lines: split the file.` : null,
    mapping.name === undefined ? 'Say which column holds the name.' : null,
  ]
  return {
    header: rows[0]?.cells ?? [],
    good: lines.length - flawed.length,
    flawed,
    reason: reasons.find((reason) => reason !== null) ?? null,
  }
}
