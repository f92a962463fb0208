'use client'

import { LoaderCircle } from 'lucide-react'
import { useState } from 'react'
import { type FormatCount, useFormatCount } from '@/components/layout/app-config'
import { PageHeader } from '@/components/layout/page-header'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { BulkBadge } from '@/components/payments/bulk-badge'
import { UntrustedText } from '@/components/ui/untrusted-text'

import { CallError } from '@/lib/client/api-client'
import { useFocusContent, useHydrated } from '@/lib/client/page-lifecycle'
import { toProblemInfo } from '@/components/feedback/problem-display'
import type { OwnRule } from '@/lib/domain/cancellations/needs-approval'
import type { BulkCounts, BulkResultRow, BulkRows, BulkView } from '@/lib/domain/cancellations/bulk-cancellation'
import {
  bulkOutcomeLabels,
  describeBulkState,
  describeProblem,
  describeSource,
} from '@/lib/domain/cancellations/bulk-messages'
import { Approval } from './approval'
import { resultColumns } from './bulk-columns'
import { BulkRun } from './bulk-run'
import { BulkTable, RowsPlace } from './bulk-table'
import { DiscardDraft } from './discard-draft'
import { Preflight, type Say } from './preflight'
import { useBulk, useBulkRows } from './use-bulk'
import * as m from '@/lib/messages/m'

function PreparingList({ view }: { view: BulkView }) {
  return (
    <div className="grid gap-2 px-4 pb-12 md:px-8">
      <output className="flex items-center gap-2.5">
        <LoaderCircle className="size-4 animate-spin text-accent-ink" />
        {m.bulkCancellation_loadingSoFar({ count: view.read })}
      </output>
    </div>
  )
}

function Failed({ view, isMine }: { view: BulkView; isMine: boolean }) {
  return (
    <div role="alert" className="mx-4 mb-12 max-w-3xl rounded-lg bg-negative-soft p-4 text-negative md:mx-8">
      <p className="font-medium">{describeProblem(view)}</p>
      <p className="mt-1">{m.bulkCancellation_withoutItsEndNobodyKnows()}</p>
      {isMine ? (
        <p className="mt-3">
          <DiscardDraft bulkId={view.id} />
        </p>
      ) : null}
    </div>
  )
}

type Reader = {
  mayCancel: boolean
  /** Whether the user started it. */
  isMine: boolean
  /** The merchant's four-eyes rule, for a list that is not confirmed yet. */
  rule: OwnRule | null
}

const countCancellable = (rows: readonly BulkResultRow[]) =>
  rows.filter(({ verdict }) => verdict === 'cancellable').length

/** How many of a list can be cancelled, and how many cannot; those left out by hand are neither. */
function describeFound(rows: readonly BulkResultRow[]): string {
  const count = countCancellable(rows)
  const rest = rows.filter(({ verdict }) => verdict !== 'cancellable' && verdict !== 'left-out').length
  return m.bulkCancellation_found({ payments: m.overview_paymentCount({ count }), rest })
}

const alwaysCounted: readonly (keyof BulkCounts)[] = ['cancelled', 'not-cancelled']
const unsettled: readonly (keyof BulkCounts)[] = ['unsent', 'sending', 'requested', 'unknown']
const countedIfAny: readonly (keyof BulkCounts)[] = [...unsettled, 'needs-person', 'left']

/** How a bulk has ended; nothing before. One that was stopped is counted once all its outcomes are known. */
function describeEnd(view: BulkView, formatCount: FormatCount): string {
  if (view.endedAt === null) return ''
  if (view.state === 'stopped' && unsettled.some((outcome) => view.counts[outcome] > 0)) return describeBulkState(view)
  const told = [...alwaysCounted, ...countedIfAny.filter((outcome) => view.counts[outcome] > 0)]
  const counts = told.map((outcome) => `${bulkOutcomeLabels[outcome]()}: ${formatCount(view.counts[outcome])}`)
  return `${describeBulkState(view)}. ${counts.join(', ')}`
}

/** What the user was told of their own change, and how many payments could be cancelled before it and after. */
type Said = { text: string; before: number; count: number; times: number }

