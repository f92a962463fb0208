import { type CustomerField, customerFields } from '@/lib/api-contract/customer-fields'
import { customerInput } from '@/lib/api-contract/customers'
import { parseCsv } from './csv'
import { moreCellsThanColumns } from '@/lib/words/customer-lines'

/** Which column (from 0) holds which field. */
export type CustomerMapping = Partial<Record<CustomerField, number>>

/**
 * A customer as a line of a file has it: only what is not empty; how many cells the line has, up to the last that is
 * not empty, and how many the first line names.
 */
export type CustomerLine = { line: number; body: Record<string, string>; cells: number; columns: number }

const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Names by which other programs call the fields. */
const otherNames: Record<CustomerField, readonly string[]> = {
  name: ['customername', 'customer', 'fullname', 'navn'],
  number: ['customernumber', 'customerno', 'no', 'kundenummer'],
  addressLine1: ['address', 'address1', 'street', 'adresse'],
  addressLine2: ['address2'],
  postalCode: ['zip', 'zipcode', 'postcode', 'postnr', 'postnummer'],
  city: ['town', 'by'],
  country: ['countrycode', 'land'],
}

/** Guesses which column is which field, by the words of the first line. */
export function guessMapping(header: readonly string[]): CustomerMapping {
  const words = header.map(plain)
  const pairs = customerFields.flatMap(({ name, label }) => {
    const column = words.findIndex((word) => [plain(name), plain(label), ...otherNames[name]].includes(word))
    return column < 0 ? [] : [[name, column] as const]
  })
  return Object.fromEntries(pairs)
}

/** How many cells there are up to the last that is not empty. */
function countCells(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1
}

/** Reads the customers of a file whose first line names the columns. */
export function parseCustomerLines(text: string, mapping: CustomerMapping): CustomerLine[] {
  const [header, ...rows] = parseCsv(text).rows
  const columns = countCells(header?.cells ?? [])
  return rows.map(({ line, cells }) => {
    const pairs = Object.entries(mapping).map(([name, column]) => [name, (cells[column] ?? '').trim()] as const)
    const body = Object.fromEntries(pairs.filter(([, value]) => value !== ''))
    return { line, body, cells: countCells(cells), columns }
  })
}

const labels: Record<string, string> = Object.fromEntries(customerFields.map(({ name, label }) => [name, label]))

type Line = { body: Readonly<Record<string, string>>; cells: number; columns: number }

/**
 * Why a line of a file cannot be a customer: more cells than the first line names, for then what stands in them has
 * moved, or the first flaw of each field. Null where it can.
 */
export function checkCustomerLine({ body, cells, columns }: Line): string | null {
  if (cells > columns) return moreCellsThanColumns(cells, columns)
  const read = customerInput.safeParse({ name: '', ...body })
  if (read.success) return null
  const flaws = read.error.issues
    .toReversed()
    .map(({ path, message }) => [path.map(String).join('.'), message] as const)
  return Object.entries(Object.fromEntries(flaws))
    .map(([field, message]) => `${labels[field] ?? field} ${message}`)
    .join('; ')
}
