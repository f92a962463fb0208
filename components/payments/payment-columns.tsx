import { formatMoney, isLongMoney } from '@/lib/domain/amounts/money'
import { describeState } from '@/lib/domain/states'
import type { Payment } from '@/lib/api-contract/payments'
import { buildPagePath } from '@/lib/domain/page-address'
import { CancellationCell } from '../cancellations/row-cancellation'
import { CutOffCell } from '../cancellations/cut-off-cell'
import { DayCell, emptyValue, LinkCell, showText } from '../data-table/cells'
import { type ColumnMeta, defineList, listColumns } from '../data-table/list-definition'
import { useAppConfig } from '../layout/app-config'
import type { TableFilter } from '@/lib/domain/lists/filter-values'
import { TestBadge, TestMark } from './badges'
import { StatusBadge } from './status-badge'
import * as m from '@/lib/messages/m'

/** An amount in a cell, in fewer elements than `Amount`. */
export function AmountCell({ amount, currency }: Pick<Payment, 'amount' | 'currency'>) {
  const { amounts, locale } = useAppConfig()
  const money = formatMoney(amount, currency, amounts, locale)
  if (money.kind === 'none') return <span title={money.note ?? undefined}>{money.text}</span>
  const isLong = isLongMoney(money)
  const formatted = (
    <>
      {/* A long one breaks before its currency. */}
      {`${money.text}${isLong ? ' ' : '\u00A0'}`}
      <span className="dt-currency" title={money.note ?? undefined}>
        {showText(money.currency)}
      </span>
    </>
  )
  const amountClass = isLong ? 'dt-long-amount' : 'dt-raw-amount'
  if (money.kind !== 'raw' || !money.note) return isLong ? <span className={amountClass}>{formatted}</span> : formatted
  return (
    <span className={amountClass}>
      {formatted} <span className="dt-amount-note">{money.note}</span>
    </span>
  )
}

export const paymentColumn = listColumns<Payment>()

/** Columns shared by all lists of payments; each list sets width and card slot. */
export const paymentColumns = {
  reference: (meta: ColumnMeta) =>
    paymentColumn.accessor('reference', {
      header: m.payments_reference,
      cell: ({ row }) => <LinkCell value={row.original.reference} page={buildPagePath('/payments', row.original.id)} />,
      meta,
    }),
  description: (meta: ColumnMeta) =>
    paymentColumn.accessor('description', {
      header: m.payments_description,
      cell: ({ getValue }) => showText(getValue()),
      meta,
    }),
  amount: (meta: ColumnMeta) =>
    paymentColumn.accessor('amount', {
      header: m.payments_amount,
      cell: ({ row }) => <AmountCell amount={row.original.amount} currency={row.original.currency} />,
      enableSorting: true,
      meta,
    }),
  /** The day that the payer is debited, a payment's main date everywhere. */
  paymentDate: (meta: ColumnMeta) =>
    paymentColumn.accessor('paymentDate', {
      header: m.payments_paymentDate,
      cell: ({ row: { original } }) => <DayCell value={original.paymentDate ?? original.scheduleDate} />,
      enableSorting: true,
      meta,
    }),
  /** The state, with a test mark where the mode column is hidden. */
  state: (meta: ColumnMeta) =>
    paymentColumn.accessor('status', {
      id: 'state',
      header: m.payments_state,
      cell: ({ row: { original } }) => (
        <>
          <StatusBadge status={original.status} />
          {original.test ? <TestMark /> : null}
        </>
      ),
      meta,
    }),
  mode: (meta: ColumnMeta) =>
    paymentColumn.accessor('test', {
      id: 'mode',
      header: m.payments_mode,
      cell: ({ row: { original } }) =>
        original.test === null ? (
          emptyValue
        ) : original.test ? (
          <TestBadge test />
        ) : (
          <span className="sr-only">{m.payments_live()}</span>
        ),
      meta,
    }),
  /** Until when it can be cancelled, by our estimate. */
  cutOff: (meta: ColumnMeta) =>
    paymentColumn.display({
      id: 'cutOff',
      header: m.payments_cutOff,
      cell: ({ row }) => <CutOffCell payment={row.original} />,
      meta,
    }),
  cancellation: (meta: ColumnMeta) =>
    paymentColumn.display({
      id: 'cancellation',
      header: m.payments_cancellation,
      cell: ({ row }) => <CancellationCell payment={row.original} />,
      meta,
    }),
}

const states = ['Pending', 'Scheduled', 'Settled', 'Rejected', 'Chargeback', 'Cancelled'] as const

/** What a payment is called in a list. */
export function labelPayment({ reference, handle, id }: Payment): string {
  return reference || handle || id || m.payments_payment()
}

/** The state filter of all lists of payments. */
export const stateFilter: TableFilter<'status'> = {
  kind: 'choice',
  id: 'state',
  label: m.payments_state,
  field: 'status',
  isOpen: true,
  isMultiple: true,
  options: states.map((state) => ({ value: state, label: () => describeState(state) })),
}

/** The payments on a customer's or mandate's page. */
export const relatedPaymentsTable = defineList({
  listId: 'listPayments',
  name: m.collectedPayments_payments,
  rowLabel: labelPayment,
  status: ({ status }) => status,
  address: ({ id }) => buildPagePath('/payments', id),
  columns: paymentColumn.columns([
    paymentColumns.reference({ width: 'minmax(10.5rem, 0.8fr)', cardSlot: 'title' }),
    paymentColumns.description({ width: 'minmax(7.25rem, 1.5fr)', cardSlot: 'body' }),
    paymentColumns.amount({ width: '9rem', align: 'end', cardSlot: 'title-end' }),
    paymentColumns.paymentDate({ width: '9rem', cardSlot: 'body-end' }),
    paymentColumns.state({ width: '8.5rem', cardSlot: 'footer' }),
    paymentColumns.mode({ width: '4.875rem', from: 'wide' }),
    paymentColumns.cancellation({ width: '11.25rem', cardSlot: 'footer-end' }),
  ]),
  filters: [stateFilter],
  empty: { title: m.collectedPayments_noPayments, advice: m.collectedPayments_nothingHasBeenCollected },
})
