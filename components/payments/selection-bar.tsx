'use client'

import { X } from 'lucide-react'
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { SidePanelProps } from '@/components/data-table/data-table'
import { focusList } from '@/components/data-table/grid-actions'
import type { RowList } from '@/components/infinite-list/use-list-query'
import { explainNotCancellable } from '@/components/cancellations/cancel-button'
import { BulkSums } from './bulk-sums'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { Button } from '@/components/ui/button'
import { useAppConfig, useFormatCount } from '@/components/layout/app-config'
import { describeView } from './bulk-request'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { MAX_BULK_PAYMENTS } from '@/lib/api-contract/limits'
import type { Payment } from '@/lib/api-contract/payments'
import { formatPaymentNames, sumPayments } from '@/lib/domain/cancellations/bulk-list'
import { paymentsTable } from './payments-table'
import { useBeginBulk } from './use-begin-bulk'
import * as m from '@/lib/messages/m'

const hasId = (payment: Payment): payment is Payment & { id: string } => payment.id !== null

/** On a phone the actions share one line, so that rows stay visible. */
const compactButtonClasses = 'max-md:flex-auto max-md:px-2 max-md:text-[0.8125rem]'

/** Whether no more rows follow those that are shown. */
const isEnd = ({ pagination: { kind }, isProcessed }: Pick<RowList<Payment>, 'pagination' | 'isProcessed'>) =>
  isProcessed && (kind === 'complete' || kind === 'incomplete')

/** Loads the rest of a list and selects all of it, up to what one bulk cancellation takes. */
function useSelectAll({ list, selection }: Pick<SidePanelProps<'listPayments'>, 'list' | 'selection'>) {
  // `failure`: the one that was there when it was asked for.
  const [wanted, setWanted] = useState<{ failure: unknown } | null>(null)
  const isWanted = wanted !== null
  const { pagination } = list
  const { kind } = pagination
  const isLoaded = isEnd(list) || (list.isProcessed && list.size >= MAX_BULK_PAYMENTS)
  const failure = kind === 'failed' && !pagination.isWaiting ? pagination.error : null
  // A list that waits for its turn goes on by itself; one that gave up is not the whole list, and a later Retry selects nothing.
  const hasGivenUp = failure !== null && failure !== wanted?.failure
  if (isWanted && (hasGivenUp || (isLoaded && selection.isAll))) setWanted(null)

  const goOn = useEffectEvent(() => (isLoaded ? selection.selectAll() : list.loadMore()))
  useEffect(() => {
    if (isWanted && (isLoaded || kind === 'more')) goOn()
  }, [isWanted, isLoaded, kind])

  function start(): void {
    setWanted({ failure })
    if (failure !== null) list.loadMore()
  }

  return { isOn: isWanted && !isLoaded, start, stop: () => setWanted(null) }
}

/** The count and sums of selected payments, live and test separately, and the actions on them. */
export function SelectionBar({ list, selection, view }: SidePanelProps<'listPayments'>) {
  const formatCount = useFormatCount()
  const config = useAppConfig()
  const { states } = config
  const { begin, isSending, error } = useBeginBulk()
  const loading = useSelectAll({ list, selection })
  // Deferred, so that summing doesn't delay the frame that shows the click.
  const getRows = useDeferredValue(selection.getRows)
  const payments = useMemo(() => getRows().filter(hasId), [getRows])
  const sums = useMemo(() => sumPayments(payments), [payments])
  const isFutile = useMemo(
    () => payments.length > 0 && payments.every((payment) => explainNotCancellable(payment, states.cancellable, null)),
    [payments, states],
  )

  function cancelSelected(): Promise<void> {
    const selected = selection.getRows().filter(hasId)
    const names = selected.map(({ id, reference, handle }) => reference?.trim() || handle?.trim() || id)
    const rows = selected.map(({ id }) => ({ given: id, reason: null }))
    return begin({ kind: 'list', name: formatPaymentNames(names, formatCount), rows })
  }

  /** The bar disappears with the selection: return the focus to the list. */
  function clear(): void {
    focusList()
    selection.clear()
  }

  const isAllSelected = selection.isAll && isEnd(list)
  // The button that was pressed makes way for another, or for none.
  const bar = useRef<HTMLElement>(null)
  const offered = loading.isOn ? 'stop' : isAllSelected ? 'nothing' : 'all'
  const lastOffered = useRef(offered)
  useEffect(() => {
    if (lastOffered.current !== offered && document.activeElement === document.body) bar.current?.focus()
    lastOffered.current = offered
  }, [offered])
  const source = describeView(paymentsTable.filters, view, config)
  const busy = isSending ? m.paymentSelection_listOnItsWay() : null
  const tooMany =
    selection.count > MAX_BULK_PAYMENTS ? m.paymentSelection_atMost({ written: formatCount(MAX_BULK_PAYMENTS) }) : null
  // Only rows counted here are sent, none that appear as the list loads.
  const unknown =
    selection.missing > 0
      ? m.paymentSelection_notLoaded({ count: selection.missing, written: formatCount(selection.missing) })
      : null
  const futile = isFutile ? m.paymentSelection_noneCancellable() : null
  const count = m.paymentSelection_countSelected({ count: payments.length, written: formatCount(payments.length) })
  return (
    <section
      ref={bar}
      tabIndex={-1}
      aria-label={m.paymentSelection_selection()}
      className="dt-selection sticky bottom-0 z-10 flex flex-none flex-wrap items-center gap-x-6 gap-y-2 border-t border-line bg-accent-soft px-4 py-2.5 max-md:bottom-[calc(3.75rem+env(safe-area-inset-bottom))] md:px-8"
    >
      <output className="font-medium">{count}</output>
      {/* On a phone many sums scroll, to leave room for the rows; browsers let keys scroll what scrolls. */}
      <div className="max-md:max-h-17 max-md:w-full max-md:overflow-y-auto">
        <BulkSums sums={sums} />
      </div>
      <div className="ml-auto flex flex-wrap items-center gap-2 max-md:ml-0 max-md:w-full max-md:gap-1.5">
        <Button
          tone="quiet"
          className="max-md:w-11 max-md:px-0"
          title={m.paymentSelection_clearSelection()}
          onClick={clear}
        >
          <X aria-hidden className="size-4.5 md:hidden" />
          <span className="max-md:sr-only">{m.paymentSelection_clearSelection()}</span>
        </Button>
        {loading.isOn ? (
          <>
            <output className="self-center text-ink-soft">
              {m.paymentSelection_loadingMatching({ written: formatCount(list.size) })}
            </output>
            <Button className={compactButtonClasses} onClick={loading.stop}>
              {m.paymentSelection_stopLoading()}
            </Button>
          </>
        ) : isAllSelected ? null : (
          <Button className={compactButtonClasses} reason={busy} title={source} onClick={loading.start}>
            {list.isProcessed && list.pagination.kind === 'complete'
              ? m.paymentSelection_selectAllOf({ written: formatCount(list.size) })
              : m.paymentSelection_selectAllMatching()}
          </Button>
        )}
        <Button
          tone="danger"
          className={compactButtonClasses}
          reason={busy ?? unknown ?? tooMany ?? futile}
          onClick={() => void cancelSelected()}
        >
          {m.paymentSelection_cancelSelected()}
        </Button>
      </div>
      {error === null ? null : (
        <div className="w-full">
          <ProblemNotice problem={toProblemInfo(error)} />
        </div>
      )}
    </section>
  )
}
