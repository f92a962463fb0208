import type { ListId } from './capabilities'
import type { ListRow } from './list-pages'
import * as words from '@/lib/words/export-columns'
import { formatTimestamp, parseBusinessDay } from '../date'
import { parseExactMoney } from '../exact-amounts'
import type { AmountUnit } from '../money'
import type { CsvCell } from '../csv'
import { formatInZone } from '../time-zone'

/** How values are written: the unit of amounts, the zone of business days, and the one that was chosen for local times. */
export type ExportContext = { amounts: AmountUnit; schemeZone: string; zone: string }

/** A column that can be chosen; in the file it may be several, named by `heads`. */
export type ExportColumn<Row> = {
  id: string
  label: string
  heads: readonly string[]
  cells: (row: Row, facts: ExportContext) => readonly CsvCell[]
}

type Text = string | null | undefined

function text<Row>(id: string, label: string, read: (row: Row) => Text): ExportColumn<Row> {
  return { id, label, heads: [id], cells: (row) => [read(row) ?? ''] }
}

/** A day of the scheme's calendar; what cannot be read as one stands as it came. */
function day<Row>(id: string, label: string, read: (row: Row) => Text): ExportColumn<Row> {
  return {
    id,
    label,
    heads: [id],
    cells: (row, { schemeZone }) => [parseBusinessDay(read(row), schemeZone) ?? read(row) ?? ''],
  }
}

/** A moment, in UTC and as clocks in the chosen zone showed it; what cannot be read stands as it came. */
function moment<Row>(id: string, label: string, read: (row: Row) => Text): ExportColumn<Row> {
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

/** What an export of each list can hold, in the usual order of the file. */
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
    moment('created', words.created, ({ createdAt }) => createdAt),
    moment('modified', words.modified, ({ modifiedAt }) => modifiedAt),
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
    moment('created', words.created, ({ createdAt }) => createdAt),
    moment('modified', words.modified, ({ modifiedAt }) => modifiedAt),
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

/** The columns that are named, in the order in which they are. Guarantee: the columns of list `list`, whose rows are that list's; only the compiler does not see it. */
export function pickExportColumns(list: ListId, ids: readonly string[]): readonly ExportColumn<ListRow<ListId>>[] {
  const all = exportColumns[list] as readonly ExportColumn<ListRow<ListId>>[]
  return [...new Set(ids)].flatMap((id) => all.find((column) => column.id === id) ?? [])
}
