'use client'

import { readProblemFacts } from '@/lib/browser/problem-facts'
import * as words from '@/lib/words/exporting'
import { ProblemNotice } from '../problem-notice'
import { EarlierExports } from './earlier-exports'
import { ExportForm } from './export-form'
import { ExportResult } from './export-result'
import type { ListToolsProps } from './list-tools'
import { useExport } from './use-export'

/** What stands below the button, at the end of what scrolls, is not missed on a phone. */
function bringIntoSight(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

/** Takes a list away as a file: what is to be in it, how far it is, and what can be proven of it. */
export function ExportPanel(props: ListToolsProps) {
  const { view, earlier, error, begin, change, show, forget } = useExport(props.list)
  return (
    <>
      {view === undefined ? <p className="text-ink-soft">{words.loading}</p> : null}
      {view === null ? <ExportForm {...props} onBegin={begin} /> : null}
      {view ? <ExportResult view={view} onChange={change} onAnother={forget} /> : null}
      {error === null ? null : (
        <div ref={bringIntoSight} className="mt-4">
          <ProblemNotice facts={readProblemFacts(error)} />
        </div>
      )}
      {view === null ? <EarlierExports views={earlier} onShow={show} /> : null}
    </>
  )
}
