import { writePageAddress } from '@/lib/format/page-address'
import type { Payment } from '@/lib/contract/payments'
import * as words from '@/lib/words/collected-payments'
import { AmountCell, DayCell, LinkCell, nothing, TextCell } from '../data-table/cells'
import { defineList, listColumns } from '../data-table/list-definition'
import { CancellationCell } from './cancellation-cell'
import { StateCell } from './state-cell'
import { TestBadge } from './test-badge'

const states = ['Pending', 'Scheduled', 'Settled', 'Rejected', 'Chargeback', 'Cancelled']

const column = listColumns<Payment>()

const columns = column.columns([
  column.accessor('reference', {
    header: words.reference,
    cell: ({ row }) => (
      <LinkCell value={row.original.reference} page={writePageAddress('/payments', row.original.id)} />
    ),
    meta: { width: 'minmax(8.75rem, 0.8fr)', card: 'title' },
  }),
  column.accessor('description', {
    header: words.description,
    cell: ({ getValue }) => <TextCell value={getValue()} />,
    meta: { width: 'minmax(9rem, 1.5fr)', card: 'line' },
  }),
  column.accessor('amount', {
    header: words.amount,
    enableSorting: true,
    cell: ({ row }) => <AmountCell amount={row.original.amount} currency={row.original.currency} />,
    meta: { width: '8.5rem', align: 'end', card: 'title-end' },
  }),
  column.accessor('scheduleDate', {
    header: words.scheduled,
    enableSorting: true,
    cell: ({ getValue }) => <DayCell value={getValue()} />,
    meta: { width: '7rem', card: 'line-end' },
  }),
  column.accessor('status', {
    id: 'state',
    header: words.state,
    cell: ({ row }) => <StateCell status={row.original.status} test={row.original.test} />,
    meta: { width: '8.5rem', card: 'foot' },
  }),
  column.accessor('test', {
    id: 'mode',
    header: words.mode,
    cell: ({ row: { original } }) =>
      original.test === null ? nothing : original.test ? <TestBadge test /> : words.live,
    meta: { width: '5.25rem', from: 'wide', card: 'none' },
  }),
  column.display({
    id: 'cancellation',
    header: words.cancellation,
    cell: ({ row }) => <CancellationCell payment={row.original} />,
    meta: { width: '11.25rem', card: 'foot-end' },
  }),
])

/** The payments of one customer or one mandate, on its page. */
export const collectedTable = defineList({
  list: 'listPayments',
  name: words.payments,
  rowLabel: ({ reference, handle, id }) => reference || handle || id || 'payment',
  status: ({ status }) => status,
  address: ({ id }) => writePageAddress('/payments', id),
  columns,
  filters: [
    {
      kind: 'choice',
      id: 'state',
      label: words.state,
      field: 'status',
      isOpen: true,
      options: states.map((state) => ({ value: state, label: state })),
    },
  ],
  empty: { title: words.noPayments, advice: words.nothingHasBeenCollected },
})
