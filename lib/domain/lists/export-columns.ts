import type { ListId } from './capabilities'
import type { ListRow } from './list-pages'
import * as words from '@/lib/words/export-columns'
import { formatTimestamp, parseBusinessDay } from '../date'
import { parseExactMoney } from '../exact-amounts'
import type { AmountUnit } from '../money'
import type { CsvCell } from '../csv'
import { formatInZone } from '../time-zone'

/** How values are formatted: the unit of amounts, the zone of business days, and the chosen zone of local times. */
export type ExportContext = { amounts: AmountUnit; schemeZone: string; zone: string }

/** A column that can be chosen. In the file it may be several, with the headings `heads`. */
export type ExportColumn<Row> = {
  id: string
  label: string
  heads: readonly string[]
  cells: (row: Row, context: ExportContext) => readonly CsvCell[]
}

type Text = string | null | undefined

function text<Row>(id: string, label: string, read: (row: Row) => Text): ExportColumn<Row> {
  return { id, label, heads: [id], cells: (row) => [read(row) ?? ''] }
}

/** A business day; unparsable values are written as they are. */
function day<Row>(id: string, label: string, read: (row: Row) => Text): ExportColumn<Row> {
  return {
    id,
    label,
    heads: [id],
    cells: (row, { schemeZone }) => [parseBusinessDay(read(row), schemeZone) ?? read(row) ?? ''],
  }
}

/** A timestamp in UTC and in the chosen zone; unparsable values are written as they are. */
function timestamp<Row>(id: string, label: string, read: (row: Row) => Text): ExportColumn<Row> {
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
  label: words.amount,
  heads: ['amount_minor', 'amount_exponent', 'amount_decimal', 'currency', 'amount_as_sent'],
  cells: ({ amount, currency }, { amounts }) => {
    const money = parseExactMoney(amount, currency, amounts)
    const sent = typeof amount === 'number' ? { number: String(amount) } : (amount ?? '')
    if (!money) return ['', '', '', currency ?? '', sent]
    return [{ number: money.minor }, money.exponent, { number: money.decimal }, currency ?? '', sent]
  },
}

/** The columns of each list's export in their default order. */
export const exportColumns: { [List in ListId]: readonly ExportColumn<ListRow<List>>[] } = {
  listPayments: [
    text('id', words.paymentId, ({ id }) => id),
    text('handle', words.handle, ({ handle }) => handle),
    text('reference', words.reference, ({ reference }) => reference),
    text('description', words.description, ({ description }) => description),
    text('status', words.state, ({ status }) => status),
    amount,
    text('test', words.liveOrTest, ({ test }) => (test === null ? '' : test ? 'test' : 'live')),
    day('schedule_date', words.scheduleDate, ({ scheduleDate }) => scheduleDate),
    day('payment_date', words.paymentDate, ({ paymentDate }) => paymentDate),
    day('settlement_date', words.settlementDate, ({ settlementDate }) => settlementDate),
    timestamp('created', words.created, ({ createdAt }) => createdAt),
    timestamp('modified', words.modified, ({ modifiedAt }) => modifiedAt),
    text('customer_id', words.customerId, ({ customer }) => customer?.id),
    text('customer_name', words.customer, ({ customer }) => customer?.name),
    text('mandate_id', words.mandateId, ({ mandate }) => mandate?.id),
    text('mandate_handle', words.mandateHandle, ({ mandate }) => mandate?.handle),
    text('scheme', words.scheme, ({ mandate }) => mandate?.scheme),
  ],
  listCustomers: [
    text('id', words.customerId, ({ id }) => id),
    text('handle', words.handle, ({ handle }) => handle),
    text('name', words.name, ({ name }) => name),
    text('number', words.number, ({ number }) => number),
    timestamp('created', words.created, ({ createdAt }) => createdAt),
    timestamp('modified', words.modified, ({ modifiedAt }) => modifiedAt),
    text('mandates', words.mandates, ({ mandates }) => (mandates ? JSON.stringify(mandates) : '')),
  ],
  listMandates: [
    text('id', words.mandateId, ({ id }) => id),
    text('handle', words.handle, ({ handle }) => handle),
    text('scheme', words.scheme, ({ scheme }) => scheme),
    text('status', words.state, ({ status }) => status),
    text('customer_id', words.customerId, ({ customer }) => customer?.id),
    text('customer_handle', words.customerHandle, ({ customer }) => customer?.handle),
    text('customer_name', words.customer, ({ customer }) => customer?.name),
    text('customer_number', words.customerNumber, ({ customer }) => customer?.number),
    text('scheme_data', words.schemeData, ({ schemeData }) => (schemeData ? JSON.stringify(schemeData) : '')),
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
