import { amountCell, dayCell, keyCell, momentDayCell, nothing, textCell } from '@/components/data-table/cells'
import { type Column, defineTable } from '@/components/data-table/define-table'
import { StatusBadge } from '@/components/payments/status-badge'
import { TestBadge, TestMark } from '@/components/payments/test-badge'
import { Anchor } from '@/components/anchor'
import type { Payment } from '@/lib/contract/payments'
import { writePageAddress } from '@/lib/format/page-address'
import { CancellationCell } from './cancellation-cell'
import * as words from '@/lib/words/payments'

const states = ['Pending', 'Scheduled', 'Settled', 'Rejected', 'Chargeback', 'Cancelled']

/** A column for who asks for it. */
function further(id: string, header: string, width: string, cell: Column<Payment>['cell']): Column<Payment> {
  return { id, header, width, from: 'chosen', card: 'none', cell }
}

/** The payments, which are collections. */
export const paymentsTable = defineTable({
  list: 'listPayments',
  name: words.payments,
  rowLabel: ({ reference, handle, id }) => reference || handle || id || words.payment,
  status: ({ status }) => status,
  columns: [
    {
      id: 'reference',
      header: words.reference,
      width: 'minmax(8.75rem, 0.4fr)',
      card: 'line',
      cell: ({ reference, id }) => {
        const page = writePageAddress('/payments', id)
        return page ? (
          <Anchor href={page} tabIndex={-1}>
            {textCell(reference)}
          </Anchor>
        ) : (
          textCell(reference)
        )
      },
    },
    {
      id: 'payer',
      header: words.payer,
      width: 'minmax(10rem, 1.5fr)',
      card: 'title',
      cell: ({ customer }) => textCell(customer?.name),
    },
    {
      id: 'amount',
      header: words.amount,
      width: '8.25rem',
      align: 'end',
      sort: 'amount',
      card: 'title-end',
      cell: ({ amount, currency }, facts) => amountCell(amount, currency, facts),
    },
    {
      id: 'scheduleDate',
      header: words.scheduled,
      width: '6.875rem',
      sort: 'scheduleDate',
      card: 'line-end',
      cell: ({ scheduleDate }, facts) => dayCell(scheduleDate, facts),
    },
    {
      id: 'state',
      header: words.state,
      width: '8.5rem',
      card: 'foot',
      cell: ({ status, test }) => (
        <>
          <StatusBadge status={status} />
          {test ? <TestMark /> : null}
        </>
      ),
    },
    {
      id: 'scheme',
      header: words.scheme,
      width: '7.5rem',
      from: 'wider',
      card: 'none',
      cell: ({ mandate }) => textCell(mandate?.scheme),
    },
    {
      id: 'mode',
      header: words.mode,
      width: '4.875rem',
      from: 'wide',
      card: 'none',
      cell: ({ test }) => (test === null ? nothing : test ? <TestBadge test /> : words.live),
    },
    {
      id: 'createdAt',
      header: words.created,
      width: '6.875rem',
      from: 'widest',
      sort: 'createdAt',
      card: 'none',
      cell: ({ createdAt }, facts) => momentDayCell(createdAt, facts),
    },
    {
      id: 'cancellation',
      header: words.cancellation,
      width: '11.25rem',
      card: 'foot-end',
      cell: (payment) => <CancellationCell payment={payment} />,
    },
    further('id', words.paymentId, '20rem', ({ id }) => keyCell(id, words.keyOfPayment)),
    further('handle', words.handle, '13rem', ({ handle }) => keyCell(handle, words.keyHandle)),
    further('description', words.description, '14rem', ({ description }) => textCell(description)),
    further('paymentDate', words.paymentDate, '7rem', ({ paymentDate }, facts) => dayCell(paymentDate, facts)),
    further('settlementDate', words.settled, '7rem', ({ settlementDate }, facts) => dayCell(settlementDate, facts)),
    further('modifiedAt', words.modified, '7rem', ({ modifiedAt }, facts) => momentDayCell(modifiedAt, facts)),
    further('mandate', words.mandate, '13rem', ({ mandate }) => keyCell(mandate?.handle, words.keyOfMandate)),
  ],
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
  createdField: 'createdAt',
  empty: { title: words.none, advice: words.noneAdvice },
})
