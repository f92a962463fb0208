import type { DiagnosticsLine, Finding, DiagnosticsReport } from '@/lib/domain/diagnostics-report'
import type { Overview } from '@/lib/domain/overview'
import { CallError, toCallError } from './api-client'
import { getRequestHeaders } from './page-context'

/**
 * Sends a request and yields each complete line of the reply. Guarantee: `path` is a route of ours that writes such lines.
 * Throws CallError, also when the reply breaks off; aborting `signal` rejects with its reason.
 */
async function* readLines<Line>(
  path: `/api/desk/${string}`,
  init: { method?: 'POST'; body?: string; signal: AbortSignal },
): AsyncGenerator<Line> {
  try {
    const response = await fetch(path, {
      ...init,
      headers: {
        accept: 'application/x-ndjson',
        ...(init.body !== undefined && { 'content-type': 'application/json' }),
        ...getRequestHeaders(),
      },
      redirect: 'error',
      cache: 'no-store',
    })
    if (!response.ok || !response.body) throw toCallError(response, await response.json().catch(() => null))
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield JSON.parse(line) as Line
    }
  } catch (cause) {
    if (init.signal.aborted || cause instanceof CallError) throw cause
    throw new CallError(0, 'desk-unreachable', null, null, { cause })
  }
}

type OverviewOptions = {
  /** Bypasses the server's cached figures. */
  skipsCache: boolean
  signal: AbortSignal
  onOverview: (overview: Overview) => void
}

/** Streams the overview figures and resolves to the last ones. Throws and aborts as readLines does. */
export async function streamOverview({ skipsCache, signal, onOverview }: OverviewOptions): Promise<Overview> {
  let last: Overview | null = null
  const path = `/api/desk/overview${skipsCache ? '?anew=1' : ''}` as const
  for await (const overview of readLines<Overview>(path, { signal })) onOverview((last = overview))
  if (last === null || last.state === 'walking') throw new CallError(0, 'desk-bad-reply')
  return last
}

/** Runs the diagnostics, streams each finding and resolves to the report. Throws and aborts as readLines does. */
export async function runDiagnostics(
  onFinding: (finding: Finding) => void,
  signal: AbortSignal,
): Promise<DiagnosticsReport> {
  let report: DiagnosticsReport | null = null
  const init = { method: 'POST', body: '{}', signal } as const
  for await (const line of readLines<DiagnosticsLine>('/api/desk/doctor', init)) {
    if ('finding' in line) onFinding(line.finding)
    else report = line.report
  }
  if (report === null) throw new CallError(0, 'desk-bad-reply')
  return report
}
