import { rawValueSuffix } from '@/lib/api-contract/record-fields'
import type { Message } from '@/lib/language/runtime'
import type { ListId } from './capabilities'
import type { ListRow } from './list-pages'
import { formatTimestamp, parseBusinessDay } from '../dates/date'
import { writeAmountCells } from '../amounts/exact-amounts'
import type { AmountUnit } from '../amounts/money'
import type { CsvCell } from '../csv'
import { formatInZone } from '../dates/time-zone'
import * as m from '@/lib/messages/m'

/** How values are formatted: the unit of amounts, the zone of business days, and the chosen zone of local times. */
export type ExportContext = { amounts: AmountUnit; schemeZone: string; zone: string }

/** A column that can be chosen. In the file it may be several, with the headings `heads`. */
export type ExportColumn<Row> = {
  id: string
  label: Message
  heads: readonly string[]
  cells: (row: Row, context: ExportContext) => readonly CsvCell[]
}

type Text = string | null | undefined

function text<Row>(id: string, label: Message, read: (row: Row) => Text): ExportColumn<Row> {
  return { id, label, heads: [id], cells: (row) => [read(row) ?? ''] }
}

/** A business day; unparsable values are written as they are. */
function day<Row>(id: string, label: Message, read: (row: Row) => Text): ExportColumn<Row> {
  return {
    id,
    label,
    heads: [id],
    cells: (row, { schemeZone }) => [parseBusinessDay(read(row), schemeZone) ?? read(row) ?? ''],
  }
}

/** A timestamp in UTC and in the chosen zone; unparsable values are written as they are. */
function timestamp<Row>(id: string, label: Message, read: (row: Row) => Text): ExportColumn<Row> {
  return {
    id,
    label,
    heads: [`${id}_utc`, `${id}_local`],
    cells: (row, { zone }) => {
      const value = read(row)
      const utc = formatTimestamp(value, 'UTC', 'en-GB')?.dateTime
      if (utc === undefined) return [value ?? '', '']
      return [utc, utc.includes('T') ? formatInZone(Date.parse(utc), zone) : utc]
    },
  }
}

type Payment = ListRow<'listPayments'>

const amount: ExportColumn<Payment> = {
  id: 'amount',
  label: m.exportColumns_amount,
  heads: ['amount_minor', 'amount_exponent', 'amount_decimal', 'currency', 'amount_as_sent'],
  cells: ({ amount, currency }, { amounts }) => {
    const sent = typeof amount === 'number' ? { number: String(amount) } : (amount ?? '')
    return [...writeAmountCells(amount, currency, amounts), currency ?? '', sent]
  },
}

/** The columns of each list's export in their default order. */
export const exportColumns: { [List in ListId]: readonly ExportColumn<ListRow<List>>[] } = {
  listPayments: [
    text('id', m.exportColumns_paymentId, ({ id }) => id),
    text('handle', m.exportColumns_handle, ({ handle }) => handle),
    text('reference', m.exportColumns_reference, ({ reference }) => reference),
    text('description', m.exportColumns_description, ({ description }) => description),
    text('status', m.exportColumns_state, ({ status }) => status),
    amount,
    text('test', m.exportColumns_liveOrTest, ({ test }) => (test === null ? '' : test ? 'test' : 'live')),
    day('schedule_date', m.exportColumns_scheduleDate, ({ scheduleDate }) => scheduleDate),
    day('payment_date', m.exportColumns_paymentDate, ({ paymentDate }) => paymentDate),
    day('settlement_date', m.exportColumns_settlementDate, ({ settlementDate }) => settlementDate),
    timestamp('created', m.exportColumns_created, ({ createdAt }) => createdAt),
    timestamp('modified', m.exportColumns_modified, ({ modifiedAt }) => modifiedAt),
    text('customer_id', m.exportColumns_customerId, ({ customer }) => customer?.id),
    text('customer_name', m.exportColumns_customer, ({ customer }) => customer?.name),
    text('mandate_id', m.exportColumns_mandateId, ({ mandate }) => mandate?.id),
    text('mandate_handle', m.exportColumns_mandateHandle, ({ mandate }) => mandate?.handle),
    text('scheme', m.exportColumns_scheme, ({ mandate }) => mandate?.scheme),
  ],
  listCustomers: [
    text('id', m.exportColumns_customerId, ({ id }) => id),
    text('handle', m.exportColumns_handle, ({ handle }) => handle),
    text('name', m.exportColumns_name, ({ name }) => name),
    text('number', m.exportColumns_number, ({ number }) => number),
    timestamp('created', m.exportColumns_created, ({ createdAt }) => createdAt),
    timestamp('modified', m.exportColumns_modified, ({ modifiedAt }) => modifiedAt),
    text('mandates', m.exportColumns_mandates, (customer) => {
      const told: unknown = customer[`mandates${rawValueSuffix}`] ?? customer.mandates
      return told ? JSON.stringify(told) : ''
    }),
  ],
  listMandates: [
    text('id', m.exportColumns_mandateId, ({ id }) => id),
    text('handle', m.exportColumns_handle, ({ handle }) => handle),
    text('scheme', m.exportColumns_scheme, ({ scheme }) => scheme),
    text('status', m.exportColumns_state, ({ status }) => status),
    text('customer_id', m.exportColumns_customerId, ({ customer }) => customer?.id),
    text('customer_handle', m.exportColumns_customerHandle, ({ customer }) => customer?.handle),
    text('customer_name', m.exportColumns_customer, ({ customer }) => customer?.name),
    text('customer_number', m.exportColumns_customerNumber, ({ customer }) => customer?.number),
    text('scheme_data', m.exportColumns_schemeData, ({ schemeData }) => (schemeData ? JSON.stringify(schemeData) : '')),
  ],
}

/**
 * The named columns in the given order. The assertion holds because they are columns of `list`, used with rows of
 * `list`, which the compiler cannot see.
 */
export function pickExportColumns(list: ListId, ids: readonly string[]): readonly ExportColumn<ListRow<ListId>>[] {
  const all = exportColumns[list] as readonly ExportColumn<ListRow<ListId>>[]
  return [...new Set(ids)].flatMap((id) => all.find((column) => column.id === id) ?? [])
}
