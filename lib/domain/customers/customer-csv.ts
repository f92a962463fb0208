import { type CustomerField, customerFields } from '@/lib/api-contract/customer-fields'
import { customerInput } from '@/lib/api-contract/customers'
import { parseCsv } from '../csv'
import { foldCustomerText } from './customer-import'
import * as m from '@/lib/messages/m'

/** The column (from 0) of each field. */
export type CustomerMapping = Partial<Record<CustomerField, number>>

/**
 * A customer from a line of a file. `body` holds the fields that are not empty, `cells` counts the cells up to the last
 * non-empty one, `columns` those of the heading.
 */
export type CustomerLine = {
  line: number
  body: Record<string, string>
  cells: number
  columns: number
  /** Whether a quotation mark of the line never closes. */
  isOpen: boolean
  /** The earlier valid line with the same customer number. */
  repeats: number | null
}

const normalize = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Names of the fields in other programs, normalized. */
const aliases: Record<CustomerField, readonly string[]> = {
  name: ['customername', 'customer', 'fullname', 'navn', 'kundenavn', 'kunde', 'kundenname', 'namn', 'kundnamn'],
  number: [
    'customernumber',
    'customerno',
    'no',
    'nr',
    'nummer',
    'kundenummer',
    'kundenr',
    'debitornr',
    'debitornummer',
    'kundennummer',
    'kundennr',
    'kundnummer',
    'kundnr',
  ],
  addressLine1: [
    'address',
    'address1',
    'street',
    'adresse',
    'adresse1',
    'adresselinje1',
    'addressline1',
    'gade',
    'vej',
    'straße',
    'strasse',
    'adress',
    'gatuadress',
  ],
  addressLine2: ['address2', 'adresse2', 'adresselinje2', 'addressline2', 'adresszusatz', 'adress2', 'co'],
  postalCode: ['zip', 'zipcode', 'postcode', 'postnr', 'postnummer', 'plz', 'postleitzahl'],
  city: ['town', 'by', 'bynavn', 'ort', 'stadt', 'stad'],
  country: ['countrycode', 'land', 'landekode', 'landkode', 'ländercode', 'landskod'],
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
  const numbers = new Map<string, number>()
  return rows.map(({ line, cells, isOpen = false }) => {
    const pairs = Object.entries(mapping).map(([name, column]) => [name, (cells[column] ?? '').trim()] as const)
    const body = Object.fromEntries(pairs.filter(([, value]) => value !== ''))
    const number = foldCustomerText(body.number ?? '')
    const repeats = numbers.get(number) ?? null
    const read = { line, body, cells: countCells(cells), columns, isOpen, repeats }
    // An invalid line creates nothing that the next could repeat.
    if (number !== '' && repeats === null && checkCustomerLine(read) === null) numbers.set(number, line)
    return read
  })
}

const labels: Record<string, () => string> = Object.fromEntries(customerFields.map(({ name, label }) => [name, label]))

type Line = Pick<CustomerLine, 'cells' | 'columns' | 'isOpen'> & { body: Readonly<Record<string, string>> }

/**
 * Why a line is not a valid customer; null when it is. A line with more cells than the heading is refused, because its
 * cells may have shifted; otherwise the first error of each field is given.
 */
export function checkCustomerLine({ body, cells, columns, isOpen }: Line): string | null {
  if (isOpen) return m.customerLines_quoteNeverCloses()
  if (cells > columns) return m.customerLines_moreCellsThanColumns({ cells, columns })
  const read = customerInput.safeParse({ name: '', ...body })
  if (read.success) return null
  // The first issue of a field wins.
  const errors = read.error.issues
    .toReversed()
    .map(({ path, message }) => [path.map(String).join('.'), message] as const)
  return Object.entries(Object.fromEntries(errors))
    .map(([field, message]) => `${labels[field]?.() ?? field} ${message}.`)
    .join(' ')
}

/** Why a line is left out though it is valid: an earlier one has the same customer number. */
export function explainRepeat({ repeats }: Pick<CustomerLine, 'repeats'>): string | null {
  return repeats === null ? null : m.customerLines_repeatsNumberOf({ line: repeats })
}