/** The content, and what of it is told to screen readers: what a list holds, what has become of it, and how it ended. */
function Content({ view, firstRows, ...reader }: Reader & { view: BulkView; firstRows: BulkRows | null }) {
  const read = useBulkRows(view, firstRows)
  const formatCount = useFormatCount()
  const [said, setSaid] = useState<Said | null>(null)
  const cancellable = countCancellable(read.rows)
  const say: Say = (text, count) =>
    setSaid((last) => ({ text, before: cancellable, count, times: (last?.times ?? 0) + 1 }))
  // Somebody else has changed the list since.
  if (said !== null && cancellable !== said.before && cancellable !== said.count) setSaid(null)
  const found = view.state === 'ready' && read.isLoaded ? (said?.text ?? describeFound(read.rows)) : ''
  return (
    <>
      <output className="sr-only">
        {/* The same words are said again. */}
        <span key={said?.times ?? 0}>{view.startedAt === null ? found : describeEnd(view, formatCount)}</span>
      </output>
      <Parts {...{ view, firstRows }} {...reader} {...read} onSay={say} />
    </>
  )
}

type PartsProps = Reader & ReturnType<typeof useBulkRows> & { view: BulkView; firstRows: BulkRows | null; onSay: Say }

function Parts({ view, firstRows, rows, isLoaded, problem, retry, mayCancel, isMine, rule, onSay }: PartsProps) {
  // "Retry" disappears while they are read.
  useFocusContent(!isLoaded && problem !== null)
  const isInBrowser = useHydrated()
  if (view.state === 'preparing') return <PreparingList view={view} />
  if (view.state === 'failed')
    return <Failed view={view} isMine={mayCancel && isMine && view.problem !== 'interrupted'} />
  if (!isLoaded) {
    return problem ? (
      <div className="px-4 md:px-8">
        <ProblemNotice problem={toProblemInfo(problem)} onRetry={retry} />
      </div>
    ) : (
      <>
        {/* In the server's HTML nothing loads yet. */}
        <output className="block px-4 pb-4 text-ink-soft md:px-8">
          {isInBrowser || firstRows === null ? m.bulkCancellation_loadingTheRows() : null}
        </output>
        {firstRows === null ? null : (
          <RowsPlace value="">
            <BulkTable columns={resultColumns} rows={firstRows.rows} filter={null} selection={null} />
          </RowsPlace>
        )}
      </>
    )
  }
  if (view.state === 'awaiting' || view.state === 'declined')
    return <Approval view={view} rows={rows} mayCancel={mayCancel} isMine={isMine} />
  return view.startedAt === null ? (
    <Preflight view={view} rows={rows} mayCancel={mayCancel} isMine={isMine} rule={rule} onSay={onSay} />
  ) : (
    <BulkRun view={view} rows={rows} mayCancel={mayCancel} isMine={isMine} />
  )
}

/** One bulk cancellation: preparation, confirmation, then the outcome of each row. */
export function BulkPage({
  initialView,
  loadId,
  ...reader
}: Reader & {
  initialView: BulkView
  /** The first rows of a started bulk; null of a list. */
  firstRows: BulkRows | null
  /** Identifies this page load: the reader's place in the rows belongs to it. */
  loadId: string
}) {
  const { view, problem } = useBulk(initialView)
  const isDraft = view.startedAt === null && view.approval === null
  const isGone = isDraft && problem instanceof CallError && problem.code === 'not-found'
  // The focused dialog or button disappears with the confirmation, a second person's decision, and the draft.
  useFocusContent(`${view.startedAt !== null} ${view.approval !== null} ${view.approval?.decidedAt ?? ''} ${isGone}`)
  return (
    <>
      <PageHeader
        title={m.bulkCancellation_bulkCancellation()}
        about={<UntrustedText>{describeSource(view.source)}</UntrustedText>}
      >
        {isGone ? null : <BulkBadge view={view} />}
      </PageHeader>
      {isGone ? (
        <output className="block px-4 md:px-8">{m.bulkCancellation_draftIsGone()}</output>
      ) : problem ? (
        <div className="px-4 pb-3 md:px-8">
          <ProblemNotice problem={toProblemInfo(problem)} />
        </div>
      ) : null}
      {isGone ? null : (
        <RowsPlace value={loadId}>
          <Content view={view} {...reader} />
        </RowsPlace>
      )}
    </>
  )
}
