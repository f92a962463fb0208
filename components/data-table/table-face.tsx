'use client'

import { Inbox, SearchX, TriangleAlert } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import type { RowList } from '@/lib/browser/row-list'
import { ProblemNotice } from '../problem-notice'
import { Button } from '../ui/button'
import { explainIncomplete } from './walk-words'

type TableFaceProps<Row> = {
  list: RowList<Row>
  empty: { title: string; advice: string }
  isFiltered: boolean
  onClear: () => void
}

/** Rows in the shape of those that follow, so that nothing moves when they come. */
function SkeletonRows() {
  return (
    <div aria-hidden="true" className="dt-face dt-skeleton">
      {Array.from({ length: 12 }, (_, index) => (
        <div key={index} className="dt-skeleton-row">
          <span className="shimmer" />
          <span className="shimmer" />
          <span className="shimmer" />
        </div>
      ))}
    </div>
  )
}

function NoRows<Row>({ list, empty, isFiltered, onClear }: TableFaceProps<Row>) {
  const Icon = isFiltered ? SearchX : Inbox
  return (
    <div className="dt-face flex flex-col items-center justify-center px-6 text-center">
      <Icon aria-hidden="true" className="size-8 text-ink-faint" strokeWidth={1.5} />
      <p className="mt-3 text-base font-semibold">{isFiltered ? 'Nothing matches' : empty.title}</p>
      <p className="mt-1 max-w-sm text-ink-soft">
        {isFiltered
          ? list.walk.kind === 'complete'
            ? 'No row matches these filters.'
            : 'None of the rows that are loaded match. Load more, or change the filters.'
          : empty.advice}
      </p>
      {isFiltered ? (
        <Button className="mt-4" onClick={onClear}>
          Clear filters
        </Button>
      ) : null}
    </div>
  )
}

/**
 * What a list says beside its rows, or in their place: loading, empty, nothing matches, refused, slow down,
 * broken, incomplete. Rows that were loaded stay in sight.
 */
export function TableFace<Row>(props: TableFaceProps<Row>) {
  const { list } = props
  useSyncExternalStore(list.changes.subscribe, list.changes.getVersion, list.changes.getVersion)
  const { walk } = list
  const isBare = list.size === 0
  if (walk.kind === 'failed') {
    const facts = readProblemFacts(walk.error)
    return (
      <div
        className={
          isBare && list.rows.size === 0 ? 'dt-face overflow-y-auto' : 'border-t border-line px-4 py-3 md:px-8'
        }
      >
        <ProblemNotice facts={facts} onRetry={() => list.loadMore()} layout={list.rows.size === 0 ? 'page' : 'line'} />
      </div>
    )
  }
  if (isBare) return walk.kind === 'loading' ? <SkeletonRows /> : <NoRows {...props} />
  if (walk.kind !== 'incomplete') return null
  return (
    <div
      role="alert"
      className="flex items-start gap-2.5 border-t border-line bg-caution-soft px-4 py-2.5 text-caution md:px-8"
    >
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <p>
        <strong className="font-semibold">The list may be incomplete:</strong> {explainIncomplete(walk.reason)}
      </p>
    </div>
  )
}
