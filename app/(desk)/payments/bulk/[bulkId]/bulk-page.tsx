'use client'

import { LoaderCircle } from 'lucide-react'
import { PageHeader } from '@/components/page-header'
import { ProblemNotice } from '@/components/problem-notice'
import { Said } from '@/components/said'
import { useCount } from '@/components/use-count'
import { useFocusContent } from '@/lib/browser/focus-content'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import type { BulkView } from '@/lib/contract/bulk'
import { describeProblem } from '@/lib/format/bulk-words'
import * as words from '@/lib/words/bulk-cancellation'
import { BulkBadge } from '../bulk-list'
import { describeSource } from '../describe-source'
import { BulkRun } from './bulk-run'
import { Preflight } from './preflight'
import { useBulk } from './use-bulk'
import { useBulkRows } from './use-bulk-rows'

function Making({ view }: { view: BulkView }) {
  const formatCount = useCount()
  return (
    <div className="grid gap-2 px-4 pb-12 md:px-8">
      <output className="flex items-center gap-2.5">
        <LoaderCircle className="size-4 animate-spin text-accent-ink" />
        {words.readingThePayments} {formatCount(view.read)} {words.soFarNothingIsSent}
      </output>
    </div>
  )
}

function Failed({ view }: { view: BulkView }) {
  return (
    <div role="alert" className="mx-4 mb-12 max-w-3xl rounded-lg bg-negative-soft p-4 text-negative md:mx-8">
      <p className="font-medium">{describeProblem(view)}</p>
      <p className="mt-1">{words.withoutItsEndNobodyKnows}</p>
    </div>
  )
}

type Reader = {
  mayCancel: boolean
  /** Whether the reader has started it. */
  isMine: boolean
}

function Content({ view, mayCancel, isMine }: Reader & { view: BulkView }) {
  const { rows, isLoaded, problem } = useBulkRows(view)
  if (view.state === 'preparing') return <Making view={view} />
  if (view.state === 'failed') return <Failed view={view} />
  if (!isLoaded) {
    return problem ? (
      <div className="px-4 md:px-8">
        <ProblemNotice facts={readProblemFacts(problem)} />
      </div>
    ) : (
      <output className="block px-4 text-ink-soft md:px-8">{words.loadingTheRows}</output>
    )
  }
  return view.startedAt === null ? (
    <Preflight view={view} rows={rows} mayCancel={mayCancel} />
  ) : (
    <BulkRun view={view} rows={rows} mayCancel={mayCancel} isMine={isMine} />
  )
}

/** One bulk cancellation: its list while it is made, the list to be confirmed, then what becomes of each row. */
export function BulkPage({ first, ...reader }: Reader & { first: BulkView }) {
  const { view, problem } = useBulk(first)
  // What was confirmed goes with its dialog.
  useFocusContent(view.startedAt !== null)
  return (
    <>
      <PageHeader title={words.bulkCancellation} about={<Said>{describeSource(view.source)}</Said>}>
        <BulkBadge view={view} />
      </PageHeader>
      {problem ? (
        <div className="px-4 pb-3 md:px-8">
          <ProblemNotice facts={readProblemFacts(problem)} />
        </div>
      ) : null}
      <Content view={view} {...reader} />
    </>
  )
}
