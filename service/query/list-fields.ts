import { getTableColumns } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type FieldKind, filterFields, type SortOrder } from '@/lib/api-contract/filter'
import { customers, mandates, payments } from '../store/schema'

/** How a field of a list is kept: the names of columns of its table. */
type Place = {
  /** What comparisons and orders look at; for text the folded form. Never null. */
  column: string
  /** What filters look at where it differs from `column`: may be null. */
  filtered?: string
  /** Whether the row's trigrams hold this text too. */
  indexed?: boolean
  /** A keyword's values as stored, so that `pending` finds `Pending`. */
  spelling?: (value: string) => string
}

export type ListField = Place & { kind: FieldKind }

/** A list: its table, its fields, and the order when none is asked for. Names of `order` are of `fields`. */
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

/** A field of the contract without its place does not compile. */
function defineList<Name extends keyof typeof filterFields>(
  name: Name,
  table: PgTable,
  places: Record<keyof (typeof filterFields)[Name] & string, Place> & { createdAt: Place },
): ListShape {
  const kinds: Record<string, FieldKind> = filterFields[name]
  const fields = new Map(
    Object.entries<Place>(places).map(([field, place]) => [field, { ...place, kind: kinds[field] ?? 'moment' }]),
  )
  return { name, columns: getTableColumns(table), fields, kinds, order: [{ field: 'createdAt', direction: 'desc' }] }
}

/** The three lists. Their fields are those of the contract; newest first is the order of all. */
export const listShapes = {
  listPayments: defineList('listPayments', payments, {
    id: { column: 'id' },
    handle: { column: 'handle' },
    reference: { column: 'referenceSearch', indexed: true },
    description: { column: 'descriptionSearch' },
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
    'mandate/handle': { column: 'mandateHandle' },
    'mandate/scheme': { column: 'scheme', spelling: lower },
  }),
  listCustomers: defineList('listCustomers', customers, {
    id: { column: 'id' },
    handle: { column: 'handle' },
    name: { column: 'nameSearch', indexed: true },
    number: { column: 'numberSearch', indexed: true },
    createdAt: { column: 'createdAt' },
    modifiedAt: { column: 'modifiedAt' },
  }),
  listMandates: defineList('listMandates', mandates, {
    id: { column: 'id' },
    handle: { column: 'handle' },
    scheme: { column: 'scheme', spelling: lower },
    status: { column: 'status', spelling: capitalise },
    'customer/id': { column: 'customerId' },
    'customer/name': { column: 'customerSearch', indexed: true },
    'customer/number': { column: 'customerNumberSearch', indexed: true },
    createdAt: { column: 'createdAt' },
  }),
}

/** The column of a list's table by its property name. Throws for a name that the table has not: a defect of `listShapes`. */
export function columnOf(shape: ListShape, name: string): PgColumn {
  const column = shape.columns[name]
  if (!column) throw new Error(`${shape.name} has no column ${name}`)
  return column
}

/** The place of a field. Throws for one that the list has not: readers of filters and orders refuse those first. */
export function fieldOf(shape: ListShape, name: string): ListField {
  const field = shape.fields.get(name)
  if (!field) throw new Error(`${shape.name} has no field ${name}`)
  return field
}
