'use client'

import { X } from 'lucide-react'
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { SelectionProps } from '@/components/data-table/data-table'
import { focusList } from '@/components/data-table/grid-actions'
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

/** On a phone the actions share one line, so that rows stay visible. */
const buttonClasses = 'max-md:flex-auto max-md:px-2 max-md:text-[0.8125rem]'

const hasId = (payment: Payment): payment is Payment & { id: string } => payment.id !== null

const isFutile = (payment: Payment, cancellable: readonly string[]) =>
  explainNotCancellable(payment, cancellable, null) !== null

/** Loads the rest of a list, no further than a bulk may be large, and selects all of it. */
function useSelectAll({ list, selection }: Pick<SelectionProps<'listPayments'>, 'list' | 'selection'>) {
  // `failure`: the one that was there when it was asked for.
  const [wanted, setWanted] = useState<{ failure: unknown } | null>(null)
  const isWanted = wanted !== null
  const { pagination, isProcessed } = list
  const { kind } = pagination
  // No more rows follow those that are shown.
  const isEnd = isProcessed && (kind === 'complete' || kind === 'incomplete')
  const isLoaded = isEnd || (isProcessed && list.size >= MAX_BULK_PAYMENTS)
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

  const isLoading = isWanted && !isLoaded
  const offers = isLoading ? 'stop' : selection.isAll && isEnd ? 'nothing' : 'all'
  return { offers, start, stop: () => setWanted(null) }
}

/** The count and sums of selected payments, live and test separately, and their bulk cancellation. */
export function PaymentSelection({ list, selection, view }: SelectionProps<'listPayments'>) {
  const formatCount = useFormatCount()
  const config = useAppConfig()
  const { states } = config
  const { begin, isSending, error } = useBeginBulk()
  const { offers, start, stop } = useSelectAll({ list, selection })
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

  /** The bar disappears with the selection: return the focus to the list. */
  function clear(): void {
    focusList()
    selection.clear()
  }

  // The button that was pressed makes way for another, or for none.
  const bar = useRef<HTMLElement>(null)
  const offered = useRef(offers)
  useEffect(() => {
    if (offered.current !== offers && document.activeElement === document.body) bar.current?.focus()
    offered.current = offers
  }, [offers])

  const count = payments.length
  const written = formatCount(list.size)
  const busy = isSending ? m.paymentSelection_listOnItsWay() : null
  const tooMany =
    selection.count > MAX_BULK_PAYMENTS ? m.paymentSelection_atMost({ written: formatCount(MAX_BULK_PAYMENTS) }) : null
  // Only rows counted here are sent, none that appear as the list loads.
  const unknown =
    selection.missing > 0
      ? m.paymentSelection_notLoaded({ count: selection.missing, written: formatCount(selection.missing) })
      : null
  const reason = unknown ?? tooMany ?? (areFutile ? m.paymentSelection_noneCancellable() : null)
  return (
    <section
      ref={bar}
      tabIndex={-1}
      aria-label={m.selectionBar_selection()}
      className="dt-selection sticky bottom-0 z-10 flex flex-none flex-wrap items-center gap-x-6 gap-y-2 border-t border-line bg-accent-soft px-4 py-2.5 max-md:bottom-[calc(3.75rem+env(safe-area-inset-bottom))] md:px-8"
    >
      <output className="font-medium">
        {m.paymentSelection_countSelected({ count, written: formatCount(count) })}
      </output>
      {/* On a phone many sums scroll, to leave room for the rows; browsers let keys scroll what scrolls. */}
      <div className="max-md:scroll-edge max-md:max-h-13 max-md:w-full max-md:overflow-y-auto max-md:[--under:var(--accent-soft)]">
        <BulkSums sums={sums} />
      </div>
      <div className="ml-auto flex flex-wrap items-center gap-2 max-md:ml-0 max-md:w-full max-md:gap-1.5">
        {reason === null ? null : <p className="text-ink-soft max-md:w-full">{reason}</p>}
        <Button
          tone="quiet"
          className="max-md:w-11 max-md:px-0"
          title={m.selectionBar_clearSelection()}
          onClick={clear}
        >
          <X aria-hidden className="size-4.5 md:hidden" />
          <span className="max-md:sr-only">{m.selectionBar_clearSelection()}</span>
        </Button>
        {offers === 'stop' ? (
          <>
            <output className="self-center text-ink-soft">{m.selectionBar_loadingMatching({ written })}</output>
            <Button className={buttonClasses} onClick={stop}>
              {m.selectionBar_stopLoading()}
            </Button>
          </>
        ) : null}
        {offers === 'all' ? (
          <Button
            className={buttonClasses}
            reason={busy}
            title={describeView(paymentsTable.filters, view, config)}
            onClick={start}
          >
            {list.isProcessed && list.pagination.kind === 'complete'
              ? m.selectionBar_selectAllOf({ written })
              : m.selectionBar_selectAllMatching()}
          </Button>
        ) : null}
        <Button tone="danger" className={buttonClasses} reason={busy ?? reason} onClick={() => void cancelSelected()}>
          {m.paymentSelection_cancelSelected()}
        </Button>
      </div>
      {error === null ? null : (
        <div className="w-full">
          <ProblemNotice
            problem={toProblemInfo(error)}
            doubt={isLost(error) ? m.bulkCancellation_listMayHaveBeenMade() : null}
          />
        </div>
      )}
    </section>
  )
}
