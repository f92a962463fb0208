/** How a check came out: `failure` means that the desk cannot work so, `warning` that it can with a loss. */
export type CheckResult = 'ok' | 'note' | 'warning' | 'failure' | 'skipped'

/** One thing that was checked. `detail` is one line for people. */
export type Finding = { area: string; subject: string; result: CheckResult; detail: string }

/** What the doctor found. `reads` counts what was asked; nothing else ever is. */
export type DiagnosticsReport = {
  url: string
  startedAt: string
  milliseconds: number
  reads: number
  result: 'ok' | 'warning' | 'failure'
  findings: Finding[]
}

/** The worst that was found. */
export function summarise(findings: readonly Finding[]): DiagnosticsReport['result'] {
  const results = findings.map(({ result }) => result)
  if (results.includes('failure')) return 'failure'
  return results.includes('warning') ? 'warning' : 'ok'
}

/** What is told while a deployment is being examined: each finding as it is made, the report last. */
export type DiagnosticsLine = { finding: Finding } | { report: DiagnosticsReport }

/** The report in one sentence. */
export const diagnosticsVerdicts: Record<DiagnosticsReport['result'], string> = {
  ok: 'The desk can work with this deployment.',
  warning: 'The desk can work with this deployment; see the warnings.',
  failure: 'The desk cannot work with this deployment as it is; see the failures.',
}
