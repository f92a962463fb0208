import { DayCell, KeyCell, TimestampCell, showText } from '@/components/data-table/cells'
import { defineList } from '@/components/data-table/list-definition'
import { paymentColumn, paymentColumns, stateFilter } from './payment-columns'
import * as words from '@/lib/words/payments'

const columns = paymentColumn.columns([
  paymentColumns.reference({ width: 'minmax(8.75rem, 0.4fr)', card: 'line' }),
  paymentColumn.accessor(({ customer }) => customer?.name, {
    id: 'payer',
    header: words.payer,
    cell: ({ getValue }) => showText(getValue()),
    meta: { width: 'minmax(10rem, 1.5fr)', card: 'title' },
  }),
  paymentColumns.amount({ width: '8.25rem', align: 'end', card: 'title-end' }),
  paymentColumns.scheduleDate({ width: '6.875rem', card: 'line-end' }),
  paymentColumns.state({ width: '8.5rem', card: 'foot' }),
  paymentColumn.accessor(({ mandate }) => mandate?.scheme, {
    id: 'scheme',
    header: words.scheme,
    cell: ({ getValue }) => showText(getValue()),
    meta: { width: '7.5rem', from: 'wider', card: 'none' },
  }),
  paymentColumns.mode({ width: '4.875rem', from: 'wide', card: 'none' }),
  paymentColumn.accessor('createdAt', {
    header: words.created,
    enableSorting: true,
    cell: ({ getValue }) => <TimestampCell value={getValue()} />,
    meta: { width: '6.875rem', from: 'widest', card: 'none' },
  }),
  paymentColumns.cancellation({ width: '11.25rem', card: 'foot-end' }),
  paymentColumn.accessor('id', {
    header: words.paymentId,
    cell: ({ getValue }) => <KeyCell value={getValue()} name={words.keyOfPayment} />,
    meta: { width: '20rem', from: 'chosen', card: 'none' },
  }),
  paymentColumn.accessor('handle', {
    header: words.handle,
    cell: ({ getValue }) => <KeyCell value={getValue()} name={words.keyHandle} />,
    meta: { width: '13rem', from: 'chosen', card: 'none' },
  }),
  paymentColumns.description({ width: '14rem', from: 'chosen', card: 'none' }),
  paymentColumn.accessor('paymentDate', {
    header: words.paymentDate,
    cell: ({ getValue }) => <DayCell value={getValue()} />,
    meta: { width: '7rem', from: 'chosen', card: 'none' },
  }),
  paymentColumn.accessor('settlementDate', {
    header: words.settled,
    cell: ({ getValue }) => <DayCell value={getValue()} />,
    meta: { width: '7rem', from: 'chosen', card: 'none' },
  }),
  paymentColumn.accessor('modifiedAt', {
    header: words.modified,
    cell: ({ getValue }) => <TimestampCell value={getValue()} />,
    meta: { width: '7rem', from: 'chosen', card: 'none' },
  }),
  paymentColumn.accessor(({ mandate }) => mandate?.handle, {
    id: 'mandate',
    header: words.mandate,
    cell: ({ getValue }) => <KeyCell value={getValue()} name={words.keyOfMandate} />,
    meta: { width: '13rem', from: 'chosen', card: 'none' },
  }),
])

/** The payments (collections). */
export const paymentsTable = defineList({
  list: 'listPayments',
  name: words.payments,
  rowLabel: ({ reference, handle, id }) => reference || handle || id || words.payment,
  status: ({ status }) => status,
  columns,
  filters: [
    {
      kind: 'text',
      id: 'search',
      label: words.search,
      placeholder: words.searchIn,
      fields: ['customer/name', 'reference'],
    },
    stateFilter,
    {
      kind: 'choice',
      id: 'mode',
      label: words.mode,
      field: 'test',
      options: [
        { value: 'live', label: words.live, is: false },
        { value: 'test', label: words.test, is: true },
      ],
    },
    { kind: 'choice', id: 'scheme', label: words.scheme, field: 'mandate/scheme', isOpen: true, options: [] },
  ],
  empty: { title: words.none, advice: words.noneAdvice },
})
