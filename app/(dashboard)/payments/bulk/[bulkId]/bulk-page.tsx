'use client'

import { LoaderCircle } from 'lucide-react'
import { PageHeader } from '@/components/layout/page-header'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { BulkBadge } from '@/components/payments/bulk-badge'
import { UntrustedText } from '@/components/ui/untrusted-text'

import { useFocusContent } from '@/lib/client/page-lifecycle'
import { toProblemInfo } from '@/components/feedback/problem-display'
import type { OwnRule } from '@/lib/domain/cancellations/needs-approval'
import type { BulkView } from '@/lib/domain/cancellations/bulk-cancellation'
import { describeProblem, describeSource } from '@/lib/domain/cancellations/bulk-messages'
import { Approval } from './approval'
import { BulkRun } from './bulk-run'
import { DiscardDraft, Preflight } from './preflight'
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

function Content({ view, mayCancel, isMine, rule }: Reader & { view: BulkView }) {
  const { rows, isLoaded, problem, retry } = useBulkRows(view)
  // "Retry" disappears while they are read.
  useFocusContent(!isLoaded && problem !== null)
  if (view.state === 'preparing') return <PreparingList view={view} />
  if (view.state === 'failed')
    return <Failed view={view} isMine={mayCancel && isMine && view.problem !== 'interrupted'} />
  if (!isLoaded) {
    return problem ? (
      <div className="px-4 md:px-8">
        <ProblemNotice problem={toProblemInfo(problem)} onRetry={retry} />
      </div>
    ) : (
      <output className="block px-4 text-ink-soft md:px-8">{m.bulkCancellation_loadingTheRows()}</output>
    )
  }
  if (view.state === 'awaiting' || view.state === 'declined')
    return <Approval view={view} rows={rows} mayCancel={mayCancel} isMine={isMine} />
  return view.startedAt === null ? (
    <Preflight view={view} rows={rows} mayCancel={mayCancel} isMine={isMine} rule={rule} />
  ) : (
    <BulkRun view={view} rows={rows} mayCancel={mayCancel} isMine={isMine} />
  )
}

/** One bulk cancellation: preparation, confirmation, then the outcome of each row. */
export function BulkPage({ initialView, ...reader }: Reader & { initialView: BulkView }) {
  const { view, problem } = useBulk(initialView)
  // The focused dialog or button disappears with the confirmation and a second person's decision.
  useFocusContent(`${view.startedAt !== null} ${view.approval !== null} ${view.approval?.decidedAt ?? ''}`)
  return (
    <>
      <PageHeader
        title={m.bulkCancellation_bulkCancellation()}
        about={<UntrustedText>{describeSource(view.source)}</UntrustedText>}
      >
        <BulkBadge view={view} />
      </PageHeader>
      {problem ? (
        <div className="px-4 pb-3 md:px-8">
          <ProblemNotice problem={toProblemInfo(problem)} />
        </div>
      ) : null}
      <Content view={view} {...reader} />
    </>
  )
}
