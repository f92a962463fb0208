import type { DoctorLine, Finding, Report } from '@/lib/contract/doctor-report'
import { makeRefusal } from './call'
import { CallError } from './call-error'
import { getDeskHeaders } from './desk-headers'

/** Guarantee: `line` is one whole line of the desk's own doctor route. */
function readLine(line: string): DoctorLine {
  return JSON.parse(line) as DoctorLine
}

/**
 * Has the deployment examined, tells each finding as it is made and answers the report. Throws CallError, also where
 * the reply broke off; one that is ended by `signal` rejects with its reason.
 */
export async function readExamination(onFinding: (finding: Finding) => void, signal: AbortSignal): Promise<Report> {
  try {
    const response = await fetch('/api/desk/doctor', {
      method: 'POST',
      headers: { accept: 'application/x-ndjson', 'content-type': 'application/json', ...getDeskHeaders() },
      body: '{}',
      signal,
      redirect: 'error',
      cache: 'no-store',
    })
    if (!response.ok || !response.body) throw makeRefusal(response, await response.json().catch(() => null))
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    let report: Report | null = null
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines.map(readLine)) {
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
