'use client'

import { Inbox, SearchX, TriangleAlert } from 'lucide-react'
import { type ProblemInfo, toProblemInfo } from '@/components/feedback/problem-display'
import { useFocusLost } from '@/lib/client/page-lifecycle'
import { PageForm } from '../forms/before-hydration'
import { ProblemNotice } from '../feedback/problem-notice'
import { Button } from '../ui/button'
import type { RowList } from './use-list-query'
import { incompleteReasons } from './pagination'
import * as m from '@/lib/messages/m'

type ListStateProps<Row> = {
  list: RowList<Row>
  /** The plural name of the rows, such as "Payments". */
  name: string
  empty: { title: string; advice: string }
  isFiltered: boolean
  onClear: () => void
}

/** Placeholder rows of the same size as real ones, to avoid a layout shift. */
function SkeletonRows() {
  return (
    <div aria-hidden="true" className="list-state list-skeleton">
      {Array.from({ length: 12 }, (_, index) => (
        <div key={index} className="list-skeleton-row">
          <span className="shimmer" />
          <span className="shimmer list-skeleton-bar-2" />
          <span className="shimmer list-skeleton-bar-3" />
        </div>
      ))}
    </div>
  )
}

/** Explains an empty list without overclaiming: only a list that was read to its end can be called empty. */
function describeEmptyList<Row>({ list: { pagination, loaded }, name, empty, isFiltered }: ListStateProps<Row>) {
  const things = name.toLowerCase()
  if (pagination.kind === 'complete')
    return isFiltered ? { title: m.lists_nothingMatches(), advice: m.lists_noMatchTheseFilters({ things }) } : empty
  const title = isFiltered ? m.lists_nothingMatchesSoFar() : m.lists_noneSoFar()
  if (pagination.kind !== 'incomplete')
    return { title, advice: isFiltered ? m.lists_none({ things }) : m.lists_noneOfTheRows() }
  const none = loaded === 0 ? m.lists_serviceSentNone() : m.lists_noneOfTheThatWere({ things })
  return { title, advice: m.lists_listMayBeIncomplete({ none, reason: incompleteReasons[pagination.reason]() }) }
}

function NoRows<Row>(props: ListStateProps<Row>) {
  const { isFiltered, onClear } = props
  const Icon = isFiltered ? SearchX : Inbox
  const { title, advice } = describeEmptyList(props)
  return (
    <div className="list-state list-no-rows">
      <Icon aria-hidden strokeWidth={1.5} className="size-8 text-ink-faint" />
      <p className="mt-3 text-base font-semibold">{title}</p>
      <p className="mt-1 max-w-sm text-ink-soft">{advice}</p>
      {isFiltered ? (
        <PageForm onSubmit={onClear} isPlain>
          <Button className="mt-4" type="submit">
            {m.lists_clearFilters()}
          </Button>
        </PageForm>
      ) : null}
    </div>
  )
}

type FailedListProps = { problem: ProblemInfo; list: Pick<RowList<unknown>, 'loaded' | 'loadMore'> }

/** The pressed "Retry" goes with it: the list's footer, which follows, takes the focus, as after "Load more". */
function FailedList({ problem, list: { loaded, loadMore } }: FailedListProps) {
  const notice = useFocusLost<HTMLDivElement>(({ nextElementSibling: foot }) => {
    if (foot instanceof HTMLElement) foot.focus({ preventScroll: true })
  })
  return (
    <div
      ref={notice}
      className={loaded === 0 ? 'list-state overflow-y-auto' : 'border-t border-line px-4 py-3 md:px-8'}
    >
      <ProblemNotice problem={problem} onRetry={() => loadMore()} layout={loaded === 0 ? 'page' : 'line'} />
    </div>
  )
}

/**
 * The state of a list beside its rows or in their place: loading, empty, no matches, failed, rate limited,
 * incomplete. Loaded rows stay visible.
 */
export function ListState<Row>(props: ListStateProps<Row>) {
  const { list } = props
  const { pagination } = list
  if (pagination.kind === 'failed') {
    return <FailedList problem={toProblemInfo(pagination.error)} list={list} />
  }
  const isOnItsWay = !list.isProcessed || (pagination.kind === 'loading' && list.loaded === 0)
  if (list.size === 0) return isOnItsWay ? <SkeletonRows /> : <NoRows {...props} />
  if (pagination.kind !== 'incomplete') return null
  return (
    <div role="alert" className="list-incomplete">
      <TriangleAlert aria-hidden className="mt-0.5 size-4" />
      <p>
        <strong className="font-semibold">{m.lists_listMayBeIncompletePart()}</strong>{' '}
        {incompleteReasons[pagination.reason]()}
      </p>
    </div>
  )
}
