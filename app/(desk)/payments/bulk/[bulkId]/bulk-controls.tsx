'use client'

import { Download, Pause, Play, Square } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Anchor } from '@/components/anchor'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { ProblemNotice } from '@/components/problem-notice'
import { Button, buttonClasses } from '@/components/ui/button'
import { useCount } from '@/components/use-count'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import type { BulkView } from '@/lib/contract/bulk'
import * as words from '@/lib/words/bulk-cancellation'
import { useBulkAction } from './use-bulk'

/** Pause, resume and stop; the file of results; and what else can be done. */
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
  const formatCount = useCount()
  const [isStopping, setStopping] = useState(false)
  const busy = action.isPending ? words.requestIsOnItsWay : null
  const isOn = mayCancel && ['starting', 'running', 'paused'].includes(view.state)
  // Those too whose intents are not written yet.
  const unsent = formatCount(view.counts.unsent + (view.state === 'starting' ? view.count - view.written : 0))
  return (
    <div className="flex flex-wrap items-center gap-2">
      {isOn && view.state === 'running' ? (
        <Button reason={busy} onClick={() => action.mutate('pause')}>
          <Pause className="size-4" />
          {words.pause}
        </Button>
      ) : null}
      {isOn && view.state === 'paused' ? (
        <Button tone="primary" reason={busy} onClick={() => action.mutate('resume')}>
          <Play className="size-4" />
          {words.resume}
        </Button>
      ) : null}
      {isOn ? (
        <Button tone="quiet-danger" reason={busy} onClick={() => setStopping(true)}>
          <Square className="size-4" />
          {words.stop}
        </Button>
      ) : null}
      {children}
      <Anchor href={`/api/desk/bulk/${view.id}/result`} download className={buttonClasses()}>
        <Download className="size-4" />
        {words.resultFile}
      </Anchor>
      {action.error ? (
        <div className="w-full">
          <ProblemNotice facts={readProblemFacts(action.error)} />
        </div>
      ) : null}
      {isStopping ? (
        <ConfirmDialog
          title={words.stopThisBulk}
          typed={null}
          action={words.stop}
          keep={words.goOn}
          run={async () => {
            await action.mutateAsync('stop')
            setStopping(false)
          }}
          onClose={() => setStopping(false)}
        >
          <p className="text-ink-soft">{words.bulkGoesOnUntilYou(unsent)}</p>
        </ConfirmDialog>
      ) : null}
    </div>
  )
}
