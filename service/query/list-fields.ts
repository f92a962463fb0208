import { getTableColumns } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type FieldKind, filterFields, type SortOrder } from '@/lib/api-contract/filter'
import { customers, mandates, payments } from '../store/schema'

/** The columns of a list field. */
type ColumnMapping = {
  /** For comparing and sorting; the folded form of text. Never null. */
  column: string
  /** For filtering, if different from `column`; may be null. */
  filtered?: string
  /** Whether the row's trigrams include this text. */
  indexed?: boolean
  /** Converts text to its stored spelling, so that `pending` matches `Pending`; by default it is folded. */
  spelling?: (value: string) => string
}

export type ListField = ColumnMapping & { kind: FieldKind }

/** A list: its table, its fields, and its default sort order, which names some of `fields`. */
export type ListShape = {
  name: keyof typeof filterFields
  columns: Record<string, PgColumn>
  fields: ReadonlyMap<string, ListField>
  kinds: Readonly<Record<string, FieldKind>>
  order: readonly SortOrder[]
}

const capitalise = (value: string) => value.charAt(0).toUpperCase() + value.slice(1).toLowerCase()
const upper = (value: string) => value.toUpperCase()
const lower = (value: string) => value.toLowerCase()
/** Handles are equal only as they are spelled (decision 0111). */
const asIs = (value: string) => value

/** A field of the contract without its columns does not compile. */
function defineList<Name extends keyof typeof filterFields>(
  name: Name,
  table: PgTable,
  places: Record<keyof (typeof filterFields)[Name] & string, ColumnMapping> & { createdAt: ColumnMapping },
): ListShape {
  const kinds: Record<string, FieldKind> = filterFields[name]
  const fields = new Map(
    Object.entries<ColumnMapping>(places).map(([field, place]) => [
      field,
      { ...place, kind: kinds[field] ?? 'moment' },
    ]),
  )
  return { name, columns: getTableColumns(table), fields, kinds, order: [{ field: 'createdAt', direction: 'desc' }] }
}

/** The three lists with the fields of the contract, all sorted newest first by default. */
export const listShapes = {
  listPayments: defineList('listPayments', payments, {
    id: { column: 'id' },
    handle: { column: 'handle', spelling: asIs },
    reference: { column: 'referenceSearch', indexed: true },
    description: { column: 'descriptionSearch', indexed: true },
    amount: { column: 'amount' },
    currency: { column: 'currency', spelling: upper },
    test: { column: 'test' },
    status: { column: 'status', spelling: capitalise },
    paymentDate: { column: 'paymentDate' },
    scheduleDate: { column: 'scheduleDate' },
    settlementDate: { column: 'settlementSort', filtered: 'settlementDate' },
    createdAt: { column: 'createdAt' },
    modifiedAt: { column: 'modifiedAt' },
    'customer/id': { column: 'customerId' },
    'customer/name': { column: 'customerSearch', indexed: true },
    'mandate/id': { column: 'mandateId' },
    'mandate/handle': { column: 'mandateHandle', spelling: asIs },
    'mandate/scheme': { column: 'scheme', spelling: lower },
  }),
  listCustomers: defineList('listCustomers', customers, {
    id: { column: 'id' },
    handle: { column: 'handle', spelling: asIs },
    name: { column: 'nameSearch', indexed: true },
    number: { column: 'numberSearch', indexed: true },
    createdAt: { column: 'createdAt' },
    modifiedAt: { column: 'modifiedAt' },
  }),
  listMandates: defineList('listMandates', mandates, {
    id: { column: 'id' },
    handle: { column: 'handle', spelling: asIs },
    scheme: { column: 'scheme', spelling: lower },
    status: { column: 'status', spelling: capitalise },
    'customer/id': { column: 'customerId' },
    'customer/name': { column: 'customerSearch', indexed: true },
    'customer/number': { column: 'customerNumberSearch', indexed: true },
    createdAt: { column: 'createdAt' },
  }),
}

/** The column of a list's table by property name. Throws for an unknown name, which is a bug in `listShapes`. */
export function columnOf(shape: ListShape, name: string): PgColumn {
  const column = shape.columns[name]
  if (!column) throw new Error(`${shape.name} has no column ${name}`)
  return column
}

/** The field by name. Throws for an unknown one, which the parsers of filters and sort orders have refused before. */
export function fieldOf(shape: ListShape, name: string): ListField {
  const field = shape.fields.get(name)
  if (!field) throw new Error(`${shape.name} has no field ${name}`)
  return field
}
