import { amountCell, keyCell, linkCell, nothing, showDay, showMomentDay, textCell } from '@/components/data-table/cells'
import { defineTable } from '@/components/data-table/define-table'
import { stateBadge } from '@/components/payments/status-badge'
import { testBadge, testMark } from '@/components/payments/test-badge'
import { writePageAddress } from '@/lib/format/page-address'
import { cancellationCell, cancelling } from '@/components/payments/cancellation-cell'
import * as words from '@/lib/words/payments'

const states = ['Pending', 'Scheduled', 'Settled', 'Rejected', 'Chargeback', 'Cancelled']

/** Columns for who asks for them. */
const further = { from: 'chosen', card: 'none' } as const

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
      cell: ({ reference, id }, facts) => linkCell(reference, writePageAddress('/payments', id), facts),
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
      time: ({ scheduleDate }, facts) => showDay(scheduleDate, facts),
    },
    {
      id: 'state',
      header: words.state,
      width: '8.5rem',
      card: 'foot',
      cell: ({ status, test }, { cancelled }) => (
        <>
          {stateBadge(status, cancelled)}
          {test ? testMark : null}
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
      cell: ({ test }) => (test === null ? nothing : (testBadge(test) ?? words.live)),
    },
    {
      id: 'createdAt',
      header: words.created,
      width: '6.875rem',
      from: 'widest',
      sort: 'createdAt',
      card: 'none',
      time: ({ createdAt }, facts) => showMomentDay(createdAt, facts),
    },
    {
      id: 'cancellation',
      header: words.cancellation,
      width: '11.25rem',
      card: 'foot-end',
      cell: cancellationCell,
    },
    {
      ...further,
      id: 'id',
      header: words.paymentId,
      width: '20rem',
      cell: ({ id }) => keyCell(id, words.keyOfPayment),
    },
    {
      ...further,
      id: 'handle',
      header: words.handle,
      width: '13rem',
      cell: ({ handle }) => keyCell(handle, words.keyHandle),
    },
    {
      ...further,
      id: 'description',
      header: words.description,
      width: '14rem',
      cell: ({ description }) => textCell(description),
    },
    {
      ...further,
      id: 'paymentDate',
      header: words.paymentDate,
      width: '7rem',
      time: ({ paymentDate }, facts) => showDay(paymentDate, facts),
    },
    {
      ...further,
      id: 'settlementDate',
      header: words.settled,
      width: '7rem',
      time: ({ settlementDate }, facts) => showDay(settlementDate, facts),
    },
    {
      ...further,
      id: 'modifiedAt',
      header: words.modified,
      width: '7rem',
      time: ({ modifiedAt }, facts) => showMomentDay(modifiedAt, facts),
    },
    {
      ...further,
      id: 'mandate',
      header: words.mandate,
      width: '13rem',
      cell: ({ mandate }) => keyCell(mandate?.handle, words.keyOfMandate),
    },
  ],
  act: cancelling,
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
