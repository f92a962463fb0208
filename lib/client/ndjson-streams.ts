import type { DiagnosticsLine, Finding, DiagnosticsReport } from '@/lib/domain/diagnostics-report'
import type { Overview } from '@/lib/domain/overview'
import { CallError, toCallError } from './api-client'
import { getRequestHeaders } from './page-context'

/** Guarantee: `line` is one complete line of our own overview route. */
function parseOverviewLine(line: string): Overview {
  return JSON.parse(line) as Overview
}

type OverviewOptions = {
  /** Bypasses the server's cached figures. */
  skipsCache: boolean
  signal: AbortSignal
  onOverview: (overview: Overview) => void
}

/**
 * Streams the overview figures and resolves to the last ones. Throws CallError, also when the reply breaks off;
 * aborting `signal` rejects with its reason.
 */
export async function streamOverview({ skipsCache, signal, onOverview }: OverviewOptions): Promise<Overview> {
  try {
    const headers = { accept: 'application/x-ndjson', ...getRequestHeaders() }
    const path = `/api/desk/overview${skipsCache ? '?anew=1' : ''}`
    const response = await fetch(path, { headers, signal, redirect: 'error', cache: 'no-store' })
    if (!response.ok || !response.body) throw toCallError(response, await response.json().catch(() => null))
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    let last: Overview | null = null
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onOverview((last = parseOverviewLine(line)))
    }
    if (last === null || last.state === 'walking') throw new CallError(0, 'desk-bad-reply')
    return last
  } catch (cause) {
    if (signal.aborted || cause instanceof CallError) throw cause
    throw new CallError(0, 'desk-unreachable', null, null, { cause })
  }
}

/** Guarantee: `line` is one complete line of our own diagnostics route. */
function parseDiagnosticsLine(line: string): DiagnosticsLine {
  return JSON.parse(line) as DiagnosticsLine
}

/**
 * Runs the diagnostics, streams each finding and resolves to the report. Throws CallError, also when the reply breaks
 * off; aborting `signal` rejects with its reason.
 */
export async function runDiagnostics(
  onFinding: (finding: Finding) => void,
  signal: AbortSignal,
): Promise<DiagnosticsReport> {
  try {
    const response = await fetch('/api/desk/doctor', {
      method: 'POST',
      headers: { accept: 'application/x-ndjson', 'content-type': 'application/json', ...getRequestHeaders() },
      body: '{}',
      signal,
      redirect: 'error',
      cache: 'no-store',
    })
    if (!response.ok || !response.body) throw toCallError(response, await response.json().catch(() => null))
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    let report: DiagnosticsReport | null = null
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines.map(parseDiagnosticsLine)) {
        if ('finding' in line) onFinding(line.finding)
        else report = line.report
      }
    }
    if (report === null) throw new CallError(0, 'desk-bad-reply')
    return report
  } catch (cause) {
    if (signal.aborted || cause instanceof CallError) throw cause
    throw new CallError(0, 'desk-unreachable', null, null, { cause })
  }
}
