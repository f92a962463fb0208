'use client'

import { Download, Pause, Play, Square } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { ProviderLink, toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { useFormatCount, type FormatCount } from '@/components/layout/app-config'
import { Anchor } from '@/components/layout/link'
import { Button, buttonClasses } from '@/components/ui/button'
import { focusContent, useFocusLost } from '@/lib/client/page-lifecycle'
import type { BulkView } from '@/lib/domain/cancellations/bulk-cancellation'
import { describeProblem, describeWait, isOwnerSignedOut } from '@/lib/domain/cancellations/bulk-messages'
import { useBulkAction } from './use-bulk'
import * as m from '@/lib/messages/m'

function describeProgress(view: BulkView, formatCount: FormatCount): string {
  const { counts, count, settled, state, written } = view
  if (state === 'starting')
    return m.bulkCancellation_startingSoFar({ written: formatCount(written), count: formatCount(count) })
  // A stopped bulk also counts rows that were never sent.
  const formatDone = state === 'stopped' ? m.bulkCancellation_dealtWithOf : m.bulkCancellation_answeredOf
  const done = formatDone({ settled: formatCount(settled), count: formatCount(count) })
  if (state === 'running' && counts.unsent === 0 && settled < count)
    return counts.unknown > 0
      ? m.bulkCancellation_restIsUnknown({ done, unknown: formatCount(counts.unknown) })
      : m.bulkCancellation_restIsBeingLookedAfter({ done })
  if (counts.unsent > 0) return m.bulkCancellation_notSentYet({ done, unsent: formatCount(counts.unsent) })
  return done
}

/** The progress of a bulk. Only final outcomes count, so the bar never moves back. */
export function BulkProgress({ view, isMine }: { view: BulkView; isMine: boolean }) {
  const done = describeProgress(view, useFormatCount())
  const wait = describeWait(view, isMine)
  const problem = describeProblem(view)
  return (
    <div className="grid gap-1.5">
      <progress
        aria-label={m.bulkCancellation_paymentsAnswered()}
        value={Math.min(view.settled, view.count)}
        max={Math.max(view.count, 1)}
        className="h-2 w-full"
      />
      <output className="block">{done}</output>
      {wait ? (
        <output className="block text-caution" data-wait={view.wait?.code}>
          {wait}
        </output>
      ) : null}
      {isMine && isOwnerSignedOut(view) ? (
        <p>
          <ProviderLink size="small" />
        </p>
      ) : null}
      {problem ? (
        <p className="text-caution">
          {problem}{' '}
          {view.state === 'paused' && view.problem === 'restored' ? m.bulkCancellation_resumeMaySendAgain() : null}
        </p>
      ) : null}
    </div>
  )
}

type StopOrGoOnProps = {
  state: BulkView['state']
  reason: string | null
  onAct: (action: 'pause' | 'resume') => void
  onStop: () => void
}

function StopOrGoOn({ state, reason, onAct, onStop }: StopOrGoOnProps) {
  const buttons = useFocusLost<HTMLSpanElement>(focusContent)
  const isPaused = state === 'paused'
  return (
    <span ref={buttons} className="contents">
      {/* One button for both, which keeps the focus. */}
      {state === 'starting' ? null : (
        <Button
          tone={isPaused ? 'primary' : 'secondary'}
          reason={reason}
          onClick={() => onAct(isPaused ? 'resume' : 'pause')}
        >
          {isPaused ? <Play className="size-4" /> : <Pause className="size-4" />}
          {isPaused ? m.bulkCancellation_resume() : m.bulkCancellation_pause()}
        </Button>
      )}
      <Button tone="quiet-danger" reason={reason} onClick={onStop}>
        <Square className="size-4" />
        {m.bulkCancellation_stop()}
      </Button>
    </span>
  )
}

/** Pause, resume, stop and the result file. */
export function BulkControls({
  view,
  mayCancel,
  children,
}: {
  view: BulkView
  mayCancel: boolean
  children?: ReactNode
}) {
  const action = useBulkAction(view.id)
  const formatCount = useFormatCount()
  const [isStopping, setStopping] = useState(false)
  const isStopped = useRef(false)
  const busy = action.isPending ? m.bulkCancellation_requestIsOnItsWay() : null
  const isOn = mayCancel && ['starting', 'running', 'paused'].includes(view.state)
  // Including those whose intents are not written yet.
  const unsent = formatCount(view.counts.unsent + (view.state === 'starting' ? view.count - view.written : 0))
  return (
    <div className="flex flex-wrap items-center gap-2">
      {isOn ? (
        <StopOrGoOn state={view.state} reason={busy} onAct={action.mutate} onStop={() => setStopping(true)} />
      ) : null}
      {children}
      <Anchor href={`/api/desk/bulk/${view.id}/result`} download className={buttonClasses()}>
        <Download className="size-4" />
        {m.bulkCancellation_resultFile()}
      </Anchor>
      {action.error ? (
        <div className="w-full">
          <ProblemNotice problem={toProblemInfo(action.error)} />
        </div>
      ) : null}
      {isStopping ? (
        <ConfirmDialog
          title={m.bulkCancellation_stopThisBulk()}
          typed={null}
          confirmLabel={m.bulkCancellation_stop()}
          cancelLabel={m.bulkCancellation_goOn()}
          run={async () => {
            await action.mutateAsync('stop')
            isStopped.current = true
            setStopping(false)
          }}
          onClose={() => setStopping(false)}
          // Once there is nothing to stop, the button that asked is gone, or soon will be.
          finalFocus={() => (isOn && !isStopped.current ? null : document.querySelector<HTMLElement>('#content'))}
        >
          <p className="text-ink-soft">{m.bulkCancellation_bulkGoesOnUntilYou({ unsent })}</p>
        </ConfirmDialog>
      ) : null}
    </div>
  )
}
