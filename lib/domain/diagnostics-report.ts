import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'

/** `failure`: the desk cannot work this way; `warning`: it can, with a loss. */
export type CheckResult = 'ok' | 'note' | 'warning' | 'failure' | 'skipped'

/** `detail` is one line for people. */
export type Finding = { area: string; subject: string; result: CheckResult; detail: string }

/** `reads` counts the read requests; diagnostics send no others. */
export type DiagnosticsReport = {
  url: string
  startedAt: string
  milliseconds: number
  reads: number
  result: 'ok' | 'warning' | 'failure'
  findings: Finding[]
}

/** The worst result among the findings. */
export function summarise(findings: readonly Finding[]): DiagnosticsReport['result'] {
  const results = findings.map(({ result }) => result)
  if (results.includes('failure')) return 'failure'
  return results.includes('warning') ? 'warning' : 'ok'
}

/** A line of the NDJSON stream: each finding as it is made, the report last. */
export type DiagnosticsLine = { finding: Finding } | { report: DiagnosticsReport }

export const diagnosticsVerdicts: Record<DiagnosticsReport['result'], Message> = {
  ok: m.doctor_verdictOk,
  warning: m.doctor_verdictWarning,
  failure: m.doctor_verdictFailure,
}
