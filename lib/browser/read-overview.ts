import type { Overview } from '@/lib/contract/overview'
import { makeRefusal } from './call'
import { CallError } from './call-error'

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

/** Reads the figures as they grow, until the last. Throws CallError; a reading ended by `signal` rejects with its reason. */
export async function readOverview({ anew, signal, onOverview }: Reading): Promise<void> {
  try {
    const headers = { accept: 'application/x-ndjson', 'x-debitdesk': '1' }
    const path = `/api/desk/overview${anew ? '?anew=1' : ''}`
    const response = await fetch(path, { headers, signal, redirect: 'error', cache: 'no-store' })
    if (!response.ok || !response.body) throw makeRefusal(response, await response.json().catch(() => null))
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onOverview(readLine(line))
    }
  } catch (cause) {
    if (signal.aborted || cause instanceof CallError) throw cause
    throw new CallError(0, 'desk-unreachable', null, null, { cause })
  }
}
