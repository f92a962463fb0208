'use client'

import { useDeferredValue, useMemo } from 'react'
import type { SelectionProps } from '@/components/data-table/data-table'
import { SelectionBar, selectionButtonClasses } from '@/components/data-table/selection-bar'
import { explainNotCancellable } from '@/components/cancellations/cancel-button'
import { BulkSums } from './bulk-sums'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { Button } from '@/components/ui/button'
import { useAppConfig, useFormatCount } from '@/components/layout/app-config'
import { describeView } from './bulk-request'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { MAX_BULK_PAYMENTS } from '@/lib/api-contract/limits'
import type { Payment } from '@/lib/api-contract/payments'
import { sumPayments } from '@/lib/domain/cancellations/bulk-list'
import { paymentsTable } from './payments-table'
import { useBeginBulk } from './use-begin-bulk'
import { isLost } from '@/lib/client/api-client'
import * as m from '@/lib/messages/m'

const hasId = (payment: Payment): payment is Payment & { id: string } => payment.id !== null

const isFutile = (payment: Payment, cancellable: readonly string[]) =>
  explainNotCancellable(payment, cancellable, null) !== null

/** The count and sums of selected payments, live and test separately, and their bulk cancellation. */
export function PaymentSelection({ list, selection, view }: SelectionProps<'listPayments'>) {
  const formatCount = useFormatCount()
  const config = useAppConfig()
  const { states } = config
  const { begin, isSending, error } = useBeginBulk()
  // Deferred, so that summing doesn't delay the frame that shows the click.
  const rows = useDeferredValue(selection.rows)
  const payments = useMemo(() => rows.filter(hasId), [rows])
  const sums = useMemo(() => sumPayments(payments), [payments])
  const areFutile = useMemo(
    () => payments.length > 0 && payments.every((payment) => isFutile(payment, states.cancellable)),
    [payments, states],
  )

  function cancelSelected(): Promise<void> {
    const given = selection.rows.filter(hasId).map(({ id }) => ({ given: id, reason: null }))
    return begin({ kind: 'list', name: null, rows: given })
  }

  const busy = isSending ? m.paymentSelection_listOnItsWay() : null
  const tooMany =
    selection.count > MAX_BULK_PAYMENTS ? m.paymentSelection_atMost({ written: formatCount(MAX_BULK_PAYMENTS) }) : null
  // Only rows counted here are sent, none that appear as the list loads.
  const unknown =
    selection.missing > 0
      ? m.paymentSelection_notLoaded({ count: selection.missing, written: formatCount(selection.missing) })
      : null
  const futile = areFutile ? m.paymentSelection_noneCancellable() : null
  const reason = unknown ?? tooMany ?? futile
  return (
    <SelectionBar
      list={list}
      selection={selection}
      max={MAX_BULK_PAYMENTS}
      count={m.paymentSelection_countSelected({ count: payments.length, written: formatCount(payments.length) })}
      source={describeView(paymentsTable.filters, view, config)}
      busy={busy}
      summary={<BulkSums sums={sums} />}
      reason={reason}
      problem={
        error === null ? null : (
          <ProblemNotice
            problem={toProblemInfo(error)}
            doubt={isLost(error) ? m.bulkCancellation_listMayHaveBeenMade() : null}
          />
        )
      }
    >
      <Button
        tone="danger"
        className={selectionButtonClasses}
        reason={busy ?? reason}
        onClick={() => void cancelSelected()}
      >
        {m.paymentSelection_cancelSelected()}
      </Button>
    </SelectionBar>
  )
}
