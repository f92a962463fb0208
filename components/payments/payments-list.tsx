'use client'

import { type ComponentProps, useState } from 'react'
import { CancelDialogHost, MayCancel, useListedCancellations } from '@/components/cancellations/row-cancellation'
import { DataTable, type SelectionProps, type SidePanelProps } from '@/components/data-table/data-table'
import { Link } from '@/components/layout/link'
import { useAskedPart } from '@/components/feedback/use-asked-part'
import { buttonClasses } from '@/components/ui/button'
import { useLazyModule } from '@/lib/client/use-lazy-module'
import { NotLoaded } from './not-loaded'
import type { OpenPaymentProps } from './open-payment'
import type { StateCounts } from '@/lib/domain/overview'
import { PaymentMenu } from './payment-menu'
import { PaymentTabs } from './payment-tabs'
import { closingTable, paymentsTable } from './payments-table'
import * as m from '@/lib/messages/m'

const loadOpenPayment = async () => (await import('./open-payment')).OpenPayment
const loadBar = async () => (await import('./payment-selection')).PaymentSelection

/** The payment in the URL, beside the list, which stays usable. */
function OpenedPayment(props: OpenPaymentProps) {
  const { part: OpenPayment, failed } = useLazyModule(true, loadOpenPayment)
  if (OpenPayment) return <OpenPayment {...props} />
  return failed ? <NotLoaded /> : null
}

type PaymentsListProps = Pick<
  ComponentProps<typeof DataTable<'listPayments'>>,
  'initialPage' | 'baseFilter' | 'empty'
> & {
  /** How many payments are in each state; with it there are tabs. */
  stateCounts?: StateCounts
  mayCancel: boolean
  /** Whether many payments may be cancelled at once. */
  mayBulk: boolean
  /** Whether it shows until when each can be cancelled. */
  showsCutOff?: boolean
}

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
      {openRowId ? <OpenedPayment id={openRowId} {...{ isFiltered, list, proofs, moves, findHeir, close }} /> : null}
      <CancelDialogHost />
    </>
  )
}

export function PaymentsList({ mayCancel, mayBulk, showsCutOff = false, stateCounts, ...props }: PaymentsListProps) {
  const { loadId } = props.initialPage
  const actions = mayBulk ? (
    <Link href="/payments/bulk" className={buttonClasses()}>
      {m.payments_bulkCancellation()}
    </Link>
  ) : null
  return (
    <MayCancel value={mayCancel}>
      <DataTable
        {...props}
        renderTabs={
          stateCounts === undefined ? undefined : (table) => <PaymentTabs {...table} {...{ stateCounts, loadId }} />
        }
        definition={showsCutOff ? closingTable : paymentsTable}
        sidePanel={PaymentsSidePanel}
        selectionBar={mayBulk ? PaymentSelectionBar : undefined}
        actions={actions}
      />
    </MayCancel>
  )
}
