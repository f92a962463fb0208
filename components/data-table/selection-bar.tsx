'use client'

import { X } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useFormatCount } from '../layout/app-config'
import { Button } from '../ui/button'
import type { RowList } from '../infinite-list/use-list-query'
import { focusList } from './grid-actions'
import type { Selection } from './use-selection'
import * as m from '@/lib/messages/m'

/** On a phone the actions share one line, so that rows stay visible. */
export const selectionButtonClasses = 'max-md:flex-auto max-md:px-2 max-md:text-[0.8125rem]'

/** Whether no more rows follow those that are shown. */
const isEnd = ({ pagination: { kind }, isProcessed }: Pick<RowList<unknown>, 'pagination' | 'isProcessed'>) =>
  isProcessed && (kind === 'complete' || kind === 'incomplete')

type SelectionBarProps<Row> = {
  list: RowList<Row>
  selection: Selection<Row>
  /** The most rows that the actions take: "Select all" loads no more. */
  max: number
  /** Such as "3 payments selected". */
  count: string
  /** What is selected by "Select all": the filters in words. */
  source: string
  /** Why "Select all" can't be pressed now. */
  busy: string | null
  /** Such as sums. */
  summary: ReactNode
  /** Why its action can't be pressed, which its button says too. */
  reason: string | null
  problem: ReactNode
  children: ReactNode
}

/** Loads the rest of a list and selects all of it. */
function useSelectAll<Row>({ list, selection, max }: Pick<SelectionBarProps<Row>, 'list' | 'selection' | 'max'>) {
  // `failure`: the one that was there when it was asked for.
  const [wanted, setWanted] = useState<{ failure: unknown } | null>(null)
  const isWanted = wanted !== null
  const { pagination } = list
  const { kind } = pagination
  const isLoaded = isEnd(list) || (list.isProcessed && list.size >= max)
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

/** What is selected, and what can be done with it. A list's own bar adds its actions. */
export function SelectionBar<Row>(props: SelectionBarProps<Row>) {
  const { list, selection, max, count, source, busy, summary, reason, problem, children } = props
  const formatCount = useFormatCount()
  const loading = useSelectAll({ list, selection, max })

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
  return (
    <section
      ref={bar}
      tabIndex={-1}
      aria-label={m.selectionBar_selection()}
      className="dt-selection sticky bottom-0 z-10 flex flex-none flex-wrap items-center gap-x-6 gap-y-2 border-t border-line bg-accent-soft px-4 py-2.5 max-md:bottom-[calc(3.75rem+env(safe-area-inset-bottom))] md:px-8"
    >
      <output className="font-medium">{count}</output>
      {/* On a phone many sums scroll, to leave room for the rows; browsers let keys scroll what scrolls. */}
      <div className="max-md:scroll-edge max-md:max-h-13 max-md:w-full max-md:overflow-y-auto max-md:[--under:var(--accent-soft)]">
        {summary}
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
        {loading.isOn ? (
          <>
            <output className="self-center text-ink-soft">
              {m.selectionBar_loadingMatching({ written: formatCount(list.size) })}
            </output>
            <Button className={selectionButtonClasses} onClick={loading.stop}>
              {m.selectionBar_stopLoading()}
            </Button>
          </>
        ) : isAllSelected ? null : (
          <Button className={selectionButtonClasses} reason={busy} title={source} onClick={loading.start}>
            {list.isProcessed && list.pagination.kind === 'complete'
              ? m.selectionBar_selectAllOf({ written: formatCount(list.size) })
              : m.selectionBar_selectAllMatching()}
          </Button>
        )}
        {children}
      </div>
      {problem ? <div className="w-full">{problem}</div> : null}
    </section>
  )
}
