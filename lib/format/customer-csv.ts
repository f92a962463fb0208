import { type CustomerField, customerFields } from '@/lib/contract/customer-fields'
import { parseCsv } from './parse-csv'

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
export function readCustomerLines(text: string, mapping: CustomerMapping): CustomerLine[] {
  const [header, ...rows] = parseCsv(text).rows
  const columns = countCells(header?.cells ?? [])
  return rows.map(({ line, cells }) => {
    const pairs = Object.entries(mapping).map(([name, column]) => [name, (cells[column] ?? '').trim()] as const)
    const body = Object.fromEntries(pairs.filter(([, value]) => value !== ''))
    return { line, body, cells: countCells(cells), columns }
  })
}
