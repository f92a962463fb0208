'use client'

import { RichMessage } from '@/components/ui/rich-message'
import type { RowSelectionState, Updater } from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { useFormatCount } from '@/components/layout/app-config'
import { BulkSums } from '@/components/payments/bulk-sums'
import { useBeginBulk } from '@/components/payments/use-begin-bulk'
import { Timestamp } from '@/components/records/dates'
import { Button } from '@/components/ui/button'
import type { BulkCounts, BulkResultRow, BulkView } from '@/lib/domain/cancellations/bulk-cancellation'
import { bulkOutcomeLabels } from '@/lib/domain/cancellations/bulk-messages'
import { isNotPart, resultColumns } from './bulk-columns'
import { BulkControls, BulkProgress } from './bulk-controls'
import { BulkTable, FilterChips } from './bulk-table'
import { useShownGroup } from './use-shown-group'
import * as m from '@/lib/messages/m'

const retryable: readonly BulkResultRow['why'][] = [
  'not-sent',
  'stopped',
  'restored',
  'refused',
  'changed',
  'unreadable',
  'absent',
  'unread-since-sent',
]

/** Whether a failed row may be retried: it was certainly not carried out, or the new list shows what became of it. */
export function mayTryAgain({ outcome, why }: BulkResultRow): boolean {
  return outcome === 'not-cancelled' && retryable.includes(why)
}

/** Creates a new bulk of the selected rows; it is checked and confirmed like any other. */
export function TryAgain({ rows }: { rows: readonly BulkResultRow[] }) {
  const formatCount = useFormatCount()
  const { begin, isSending, error } = useBeginBulk()
  const reason = isSending
    ? m.bulkCancellation_listIsOnItsWay()
    : rows.length === 0
      ? m.bulkCancellation_selectRowsFirst()
      : null

  function tryAgain(): Promise<void> {
    const given = rows.flatMap(({ paymentId, reason: text }) => (paymentId ? [{ given: paymentId, reason: text }] : []))
    return begin({ kind: 'list', name: null, rows: given })
  }

  return (
    <>
      <Button tone="primary" reason={reason} onClick={() => void tryAgain()}>
        {m.bulkCancellation_tryAgain({ rows: formatCount(rows.length) })}
      </Button>
      {error === null ? null : <ProblemNotice problem={toProblemInfo(error)} />}
    </>
  )
}

type BulkRunProps = { view: BulkView; rows: readonly BulkResultRow[]; mayCancel: boolean; isMine: boolean }

const COUNT_ORDER: readonly (keyof BulkCounts)[] = [
  'unsent',
  'sending',
  'requested',
  'cancelled',
  'not-cancelled',
  'unknown',
  'needs-person',
  'left',
]

/** Retryable rows are selected unless the user deselects them. */
function useRetryable(rows: readonly BulkResultRow[]) {
  // The user's choices by row position.
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

/** A confirmed bulk: progress, outcomes and actions. */
export function BulkRun({ view, rows, mayCancel, isMine }: BulkRunProps) {
  const [shown, setShown] = useShownGroup('outcome')
  const retry = useRetryable(rows)
  const isOver = view.state === 'finished' || view.state === 'stopped'
  const canRetry = mayCancel && isOver && rows.some(mayTryAgain)
  const groups = [
    ...COUNT_ORDER.map((value) => ({ value, label: bulkOutcomeLabels[value](), count: view.counts[value] })),
    { value: 'not-part', label: m.bulkStates_notPart(), count: rows.filter(isNotPart).length },
  ]
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-4 pb-4 md:px-8">
        <BulkSums sums={view.sums} />
        <BulkProgress view={view} isMine={isMine} />
        <p className="text-ink-soft wrap-anywhere">
          {view.endedAt ? (
            <RichMessage
              message={
                view.state === 'stopped' ? m.bulkCancellation_startedAndStopped : m.bulkCancellation_startedAndFinished
              }
              parts={{
                time: <Timestamp value={view.startedAt} />,
                person: view.requestedBy,
                end: <Timestamp value={view.endedAt} />,
              }}
            />
          ) : (
            <RichMessage
              message={m.bulkCancellation_startedByPerson}
              parts={{ time: <Timestamp value={view.startedAt} />, person: view.requestedBy }}
            />
          )}
        </p>
        {view.approval?.decidedBy ? (
          <p className="-mt-2 text-ink-soft wrap-anywhere">
            <RichMessage
              message={m.approval_approvedBy}
              parts={{ time: <Timestamp value={view.approval.decidedAt} />, person: view.approval.decidedBy }}
            />
          </p>
        ) : null}
        <BulkControls view={view} mayCancel={mayCancel}>
          {canRetry ? <TryAgain rows={retry.selected} /> : null}
        </BulkControls>
        {/* There is nothing to count before its cancellations are written. */}
        {view.state === 'starting' ? null : <FilterChips groups={groups} chosen={shown} onChoose={setShown} />}
      </div>
      <BulkTable
        columns={resultColumns}
        rows={rows}
        isOver={isOver}
        filter={shown === null ? null : { id: 'outcome', value: shown }}
        selection={canRetry ? { state: retry.state, change: retry.change, may: mayTryAgain } : null}
      />
    </>
  )
}
