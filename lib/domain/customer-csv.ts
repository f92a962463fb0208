import { type CustomerField, customerFields } from '@/lib/api-contract/customer-fields'
import { customerInput } from '@/lib/api-contract/customers'
import { parseCsv } from './csv'

import * as m from '@/lib/messages/m'
/** The column (from 0) of each field. */
export type CustomerMapping = Partial<Record<CustomerField, number>>

/**
 * A customer from a line of a file. `body` holds the fields that are not empty, `cells` counts the cells up to the last
 * non-empty one, `columns` those of the heading.
 */
export type CustomerLine = { line: number; body: Record<string, string>; cells: number; columns: number }

const normalize = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Names of the fields in other programs, normalized. */
const aliases: Record<CustomerField, readonly string[]> = {
  name: ['customername', 'customer', 'fullname', 'navn'],
  number: ['customernumber', 'customerno', 'no', 'nummer', 'kundenummer'],
  addressLine1: ['address', 'address1', 'street', 'adresse', 'adresselinje1', 'addressline1'],
  addressLine2: ['address2', 'adresse2', 'adresselinje2', 'addressline2'],
  postalCode: ['zip', 'zipcode', 'postcode', 'postnr', 'postnummer'],
  city: ['town', 'by'],
  country: ['countrycode', 'land'],
}

/** Guesses the column of each field from the heading. */
export function guessMapping(header: readonly string[]): CustomerMapping {
  const names = header.map(normalize)
  const pairs = customerFields.flatMap(({ name, label }) => {
    const column = names.findIndex((given) => [normalize(name), normalize(label()), ...aliases[name]].includes(given))
    return column < 0 ? [] : [[name, column] as const]
  })
  return Object.fromEntries(pairs)
}

/** Counts the cells up to the last non-empty one. */
function countCells(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1
}

/** Parses the customers of a file whose first line is a heading. */
export function parseCustomerLines(text: string, mapping: CustomerMapping): CustomerLine[] {
  const [header, ...rows] = parseCsv(text).rows
  const columns = countCells(header?.cells ?? [])
  return rows.map(({ line, cells }) => {
    const pairs = Object.entries(mapping).map(([name, column]) => [name, (cells[column] ?? '').trim()] as const)
    const body = Object.fromEntries(pairs.filter(([, value]) => value !== ''))
    return { line, body, cells: countCells(cells), columns }
  })
}

const labels: Record<string, () => string> = Object.fromEntries(customerFields.map(({ name, label }) => [name, label]))

type Line = { body: Readonly<Record<string, string>>; cells: number; columns: number }

/**
 * Why a line is not a valid customer; null when it is. A line with more cells than the heading is refused, because its
 * cells may have shifted; otherwise the first error of each field is given.
 */
export function checkCustomerLine({ body, cells, columns }: Line): string | null {
  if (cells > columns) return m.customerLines_moreCellsThanColumns({ cells, columns })
  const read = customerInput.safeParse({ name: '', ...body })
  if (read.success) return null
  // The first issue of a field wins.
  const errors = read.error.issues
    .toReversed()
    .map(({ path, message }) => [path.map(String).join('.'), message] as const)
  return Object.entries(Object.fromEntries(errors))
    .map(([field, message]) => `${labels[field]?.() ?? field} ${message}`)
    .join('; ')
}
