'use client'

import type { RowSelectionState, Updater } from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import { BulkSums } from '@/components/payments/bulk-sums'
import { Timestamp } from '@/components/timestamp'
import type { BulkCounts, BulkResultRow, BulkView } from '@/lib/contract/bulk'
import { outcomeLabels } from '@/lib/format/bulk-words'
import * as words from '@/lib/words/bulk-cancellation'
import { bulkFeatures, resultColumns } from './bulk-columns'
import { BulkControls } from './bulk-controls'
import { BulkProgress } from './bulk-progress'
import { BulkTable } from './bulk-table'
import { FilterChips } from './filter-chips'
import { mayTryAgain, TryAgain } from './try-again'

type BulkRunProps = { view: BulkView; rows: readonly BulkResultRow[]; mayCancel: boolean; isMine: boolean }

const order: readonly (keyof BulkCounts)[] = [
  'unsent',
  'sending',
  'requested',
  'cancelled',
  'not-cancelled',
  'unknown',
  'needs-person',
  'left',
]

/** Of rows that failed and may be tried again each is selected, until the user says otherwise. */
function useRetryable(rows: readonly BulkResultRow[]) {
  // What the user said of a row, by its position.
  const [said, setSaid] = useState<Readonly<Record<string, boolean>>>({})
  const selected = useMemo(
    () => rows.filter((row) => mayTryAgain(row) && (said[String(row.position)] ?? true)),
    [rows, said],
  )
  const state = useMemo(
    () => Object.fromEntries(selected.map(({ position }) => [String(position), true] as const)),
    [selected],
  )
  const change = (update: Updater<RowSelectionState>) => {
    const after = typeof update === 'function' ? update(state) : update
    const failed = rows.filter(mayTryAgain).map(({ position }) => String(position))
    setSaid(Object.fromEntries(failed.map((position) => [position, after[position] === true])))
  }
  return { state, change, selected }
}

/** A bulk that was confirmed: how far it is, what became of each row, and what can be done. */
export function BulkRun({ view, rows, mayCancel, isMine }: BulkRunProps) {
  const [shown, setShown] = useState<string | null>(null)
  const isStarting = view.state === 'starting'
  // Rows that were left out of the list were told before it was confirmed.
  const part = useMemo(
    () =>
      rows.filter(
        ({ cancellationId, leftTo, verdict }) =>
          cancellationId !== null || leftTo !== null || (isStarting && verdict === 'cancellable'),
      ),
    [rows, isStarting],
  )
  const retry = useRetryable(part)
  const isOver = view.state === 'finished' || view.state === 'stopped'
  const canRetry = mayCancel && isOver && part.some(mayTryAgain)
  const groups = order.map((value) => ({ value, label: outcomeLabels[value], count: view.counts[value] }))
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-4 pb-4 md:px-8">
        <BulkSums sums={view.sums} />
        <BulkProgress view={view} isMine={isMine} />
        <p className="text-ink-soft wrap-anywhere">
          {words.started} <Timestamp value={view.startedAt} /> {words.by} {view.requestedBy}
          {view.endedAt ? (
            <>
              , {view.state === 'stopped' ? 'stopped' : 'finished'} <Timestamp value={view.endedAt} />
            </>
          ) : null}
        </p>
        <BulkControls view={view} mayCancel={mayCancel}>
          {canRetry ? <TryAgain rows={retry.selected} /> : null}
        </BulkControls>
        {/* Before its cancellations are written down there is nothing to count. */}
        {isStarting ? null : <FilterChips groups={groups} chosen={shown} onChoose={setShown} />}
      </div>
      <BulkTable
        features={bulkFeatures}
        columns={resultColumns}
        rows={part}
        filter={shown === null ? null : { id: 'outcome', value: shown }}
        selection={canRetry ? { state: retry.state, change: retry.change, may: mayTryAgain } : null}
      />
    </>
  )
}
