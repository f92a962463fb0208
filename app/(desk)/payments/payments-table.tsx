import { amountCell, dayCell, momentDayCell, nothing, textCell } from '@/components/data-table/cells'
import { defineTable } from '@/components/data-table/define-table'
import { StatusBadge } from '@/components/payments/status-badge'
import { TestBadge } from '@/components/payments/test-badge'
import { writePageAddress } from '@/lib/format/page-address'
import { CancellationCell } from './cancellation-cell'

const states = ['Pending', 'Scheduled', 'Settled', 'Rejected', 'Chargeback', 'Cancelled']

/** The payments, which are collections. */
export const paymentsTable = defineTable({
  list: 'listPayments',
  name: 'Payments',
  rowLabel: ({ reference, handle, id }) => reference || handle || id || 'payment',
  status: ({ status }) => status,
  columns: [
    {
      id: 'reference',
      header: 'Reference',
      width: 'minmax(8.5rem, 0.5fr)',
      card: 'line',
      cell: ({ reference, id }) => {
        const page = writePageAddress('/payments', id)
        return page ? (
          <a href={page} tabIndex={-1}>
            {reference || nothing}
          </a>
        ) : (
          textCell(reference)
        )
      },
    },
    {
      id: 'payer',
      header: 'Payer',
      width: 'minmax(10rem, 1.5fr)',
      card: 'title',
      cell: ({ customer }) => textCell(customer?.name),
    },
    {
      id: 'amount',
      header: 'Amount',
      width: '8.5rem',
      align: 'end',
      sort: 'amount',
      card: 'title-end',
      cell: ({ amount, currency }, facts) => amountCell(amount, currency, facts),
    },
    {
      id: 'scheduleDate',
      header: 'Scheduled',
      width: '6.25rem',
      sort: 'scheduleDate',
      card: 'line-end',
      cell: ({ scheduleDate }, facts) => dayCell(scheduleDate, facts),
    },
    {
      id: 'state',
      header: 'State',
      width: '7.5rem',
      card: 'foot',
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      id: 'scheme',
      header: 'Scheme',
      width: '5.75rem',
      card: 'none',
      cell: ({ mandate }) => textCell(mandate?.scheme),
    },
    {
      id: 'mode',
      header: 'Mode',
      width: '4.75rem',
      card: 'none',
      cell: ({ test }) => (test === null ? nothing : test ? <TestBadge test /> : 'Live'),
    },
    {
      id: 'createdAt',
      header: 'Created',
      width: '6.25rem',
      sort: 'createdAt',
      card: 'none',
      cell: ({ createdAt }, facts) => momentDayCell(createdAt, facts),
    },
    {
      id: 'cancellation',
      header: 'Cancellation',
      width: '11.25rem',
      card: 'foot-end',
      cell: (payment) => <CancellationCell payment={payment} />,
    },
  ],
  filters: [
    {
      kind: 'text',
      id: 'search',
      label: 'Search',
      placeholder: 'Payer or reference',
      fields: ['customer/name', 'reference'],
    },
    {
      kind: 'choice',
      id: 'state',
      label: 'State',
      field: 'status',
      isOpen: true,
      options: states.map((state) => ({ value: state, label: state })),
    },
    {
      kind: 'choice',
      id: 'mode',
      label: 'Mode',
      field: 'test',
      options: [
        { value: 'live', label: 'Live', is: false },
        { value: 'test', label: 'Test', is: true },
      ],
    },
    { kind: 'choice', id: 'scheme', label: 'Scheme', field: 'mandate/scheme', isOpen: true, options: [] },
  ],
  createdField: 'createdAt',
  empty: { title: 'No payments yet', advice: 'Payments appear here once the service has some.' },
})
