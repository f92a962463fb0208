'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, use, useCallback, useEffect, useState } from 'react'
import { DataTable } from '@/components/data-table/data-table'
import type { BesideTable } from '@/components/data-table/table-body'
import { Link } from '@/components/link'
import { CancelDialogHost } from '@/components/payments/cancel-dialog-host'
import { MayCancel } from '@/components/payments/cancellation-cell'
import { PaymentPanel } from '@/components/payments/payment-panel'
import { useListedCancellations } from '@/components/payments/use-listed-cancellations'
import { buttonClasses } from '@/components/ui/button'
import { useLoaded } from '@/components/use-loaded'
import { patchRows } from '@/lib/browser/list-query'
import { rememberPlace } from '@/lib/browser/remembered-place'
import type { Payment } from '@/lib/contract/payments'
import * as words from '@/lib/words/payments'
import { paymentsTable } from './payments-table'

type PaymentsListProps = Pick<ComponentProps<typeof DataTable<'listPayments'>>, 'first' | 'within' | 'empty'> & {
  mayCancel: boolean
}

const loadLookup = async () => (await import('./payment-lookup')).PaymentLookup
const loadBar = async () => (await import('./selection-bar')).SelectionBar

/** The payment in the URL: as the list has it, else looked up. */
function OpenPayment({ openKey: id, list, proofs, close }: BesideTable<'listPayments'> & { openKey: string }) {
  const client = useQueryClient()
  const mayCancel = use(MayCancel)
  const loaded = list.get(id) ?? null
  const [last, setLast] = useState(loaded)
  // Another list may take this one's place (a proof came, a filter changed): what is open stays open meanwhile.
  if (loaded && loaded !== last) setLast(loaded)
  const payment = loaded ?? last
  const offset = loaded ? (list.offsetOf(id) ?? undefined) : undefined

  useEffect(() => rememberPlace(id, offset), [id, offset])

  const take = useCallback(
    (fresh: Payment) => {
      setLast(fresh)
      patchRows(client, 'listPayments', [fresh])
    },
    [client],
  )
  const { part: PaymentLookup } = useLoaded(payment === null, loadLookup)
  if (!payment)
    return PaymentLookup ? <PaymentLookup id={id} proofs={proofs} onFound={setLast} onClose={close} /> : null
  return <PaymentPanel payment={payment} mayCancel={mayCancel} onClose={close} onPaymentRead={take} />
}

/** What can be done with the selected rows; fetched once there are some. */
function Selected(props: BesideTable<'listPayments'>) {
  const isOn = props.selection.count > 0
  const { part: Bar } = useLoaded(isOn, loadBar)
  return isOn && Bar ? <Bar {...props} /> : null
}

/** The panel of the open payment, the dialog that cancels from a row, and the news that a cancellation ended. */
function BesidePayments(props: BesideTable<'listPayments'>) {
  const { list, proofs, openKey } = props
  const client = useQueryClient()
  useListedCancellations(list, proofs)
  return (
    <>
      <Selected {...props} />
      {openKey ? <OpenPayment key={openKey} {...props} openKey={openKey} /> : null}
      <CancelDialogHost onPaymentRead={(payment) => patchRows(client, 'listPayments', [payment])} />
    </>
  )
}

/** The payments' table in the browser. */
export function PaymentsList({ mayCancel, ...props }: PaymentsListProps) {
  const actions = mayCancel ? (
    <Link href="/payments/bulk" className={buttonClasses()}>
      {words.bulkCancellation}
    </Link>
  ) : null
  return (
    <MayCancel value={mayCancel}>
      <DataTable {...props} definition={paymentsTable} beside={BesidePayments} selects={mayCancel} actions={actions} />
    </MayCancel>
  )
}
