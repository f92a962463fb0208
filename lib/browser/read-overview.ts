import type { Overview } from '@/lib/contract/overview'
import { makeRefusal } from './call'
import { CallError } from './call-error'
import { getDeskHeaders } from './desk-headers'

/** Guarantee: `line` is one whole line of the desk's own overview route. */
function readLine(line: string): Overview {
  return JSON.parse(line) as Overview
}

type Reading = {
  /** Not the figures that were counted a moment ago. */
  anew: boolean
  signal: AbortSignal
  onOverview: (overview: Overview) => void
}

/**
 * Reads the figures as they grow, and answers the last. Throws CallError, also where the reply broke off; a
 * reading ended by `signal` rejects with its reason.
 */
export async function readOverview({ anew, signal, onOverview }: Reading): Promise<Overview> {
  try {
    const headers = { accept: 'application/x-ndjson', ...getDeskHeaders() }
    const path = `/api/desk/overview${anew ? '?anew=1' : ''}`
    const response = await fetch(path, { headers, signal, redirect: 'error', cache: 'no-store' })
    if (!response.ok || !response.body) throw makeRefusal(response, await response.json().catch(() => null))
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    let last: Overview | null = null
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onOverview((last = readLine(line)))
    }
    if (last === null || last.state === 'walking') throw new CallError(0, 'desk-bad-reply')
    return last
  } catch (cause) {
    if (signal.aborted || cause instanceof CallError) throw cause
    throw new CallError(0, 'desk-unreachable', null, null, { cause })
  }
}
