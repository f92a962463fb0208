'use client'

import type { Message } from '@/lib/language/runtime'
import { CircleCheck, CircleX, Info, type LucideIcon, Minus, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { useAppConfig } from '@/components/layout/app-config'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { CallError } from '@/lib/client/api-client'
import { runDiagnostics } from '@/lib/client/ndjson-streams'
import {
  diagnosticsVerdicts,
  nameCheck,
  type Finding,
  type DiagnosticsReport,
  type CheckResult,
} from '@/lib/domain/diagnostics-report'

import { formatNumber } from '@/lib/domain/numbers'
import * as m from '@/lib/messages/m'

const RESULT_DISPLAY: Record<CheckResult, { icon: LucideIcon; word: Message; tone: string }> = {
  ok: { icon: CircleCheck, word: m.doctor_ok, tone: 'text-positive' },
  note: { icon: Info, word: m.doctor_note, tone: 'text-ink-soft' },
  warning: { icon: TriangleAlert, word: m.doctor_warning, tone: 'text-caution font-semibold' },
  failure: { icon: CircleX, word: m.doctor_failure, tone: 'text-negative font-semibold' },
  skipped: { icon: Minus, word: m.doctor_skipped, tone: 'text-ink-faint' },
}

function Row({ finding: { area, subject, result, detail } }: { finding: Finding }) {
  const { icon: Icon, word, tone } = RESULT_DISPLAY[result]
  return (
    <tr className="border-t border-line align-top max-md:block max-md:py-2.5" data-result={result}>
      <td className={`py-2 pr-4 pl-5 whitespace-nowrap max-md:block max-md:px-4 max-md:py-0 ${tone}`}>
        <Icon className="mr-1.5 inline-block size-4 align-[-0.2em]" />
        {word()}
      </td>
      <th scope="row" className="py-2 pr-4 text-left font-medium max-md:block max-md:px-4 max-md:py-0.5">
        {nameCheck({ area, subject })}
      </th>
      <td className="py-2 pr-5 wrap-anywhere text-ink-soft max-md:block max-md:px-4 max-md:py-0">
        <UntrustedText>{detail}</UntrustedText>
      </td>
    </tr>
  )
}

/** The findings in the order of the checks. */
export function FindingsTable({ findings }: { findings: readonly Finding[] }) {
  return (
    <table className="w-full border-collapse max-md:block">
      <caption className="sr-only">{m.doctor_findingsLabel()}</caption>
      <thead className="max-md:sr-only">
        <tr className="text-left text-[0.8125rem] text-ink-soft">
          <th scope="col" className="w-32 py-2 pr-4 pl-5 font-medium">
            {m.doctor_result()}
          </th>
          <th scope="col" className="w-64 py-2 pr-4 font-medium">
            {m.doctor_check()}
          </th>
          <th scope="col" className="py-2 pr-5 font-medium">
            {m.doctor_whatWasFound()}
          </th>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {findings.map((finding, index) => (
          // Findings have no identity but their index.
          <Row key={index} finding={finding} />
        ))}
      </tbody>
    </table>
  )
}

type DiagnosticsRun = {
  state: 'idle' | 'running' | 'done' | 'failed'
  findings: Finding[]
  report: DiagnosticsReport | null
  error: unknown
}

const IDLE_RUN: DiagnosticsRun = { state: 'idle', findings: [], report: null, error: null }

function describeRun({ state, findings, report }: DiagnosticsRun, locale: string): string {
  const checks = m.doctor_findings({ findings: findings.length })
  if (state === 'running') return m.doctor_readingSoFar({ checks })
  if (report === null) return state === 'failed' ? m.doctor_notFinished({ checks }) : ''
  const { reads, milliseconds } = report
  return m.doctor_fromReadsInS({
    result: diagnosticsVerdicts[report.result](),
    checks,
    reads,
    seconds: formatNumber(milliseconds / 1_000, 1, locale),
  })
}

/** Runs the diagnostics. Leaving the page aborts them. */
function useDiagnostics(): { course: DiagnosticsRun; start: () => void; stop: () => void } {
  const [course, setCourse] = useState(IDLE_RUN)
  const running = useRef<AbortController | null>(null)

  useEffect(() => () => running.current?.abort(), [])

  function start(): void {
    const request = new AbortController()
    running.current = request
    setCourse({ ...IDLE_RUN, state: 'running' })
    const onFinding = (finding: Finding) =>
      setCourse((before) => ({ ...before, findings: [...before.findings, finding] }))
    runDiagnostics(onFinding, request.signal).then(
      (report) => setCourse({ state: 'done', findings: report.findings, report, error: null }),
      (error: unknown) => setCourse((before) => ({ ...before, state: 'failed', error })),
    )
  }

  return { course, start, stop: () => running.current?.abort() }
}

/** The diagnostics page: start button, streamed findings, verdict, and the report as JSON. */
export function Diagnostics({ service }: { service: string }) {
  const { locale } = useAppConfig()
  const { course, start, stop } = useDiagnostics()
  const { state, findings, report, error } = course
  const isRunning = state === 'running'
  return (
    <div className="grid max-w-page grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-12 md:px-8">
      <section aria-labelledby="examination" className="rounded-lg border border-line bg-surface">
        <div className="flex flex-wrap items-start justify-between gap-3 p-5 max-md:px-4">
          <div className="min-w-0 flex-1 basis-72">
            <h2 id="examination" className="font-semibold">
              {m.doctor_examineTheServiceAt({ service })}
            </h2>
            <p className="mt-0.5 text-ink-soft">{m.doctor_readsEveryList()}</p>
          </div>
          {isRunning ? (
            <Button onClick={stop}>{m.doctor_stop()}</Button>
          ) : (
            <Button tone={report ? 'secondary' : 'primary'} onClick={start}>
              {state === 'idle' ? m.doctor_examine() : m.doctor_examineAgain()}
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
            {describeRun(course, locale)}
          </output>
          {report ? (
            <span className="inline-flex items-center gap-1 text-[0.8125rem] text-ink-soft">
              {m.doctor_asJson()} <CopyButton value={JSON.stringify(report, null, 2)} name={m.doctor_reportName()} />
            </span>
          ) : null}
        </div>
        {findings.length > 0 ? <FindingsTable findings={findings} /> : null}
        {state === 'failed' && error instanceof CallError ? (
          <div className="border-t border-line p-5 max-md:px-4">
            <ProblemNotice problem={toProblemInfo(error)} onRetry={start} />
          </div>
        ) : null}
      </section>
    </div>
  )
}
