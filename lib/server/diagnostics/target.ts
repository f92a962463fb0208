import { setTimeout as wait } from 'node:timers/promises'
import { type Endpoints, endpoints } from '@/lib/api-contract/endpoints'
import * as words from '@/lib/words/doctor-findings'
import type { Connection } from '../upstream/connection'
import { AppError } from '../runtime/app-error'
import { retryAfterSeconds } from '../upstream/retry'
import { callUpstream, type QueryValues, type UpstreamReply } from '../upstream/call-upstream'
import type { Finding, CheckResult } from '@/lib/domain/diagnostics-report'

/** The endpoints that only read: the doctor can name no other. */
export type ReadId = {
  [Id in keyof Endpoints]: Endpoints[Id]['method'] extends 'GET' ? Id : never
}[keyof Endpoints]

export type Asking = { params?: Record<string, string>; query?: QueryValues }

export type DiagnosticOptions = {
  /** Called with each finding as it is made. */
  onFinding?: (finding: Finding) => void
  /** Ends the examination early: what is left to read then fails. */
  signal?: AbortSignal
}

const longestPause = 10_000

/** A deployment under examination: reads of it, and what was found. */
export class DiagnosticTarget {
  readonly findings: Finding[] = []
  reads = 0

  constructor(
    readonly connection: Connection,
    readonly options: DiagnosticOptions = {},
  ) {}

  note(area: string, subject: string, result: CheckResult, detail: string): void {
    const finding = { area, subject, result, detail }
    this.findings.push(finding)
    this.options.onFinding?.(finding)
  }

  /** Reads once; after a 429 once more, as late as asked but within 10 s. Throws Failure as callUpstream. */
  async read(id: ReadId, asking: Asking = {}, connection = this.connection): Promise<UpstreamReply> {
    this.reads += 1
    const { signal } = this.options
    const call = { ...asking, ...(signal && { signal }) }
    const reply = await callUpstream(connection, endpoints[id], call)
    if (reply.status !== 429 || signal?.aborted) return reply
    const pause = Math.min(longestPause, retryAfterSeconds(reply.headers['retry-after']) * 1_000)
    await wait(pause, undefined, signal && { signal }).catch(() => undefined)
    this.reads += 1
    return callUpstream(connection, endpoints[id], call)
  }

  /** Reads, and takes note of why where that did not succeed; null then. */
  async examine(area: string, subject: string, id: ReadId, asking: Asking = {}): Promise<UpstreamReply | null> {
    try {
      const reply = await this.read(id, asking)
      if (reply.status >= 200 && reply.status < 300) return reply
      this.note(area, subject, 'failure', words.itAnswered(reply.status))
    } catch (error) {
      this.note(area, subject, 'failure', explain(error))
    }
    return null
  }
}

/** A failure in words, never with what the service sent. */
export function explain(error: unknown): string {
  if (!(error instanceof AppError)) return words.somethingWentWrong
  const { detail, upstream } = error.evidence
  const known: Partial<Record<typeof error.code, string>> = words.failures
  const status = upstream && words.theStatusWas(upstream.status)
  return [known[error.code] ?? error.code, detail, status].filter(Boolean).join(' ')
}
