import { DayCell, KeyCell, TimestampCell, showText } from '@/components/data-table/cells'
import { defineList } from '@/components/data-table/list-definition'
import { paymentColumn, paymentColumns, stateFilter } from './payment-columns'
import * as words from '@/lib/words/payments'

const columns = paymentColumn.columns([
  paymentColumns.reference({ width: 'minmax(8.75rem, 0.4fr)', cardSlot: 'body' }),
  paymentColumn.accessor(({ customer }) => customer?.name, {
    id: 'payer',
    header: words.payer,
    cell: ({ getValue }) => showText(getValue()),
    meta: { width: 'minmax(10rem, 1.5fr)', cardSlot: 'title' },
  }),
  paymentColumns.amount({ width: '8.25rem', align: 'end', cardSlot: 'title-end' }),
  paymentColumns.scheduleDate({ width: '6.875rem', cardSlot: 'body-end' }),
  paymentColumns.state({ width: '8.5rem', cardSlot: 'footer' }),
  paymentColumn.accessor(({ mandate }) => mandate?.scheme, {
    id: 'scheme',
    header: words.scheme,
    cell: ({ getValue }) => showText(getValue()),
    meta: { width: '7.5rem', minWidth: 'wider', cardSlot: 'none' },
  }),
  paymentColumns.mode({ width: '4.875rem', minWidth: 'wide', cardSlot: 'none' }),
  paymentColumn.accessor('createdAt', {
    header: words.created,
    enableSorting: true,
    cell: ({ getValue }) => <TimestampCell value={getValue()} />,
    meta: { width: '6.875rem', minWidth: 'widest', cardSlot: 'none' },
  }),
  paymentColumns.cancellation({ width: '11.25rem', cardSlot: 'footer-end' }),
  paymentColumn.accessor('id', {
    header: words.paymentId,
    cell: ({ getValue }) => <KeyCell value={getValue()} name={words.keyOfPayment} />,
    meta: { width: '20rem', minWidth: 'chosen', cardSlot: 'none' },
  }),
  paymentColumn.accessor('handle', {
    header: words.handle,
    cell: ({ getValue }) => <KeyCell value={getValue()} name={words.keyHandle} />,
    meta: { width: '13rem', minWidth: 'chosen', cardSlot: 'none' },
  }),
  paymentColumns.description({ width: '14rem', minWidth: 'chosen', cardSlot: 'none' }),
  paymentColumn.accessor('paymentDate', {
    header: words.paymentDate,
    cell: ({ getValue }) => <DayCell value={getValue()} />,
    meta: { width: '7rem', minWidth: 'chosen', cardSlot: 'none' },
  }),
  paymentColumn.accessor('settlementDate', {
    header: words.settled,
    cell: ({ getValue }) => <DayCell value={getValue()} />,
    meta: { width: '7rem', minWidth: 'chosen', cardSlot: 'none' },
  }),
  paymentColumn.accessor('modifiedAt', {
    header: words.modified,
    cell: ({ getValue }) => <TimestampCell value={getValue()} />,
    meta: { width: '7rem', minWidth: 'chosen', cardSlot: 'none' },
  }),
  paymentColumn.accessor(({ mandate }) => mandate?.handle, {
    id: 'mandate',
    header: words.mandate,
    cell: ({ getValue }) => <KeyCell value={getValue()} name={words.keyOfMandate} />,
    meta: { width: '13rem', minWidth: 'chosen', cardSlot: 'none' },
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
