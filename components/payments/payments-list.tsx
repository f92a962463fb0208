'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, memo, use, useCallback, useEffect, useState } from 'react'
import { CancelDialogHost, MayCancel, useListedCancellations } from '@/components/cancellations/row-cancellation'
import { DataTable, type SelectionProps, type SidePanelProps } from '@/components/data-table/data-table'
import { Link } from '@/components/layout/link'
import { useAskedPart } from '@/components/feedback/use-asked-part'
import { buttonClasses } from '@/components/ui/button'
import type { Payment } from '@/lib/api-contract/payments'
import { patchRows } from '@/lib/client/list-queries'
import { rememberPageOffset } from '@/lib/client/page-context'
import { useLazyModule } from '@/lib/client/use-lazy-module'
import { PaymentMenu } from './payment-menu'
import { closingTable, paymentsTable } from './payments-table'
import type { PaymentPanelProps } from './payment-sheet'
import { usePaymentAgain } from './use-payment-again'
import { useStateCounts } from './use-state-counts'
import * as m from '@/lib/messages/m'

const loadSheet = async () => (await import('./payment-sheet')).PaymentSheet

function NotLoaded() {
  return (
    <p role="alert" className="corner-note">
      {m.shellControls_notLoaded()}
    </p>
  )
}

/** One payment beside the list, which stays usable; a full-screen sheet on a phone. */
export function PaymentPanel(props: PaymentPanelProps) {
  const { part: Sheet, failed } = useLazyModule(true, loadSheet)
  if (Sheet) return <Sheet {...props} />
  return failed ? <NotLoaded /> : null
}

type PaymentsListProps = Pick<
  ComponentProps<typeof DataTable<'listPayments'>>,
  'initialPage' | 'baseFilter' | 'empty' | 'stateCounts'
> & {
  mayCancel: boolean
  /** Whether many payments may be cancelled at once. */
  mayBulk: boolean
  /** Whether it shows until when each can be cancelled. */
  showsCutOff?: boolean
}

const loadLookup = async () => (await import('./payment-lookup')).PaymentLookup
const loadBar = async () => (await import('./payment-selection')).PaymentSelection

type OpenPaymentProps = Pick<SidePanelProps<'listPayments'>, 'list' | 'proofs' | 'moves' | 'findHeir' | 'close'> & {
  id: string
  /** Whether the API is asked for a filter or an order: an offset there is none of the plain list. */
  isFiltered: boolean
}

/** The payment in the URL: from the list, or looked up. A tick does not render it. */
const OpenPayment = memo(function OpenPayment(props: OpenPaymentProps) {
  const { id, isFiltered, list, proofs, moves, findHeir, close } = props
  const client = useQueryClient()
  const mayCancel = use(MayCancel)
  const loaded = list.get(id) ?? null
  const [known, setKnown] = useState({ id, last: loaded })
  // The list may be replaced (a capability was proven, a filter changed): the open payment stays.
  if (known.id !== id || (loaded && loaded !== known.last)) setKnown({ id, last: loaded })
  const payment = loaded ?? (known.id === id ? known.last : null)
  const keep = useCallback((last: Payment) => setKnown({ id, last }), [id])
  const offset = loaded && !isFiltered ? (list.offsetOf(id) ?? undefined) : undefined

  useEffect(() => rememberPageOffset(id, offset), [id, offset])

  const updatePayment = useCallback(
    (updated: Payment) => {
      keep(updated)
      patchRows(client, 'listPayments', [updated])
    },
    [client, keep],
  )
  // A loaded row is read again by its list. The address may name the payment by its handle.
  usePaymentAgain(loaded ? null : (payment?.id ?? id), proofs, updatePayment)
  const { part: PaymentLookup, failed } = useLazyModule(payment === null, loadLookup)
  if (!payment) {
    if (failed) return <NotLoaded />
    return PaymentLookup ? <PaymentLookup key={id} id={id} proofs={proofs} onFound={keep} onClose={close} /> : null
  }
  return <PaymentPanel {...{ payment, mayCancel, moves, findHeir }} onClose={close} onPaymentRead={updatePayment} />
})

/** Actions on selected rows, loaded with the first selection. */
function PaymentSelectionBar(props: SelectionProps<'listPayments'>) {
  const { count } = props.selection
  const isOn = count > 0
  // Taking the selection back would lose it: the next tick loads the bar again.
  const [failedAt, setFailedAt] = useState(0)
  const { part: Bar } = useAskedPart(isOn && count !== failedAt, loadBar, () => setFailedAt(count))
  return isOn && Bar ? <Bar {...props} /> : null
}

/** The panel of the open payment, the cancel dialog, and updates from cancellations. */
function PaymentsSidePanel({
  list,
  proofs,
  openRowId,
  open,
  moves,
  findHeir,
  close,
  plan,
}: SidePanelProps<'listPayments'>) {
  const isFiltered = plan.request.filter !== undefined || plan.request.orderby !== undefined
  useListedCancellations(list, proofs)
  return (
    <>
      <PaymentMenu list={list} onOpen={open} />
      {openRowId ? <OpenPayment id={openRowId} {...{ isFiltered, list, proofs, moves, findHeir, close }} /> : null}
      <CancelDialogHost />
    </>
  )
}

export function PaymentsList({ mayCancel, mayBulk, showsCutOff = false, ...props }: PaymentsListProps) {
  const stateCounts = useStateCounts(props.stateCounts, props.initialPage.loadId)
  const actions = mayBulk ? (
    <Link href="/payments/bulk" className={buttonClasses()}>
      {m.payments_bulkCancellation()}
    </Link>
  ) : null
  return (
    <MayCancel value={mayCancel}>
      <DataTable
        {...props}
        stateCounts={stateCounts}
        definition={showsCutOff ? closingTable : paymentsTable}
        sidePanel={PaymentsSidePanel}
        selectionBar={mayBulk ? PaymentSelectionBar : undefined}
        actions={actions}
      />
    </MayCancel>
  )
}
