import { DayCell, KeyCell, showText, TimestampCell } from '@/components/data-table/cells'
import { defineList } from '@/components/data-table/list-definition'
import { describeScheme } from '@/lib/domain/schemes'
import { paymentSearch } from '@/lib/domain/lists/text-search'
import { SchemeCell } from './scheme-cell'
import { labelPayment, paymentColumn, paymentColumns, stateFilter } from './payment-columns'
import * as m from '@/lib/messages/m'

/** `isClosing`: shows until when each can be cancelled; the collection date makes way on small screens. */
const makeColumns = (isClosing = false) =>
  paymentColumn.columns([
    paymentColumns.reference({ width: 'minmax(8.25rem, 0.4fr)', cardSlot: 'body' }),
    paymentColumn.accessor(({ customer }) => customer?.name, {
      id: 'payer',
      header: m.payments_payer,
      cell: ({ getValue }) => showText(getValue()),
      meta: { width: isClosing ? 'minmax(7.5rem, 1.5fr)' : 'minmax(8rem, 1.5fr)', cardSlot: 'title' },
    }),
    paymentColumns.amount({ width: '9rem', align: 'end', cardSlot: 'title-end' }),
    paymentColumns.paymentDate({ width: '9rem', ...(isClosing ? { from: 'wider' } : { cardSlot: 'body-end' }) }),
    paymentColumns.state({ width: isClosing ? '8rem' : '8.5rem', cardSlot: 'footer' }),
    paymentColumns.cutOff({ width: '10rem', ...(isClosing ? { cardSlot: 'body-end' } : { from: 'chosen' }) }),
    paymentColumn.accessor(({ mandate }) => mandate?.scheme, {
      id: 'scheme',
      header: m.payments_scheme,
      cell: ({ getValue }) => <SchemeCell code={getValue()} />,
      meta: { width: '8.5rem', from: isClosing ? 'chosen' : 'wider' },
    }),
    paymentColumns.mode({ width: '4.875rem', from: isClosing ? 'widest' : 'wide' }),
    paymentColumn.accessor('createdAt', {
      header: m.payments_created,
      cell: ({ getValue }) => <TimestampCell value={getValue()} />,
      enableSorting: true,
      meta: { width: '6.875rem', from: isClosing ? 'chosen' : 'widest' },
    }),
    paymentColumns.cancellation({ width: '11.25rem', cardSlot: 'footer-end' }),
    paymentColumn.accessor('id', {
      header: m.payments_paymentId,
      cell: ({ getValue }) => <KeyCell value={getValue()} name={m.payments_keyOfPayment()} />,
      meta: { width: '20rem', from: 'chosen' },
    }),
    paymentColumn.accessor('handle', {
      header: m.payments_handle,
      cell: ({ getValue }) => <KeyCell value={getValue()} name={m.payments_keyHandle()} />,
      meta: { width: '13rem', from: 'chosen' },
    }),
    paymentColumns.description({ width: '14rem', from: 'chosen' }),
    paymentColumn.accessor('scheduleDate', {
      header: m.payments_scheduled,
      cell: ({ getValue }) => <DayCell value={getValue()} />,
      enableSorting: true,
      meta: { width: '8.5rem', from: 'chosen' },
    }),
    paymentColumn.accessor('settlementDate', {
      header: m.payments_settled,
      cell: ({ getValue }) => <DayCell value={getValue()} />,
      meta: { width: '7rem', from: 'chosen' },
    }),
    paymentColumn.accessor('modifiedAt', {
      header: m.payments_modified,
      cell: ({ getValue }) => <TimestampCell value={getValue()} />,
      meta: { width: '7rem', from: 'chosen' },
    }),
    paymentColumn.accessor(({ mandate }) => mandate?.handle, {
      id: 'mandate',
      header: m.payments_mandate,
      cell: ({ getValue }) => <KeyCell value={getValue()} name={m.payments_keyOfMandate()} />,
      meta: { width: '13rem', from: 'chosen' },
    }),
  ])

/** The payments (collections). */
export const paymentsTable = defineList({
  listId: 'listPayments',
  name: m.payments_payments,
  rowLabel: labelPayment,
  status: ({ status }) => status,
  columns: makeColumns(),
  filters: [
    {
      kind: 'text',
      id: 'search',
      label: m.payments_search,
      placeholder: m.payments_searchIn,
      search: paymentSearch,
    },
    stateFilter,
    { kind: 'days', id: 'payment', label: m.payments_paymentDate, field: 'paymentDate' },
    { kind: 'days', id: 'scheduled', label: m.payments_scheduled, field: 'scheduleDate' },
    { kind: 'days', id: 'settled', label: m.payments_settled, field: 'settlementDate' },
    { kind: 'days', id: 'created', label: m.payments_created, field: 'createdAt' },
    { kind: 'days', id: 'modified', label: m.payments_modified, isSeldom: true, field: 'modifiedAt' },
    { kind: 'amount', id: 'amount', label: m.payments_amount, field: 'amount' },
    {
      kind: 'choice',
      id: 'currency',
      label: m.payments_currency,
      isSeldom: true,
      field: 'currency',
      isOpen: true,
      isMultiple: true,
      options: [],
    },
    {
      kind: 'choice',
      id: 'mode',
      label: m.payments_mode,
      isSeldom: true,
      field: 'test',
      options: [
        { value: 'live', label: m.payments_live, is: false },
        { value: 'test', label: m.payments_test, is: true },
      ],
    },
    {
      kind: 'choice',
      id: 'scheme',
      label: m.payments_scheme,
      isSeldom: true,
      field: 'mandate/scheme',
      describe: describeScheme,
      isOpen: true,
      isMultiple: true,
      options: [],
    },
    {
      kind: 'text',
      id: 'customer',
      label: m.payments_customer,
      isSeldom: true,
      placeholder: m.payments_customerPlaceholder,
      search: { parts: ['customer/name'], id: 'customer/id' },
    },
    {
      kind: 'text',
      id: 'mandate',
      label: m.payments_mandate,
      isSeldom: true,
      placeholder: m.payments_mandatePlaceholder,
      search: { parts: [], whole: ['mandate/handle'], id: 'mandate/id' },
    },
  ],
  empty: { title: m.payments_none, advice: m.payments_noneAdvice },
})

/** The payments that close on one day, with the time. */
export const closingTable = defineList({
  ...paymentsTable,
  columns: makeColumns(true),
})
