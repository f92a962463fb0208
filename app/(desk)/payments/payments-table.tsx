import { AmountCell, DayCell, KeyCell, LinkCell, MomentCell, nothing, TextCell } from '@/components/data-table/cells'
import { defineList, listColumns } from '@/components/data-table/list-definition'
import { CancellationCell } from '@/components/payments/cancellation-cell'
import { StateCell } from '@/components/payments/state-cell'
import { TestBadge } from '@/components/payments/test-badge'
import type { Payment } from '@/lib/contract/payments'
import { writePageAddress } from '@/lib/format/page-address'
import * as words from '@/lib/words/payments'

const states = ['Pending', 'Scheduled', 'Settled', 'Rejected', 'Chargeback', 'Cancelled']

const column = listColumns<Payment>()

const columns = column.columns([
  column.accessor('reference', {
    header: words.reference,
    cell: ({ row }) => (
      <LinkCell value={row.original.reference} page={writePageAddress('/payments', row.original.id)} />
    ),
    meta: { width: 'minmax(8.75rem, 0.4fr)', card: 'line' },
  }),
  column.accessor(({ customer }) => customer?.name, {
    id: 'payer',
    header: words.payer,
    cell: ({ getValue }) => <TextCell value={getValue()} />,
    meta: { width: 'minmax(10rem, 1.5fr)', card: 'title' },
  }),
  column.accessor('amount', {
    header: words.amount,
    enableSorting: true,
    cell: ({ row }) => <AmountCell amount={row.original.amount} currency={row.original.currency} />,
    meta: { width: '8.25rem', align: 'end', card: 'title-end' },
  }),
  column.accessor('scheduleDate', {
    header: words.scheduled,
    enableSorting: true,
    cell: ({ getValue }) => <DayCell value={getValue()} />,
    meta: { width: '6.875rem', card: 'line-end' },
  }),
  column.accessor('status', {
    id: 'state',
    header: words.state,
    cell: ({ row }) => <StateCell status={row.original.status} test={row.original.test} />,
    meta: { width: '8.5rem', card: 'foot' },
  }),
  column.accessor(({ mandate }) => mandate?.scheme, {
    id: 'scheme',
    header: words.scheme,
    cell: ({ getValue }) => <TextCell value={getValue()} />,
    meta: { width: '7.5rem', from: 'wider', card: 'none' },
  }),
  column.accessor('test', {
    id: 'mode',
    header: words.mode,
    cell: ({ row: { original } }) =>
      original.test === null ? nothing : original.test ? <TestBadge test /> : words.live,
    meta: { width: '4.875rem', from: 'wide', card: 'none' },
  }),
  column.accessor('createdAt', {
    header: words.created,
    enableSorting: true,
    cell: ({ getValue }) => <MomentCell value={getValue()} />,
    meta: { width: '6.875rem', from: 'widest', card: 'none' },
  }),
  column.display({
    id: 'cancellation',
    header: words.cancellation,
    cell: ({ row }) => <CancellationCell payment={row.original} />,
    meta: { width: '11.25rem', card: 'foot-end' },
  }),
  column.accessor('id', {
    header: words.paymentId,
    cell: ({ getValue }) => <KeyCell value={getValue()} name={words.keyOfPayment} />,
    meta: { width: '20rem', from: 'chosen', card: 'none' },
  }),
  column.accessor('handle', {
    header: words.handle,
    cell: ({ getValue }) => <KeyCell value={getValue()} name={words.keyHandle} />,
    meta: { width: '13rem', from: 'chosen', card: 'none' },
  }),
  column.accessor('description', {
    header: words.description,
    cell: ({ getValue }) => <TextCell value={getValue()} />,
    meta: { width: '14rem', from: 'chosen', card: 'none' },
  }),
  column.accessor('paymentDate', {
    header: words.paymentDate,
    cell: ({ getValue }) => <DayCell value={getValue()} />,
    meta: { width: '7rem', from: 'chosen', card: 'none' },
  }),
  column.accessor('settlementDate', {
    header: words.settled,
    cell: ({ getValue }) => <DayCell value={getValue()} />,
    meta: { width: '7rem', from: 'chosen', card: 'none' },
  }),
  column.accessor('modifiedAt', {
    header: words.modified,
    cell: ({ getValue }) => <MomentCell value={getValue()} />,
    meta: { width: '7rem', from: 'chosen', card: 'none' },
  }),
  column.accessor(({ mandate }) => mandate?.handle, {
    id: 'mandate',
    header: words.mandate,
    cell: ({ getValue }) => <KeyCell value={getValue()} name={words.keyOfMandate} />,
    meta: { width: '13rem', from: 'chosen', card: 'none' },
  }),
])

/** The payments, which are collections. */
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
    {
      kind: 'choice',
      id: 'state',
      label: words.state,
      field: 'status',
      isOpen: true,
      options: states.map((state) => ({ value: state, label: state })),
    },
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
