import type { Message } from '@/lib/language/runtime'
import { setTimeout as wait } from 'node:timers/promises'
import { type Endpoints, endpoints } from '@/lib/api-contract/endpoints'
import type { Connection } from '../upstream/connection'
import { AppError } from '../runtime/app-error'
import { retryAfterSeconds } from '../upstream/retry'
import { callUpstream, type QueryValues, type UpstreamReply } from '../upstream/call-upstream'
import type { Finding, CheckResult } from '@/lib/domain/diagnostics-report'
import * as m from '@/lib/messages/m'

/** The read-only endpoints, the only ones the diagnostics can call. */
export type ReadId = {
  [Id in keyof Endpoints]: Endpoints[Id]['method'] extends 'GET' ? Id : never
}[keyof Endpoints]

export type ReadInput = { params?: Record<string, string>; query?: QueryValues }

export type DiagnosticOptions = {
  /** Called with each finding. */
  onFinding?: (finding: Finding) => void
  /** Ends the diagnostics early: the remaining reads fail. */
  signal?: AbortSignal
}

const MAX_PAUSE_MS = 10_000

/** A deployment being checked: reads it and collects findings. */
export class DiagnosticTarget {
  readonly findings: Finding[] = []
  reads = 0

  constructor(
    readonly connection: Connection,
    readonly options: DiagnosticOptions = {},
  ) {}

  addFinding(area: string, subject: string, result: CheckResult, detail: string): void {
    const finding = { area, subject, result, detail }
    this.findings.push(finding)
    this.options.onFinding?.(finding)
  }

  /** Reads once, and after a 429 once more, waiting as long as asked but at most 10 s. Throws AppError as callUpstream. */
  async read(id: ReadId, input: ReadInput = {}, connection = this.connection): Promise<UpstreamReply> {
    this.reads += 1
    const { signal } = this.options
    const call = { ...input, ...(signal && { signal }) }
    const reply = await callUpstream(connection, endpoints[id], call)
    if (reply.status !== 429 || signal?.aborted) return reply
    const pause = Math.min(MAX_PAUSE_MS, retryAfterSeconds(reply.headers) * 1_000)
    await wait(pause, undefined, signal && { signal }).catch(() => undefined)
    this.reads += 1
    return callUpstream(connection, endpoints[id], call)
  }

  /** Reads and returns a successful reply; else adds a finding and returns null. */
  async tryRead(area: string, subject: string, id: ReadId, input: ReadInput = {}): Promise<UpstreamReply | null> {
    try {
      const reply = await this.read(id, input)
      if (reply.status >= 200 && reply.status < 300) return reply
      this.addFinding(area, subject, 'failure', m.doctorFindings_itAnswered({ status: reply.status }))
    } catch (error) {
      this.addFinding(area, subject, 'failure', explain(error))
    }
    return null
  }
}

/** A failure as text, without anything the service sent. */
export function explain(error: unknown): string {
  if (!(error instanceof AppError)) return m.doctorFindings_somethingWentWrong()
  const { detail, upstream } = error.evidence
  const known: Partial<Record<typeof error.code, Message>> = {
    'upstream-unreachable': m.doctorFindings_failuresUpstreamUnreachable,
    'upstream-timeout': m.doctorFindings_failuresUpstreamTimeout,
    'upstream-bad-reply': m.doctorFindings_failuresUpstreamBadReply,
    'upstream-credential': m.doctorFindings_failuresUpstreamCredential,
  }
  const status = upstream && m.doctorFindings_theStatusWas({ status: upstream.status })
  return [known[error.code]?.() ?? error.code, detail, status].filter(Boolean).join(' ')
}
