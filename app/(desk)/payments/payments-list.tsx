'use client'

import { type ComponentProps, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { type BesideTable, DataTable } from '@/components/data-table/data-table'
import { Link } from '@/components/link'
import { CancelDialogHost } from '@/components/payments/cancel-dialog-host'
import { PaymentPanel } from '@/components/payments/payment-panel'
import { useListedCancellations } from '@/components/payments/use-listed-cancellations'
import { buttonClasses } from '@/components/ui/button'
import { useLoaded } from '@/components/use-loaded'
import { rememberPlace } from '@/lib/browser/remembered-place'
import type { Payment } from '@/lib/contract/payments'
import { paymentsTable } from './payments-table'
import { SelectionHost } from './selection-host'
import * as words from '@/lib/words/payments'

type PaymentsListProps = Omit<ComponentProps<typeof DataTable<'listPayments'>>, 'table' | 'beside'> & {
  mayCancel: boolean
}

const loadLookup = async () => (await import('./payment-lookup')).PaymentLookup

/** The payment in the URL: as the list has it, else looked up. */
function OpenPayment({
  openKey: id,
  list,
  proofs,
  close,
  mayCancel,
}: BesideTable<'listPayments'> & { openKey: string }) {
  const read = () => list.rows.get(id) ?? null
  const loaded = useSyncExternalStore(list.changes.subscribe, read, read)
  const [last, setLast] = useState(loaded)
  // Another list may take this one's place (a proof came, a filter changed): what is open stays open meanwhile.
  if (loaded && loaded !== last) setLast(loaded)
  const payment = loaded ?? last
  const isLoaded = loaded !== null

  useEffect(() => {
    if (isLoaded) rememberPlace(id, list.offsetOf(id))
  }, [id, list, isLoaded])

  const take = useCallback(
    (fresh: Payment) => {
      setLast(fresh)
      list.patch(fresh)
    },
    [list],
  )
  const { part: PaymentLookup } = useLoaded(payment === null, loadLookup)
  if (!payment)
    return PaymentLookup ? <PaymentLookup id={id} proofs={proofs} onFound={setLast} onClose={close} /> : null
  return <PaymentPanel payment={payment} mayCancel={mayCancel} onClose={close} onPaymentRead={take} />
}

/** The panel of the open payment, the dialog that cancels from a row, and the news that a cancellation ended. */
function BesidePayments(props: BesideTable<'listPayments'>) {
  const { list, proofs, openKey, mayCancel } = props
  const take = useCallback((payment: Payment) => list.patch(payment), [list])
  useListedCancellations(list, proofs)
  return (
    <>
      {mayCancel ? <SelectionHost {...props} /> : null}
      {openKey ? <OpenPayment key={openKey} {...props} openKey={openKey} /> : null}
      <CancelDialogHost onPaymentRead={take} />
    </>
  )
}

/** The payments' table in the browser. */
export function PaymentsList(props: PaymentsListProps) {
  const { mayCancel } = props
  return (
    <DataTable
      {...props}
      table={paymentsTable}
      beside={BesidePayments}
      selects={mayCancel}
      actions={
        mayCancel ? (
          <Link href="/payments/bulk" className={buttonClasses()}>
            {words.bulkCancellation}
          </Link>
        ) : null
      }
    />
  )
}
