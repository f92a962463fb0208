import type { DoctorLine } from '@/lib/contract/doctor-report'
import type { Connection } from '../connection'
import { Failure } from '../failure'
import { examine } from './examine'
import * as refusals from '@/lib/words/refusals'

declare global {
  /** Connections that are being examined; on globalThis because Next loads this module once per graph. */
  var debitdeskExaminations: Set<string> | undefined
}

/** An examination takes this long at most, in milliseconds. */
const longest = 120_000

/**
 * Examines a deployment and tells of it as lines of JSON, each a DoctorLine, the report last. One at a time per
 * connection: throws Failure 'in-flight' for another. Who leaves (`signal`) ends it.
 */
export function streamExamination(connection: Connection, signal: AbortSignal): ReadableStream<Uint8Array> {
  const running = (globalThis.debitdeskExaminations ??= new Set())
  const { connectionId } = connection
  if (running.has(connectionId)) throw new Failure('in-flight', { detail: refusals.thisDeploymentIsBeingExamined })
  running.add(connectionId)
  const left = new AbortController()
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      const tell = (line: DoctorLine) => {
        if (!left.signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`))
      }
      try {
        const report = await examine(connection, {
          onFinding: (finding) => tell({ finding }),
          signal: AbortSignal.any([signal, left.signal, AbortSignal.timeout(longest)]),
        })
        tell({ report })
        if (!left.signal.aborted) controller.close()
      } finally {
        running.delete(connectionId)
      }
    },
    cancel: () => left.abort(),
  })
}
