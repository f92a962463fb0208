'use client'

import { useEffect, useRef, useState } from 'react'
import { CopyButton } from '@/components/copy-button'
import { ProblemNotice } from '@/components/problem-notice'
import { Button } from '@/components/ui/button'
import { CallError } from '@/lib/browser/call-error'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import { readExamination } from '@/lib/browser/read-examination'
import { doctorVerdicts, type Finding, type Report } from '@/lib/contract/doctor-report'
import * as words from '@/lib/words/doctor'
import { FindingsTable } from './findings-table'

type Course = {
  state: 'idle' | 'running' | 'done' | 'failed'
  findings: Finding[]
  report: Report | null
  error: unknown
}

const idle: Course = { state: 'idle', findings: [], report: null, error: null }

function describeCourse({ state, findings, report }: Course): string {
  const checks = words.findings(findings.length)
  if (state === 'running') return words.readingSoFar(checks)
  if (report === null) return state === 'failed' ? words.notFinished(checks) : ''
  const { reads, milliseconds } = report
  return words.fromReadsInS(doctorVerdicts[report.result], checks, reads, (milliseconds / 1_000).toFixed(1))
}

/** An examination from a click to its report. Leaving the page ends it. */
function useExamination(): { course: Course; start: () => void; stop: () => void } {
  const [course, setCourse] = useState(idle)
  const running = useRef<AbortController | null>(null)

  useEffect(() => () => running.current?.abort(), [])

  function start(): void {
    const request = new AbortController()
    running.current = request
    setCourse({ ...idle, state: 'running' })
    const onFinding = (finding: Finding) =>
      setCourse((before) => ({ ...before, findings: [...before.findings, finding] }))
    readExamination(onFinding, request.signal).then(
      (report) => setCourse({ state: 'done', findings: report.findings, report, error: null }),
      (error: unknown) => setCourse((before) => ({ ...before, state: 'failed', error })),
    )
  }

  return { course, start, stop: () => running.current?.abort() }
}

/** The doctor: what it does, a button that begins, findings as they come, the verdict, and the report as JSON. */
export function Doctor({ service }: { service: string }) {
  const { course, start, stop } = useExamination()
  const { state, findings, report, error } = course
  const isRunning = state === 'running'
  return (
    <div className="grid max-w-5xl grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-12 md:px-8">
      <section aria-labelledby="examination" className="rounded-lg border border-line bg-surface">
        <div className="flex flex-wrap items-start justify-between gap-3 p-5 max-md:px-4">
          <div className="min-w-0 flex-1 basis-72">
            <h2 id="examination" className="font-semibold">
              {words.examineTheServiceAt(service)}
            </h2>
            <p className="mt-0.5 text-ink-soft">{words.readsEveryList}</p>
          </div>
          {isRunning ? (
            <Button onClick={stop}>{words.stop}</Button>
          ) : (
            <Button tone={report ? 'secondary' : 'primary'} onClick={start}>
              {state === 'idle' ? words.examine : words.examineAgain}
            </Button>
          )}
        </div>
        <div
          className={
            state === 'idle'
              ? undefined
              : 'flex flex-wrap items-center gap-x-3 border-t border-line px-5 py-3 max-md:px-4'
          }
        >
          <output data-doctor={report?.result ?? state} className={report ? 'font-medium' : 'text-ink-soft'}>
            {describeCourse(course)}
          </output>
          {report ? (
            <span className="inline-flex items-center gap-1 text-[0.8125rem] text-ink-soft">
              {words.asJson} <CopyButton value={JSON.stringify(report, null, 2)} name="report as JSON" />
            </span>
          ) : null}
        </div>
        {findings.length > 0 ? <FindingsTable findings={findings} /> : null}
        {state === 'failed' && error instanceof CallError ? (
          <div className="border-t border-line p-5 max-md:px-4">
            <ProblemNotice facts={readProblemFacts(error)} onRetry={start} />
          </div>
        ) : null}
      </section>
    </div>
  )
}
