import { writePageAddress } from '@/lib/format/page-address'
import * as words from '@/lib/words/collected-payments'
import { amountCell, linkCell, nothing, showDay, textCell } from '../data-table/cells'
import { defineTable } from '../data-table/define-table'
import { cancellationCell, cancelling } from './cancellation-cell'
import { stateBadge } from './status-badge'
import { testBadge, testMark } from './test-badge'

const states = ['Pending', 'Scheduled', 'Settled', 'Rejected', 'Chargeback', 'Cancelled']

/** The payments of one customer or one mandate, on its page. */
export const collectedTable = defineTable({
  list: 'listPayments',
  name: words.payments,
  rowLabel: ({ reference, handle, id }) => reference || handle || id || 'payment',
  status: ({ status }) => status,
  address: ({ id }) => writePageAddress('/payments', id),
  columns: [
    {
      id: 'reference',
      header: words.reference,
      width: 'minmax(8.75rem, 0.8fr)',
      card: 'title',
      cell: ({ reference, id }, facts) => linkCell(reference, writePageAddress('/payments', id), facts),
    },
    {
      id: 'description',
      header: words.description,
      width: 'minmax(9rem, 1.5fr)',
      card: 'line',
      cell: ({ description }) => textCell(description),
    },
    {
      id: 'amount',
      header: words.amount,
      width: '8.5rem',
      align: 'end',
      sort: 'amount',
      card: 'title-end',
      cell: ({ amount, currency }, facts) => amountCell(amount, currency, facts),
    },
    {
      id: 'scheduleDate',
      header: words.scheduled,
      width: '7rem',
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
      id: 'mode',
      header: words.mode,
      width: '5.25rem',
      from: 'wide',
      card: 'none',
      cell: ({ test }) => (test === null ? nothing : (testBadge(test) ?? words.live)),
    },
    {
      id: 'cancellation',
      header: words.cancellation,
      width: '11.25rem',
      card: 'foot-end',
      cell: cancellationCell,
    },
  ],
  act: cancelling,
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
