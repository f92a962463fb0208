import type { Endpoint } from '@/lib/api-contract/endpoint'
import { problemRecord } from '@/lib/api-contract/problem'
import { rawValueSuffix } from '@/lib/api-contract/record-fields'
import { parseUpstreamErrors } from '../http/field-errors'
import { toPlainText } from '../http/untrusted-text'
import { AppError, type ErrorCode } from '../runtime/app-error'
import type { UpstreamReply } from './call-upstream'
import { retryAfterSeconds } from './retry'

function chooseCode(status: number, { method }: Endpoint): ErrorCode {
  switch (status) {
    // The desk's credential failed, not the user's session: never a 401 (decision 0007).
    case 401:
    case 407:
      return 'upstream-credential'
    case 403:
      return 'upstream-forbidden'
    case 404:
    case 410:
      return 'not-found'
    case 408:
      return 'upstream-timeout'
    // A read conflicts with nothing that it asks for.
    case 409:
    case 423:
      return method === 'GET' ? 'upstream-error' : 'upstream-refused'
    // An intermediary gave up, or wants the request again: what became of it is open.
    case 425:
    case 499:
      return 'upstream-error'
    case 429:
      return 'upstream-slow-down'
    default:
      return isRefusal(status) ? 'upstream-refused' : 'upstream-error'
  }
}

type UpstreamProblem = {
  status: number
  errors: unknown
  type?: string | undefined
  title?: string | undefined
  detail?: string | undefined
  instance?: string | undefined
  traceId?: string | undefined
}

/** Whether a status is a refusal (4xx). */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500
}

/** Names that only messages have; payments have a description, a text and a reason, too. */
const saidAs = ['', 'errormessage', 'msg', 'issue']

/**
 * What a refusal without a text of its own says: all of it where it has nothing but lists of texts by field, as in older
 * ASP.NET. Another record may be data, such as the customer that has this number already: only what can't be is taken.
 */
function pickMessages(record: Record<string, unknown>): unknown {
  const members = Object.entries(record)
  const said = members.filter(([name]) => saidAs.includes(name.toLowerCase()))
  const others = members.filter((member) => !said.includes(member))
  const isTexts = (value: unknown) => Array.isArray(value) && value.every((text) => typeof text === 'string')
  const isByField = others.every(([, value]) => isTexts(value))
  return { '': said.flatMap(([, texts]) => texts), ...(isByField && Object.fromEntries(others)) }
}

/**
 * The presentable members of the service's problem record (RFC 9457); the HTTP status overrides its own. A refusal may
 * also be a record with `message` or `error`, or nothing but errors; FastAPI lists them as `detail`. Any reply may be
 * plain text.
 */
export function readProblem({ status, json }: Pick<UpstreamReply, 'status' | 'json'>): UpstreamProblem {
  const read = problemRecord.safeParse(json)
  if (!read.success) return { status, errors: Array.isArray(json) ? json : undefined, detail: toPlainText(json) }
  const { type, title, detail, instance, traceId, errors, details, message, error, status: _, ...rest } = read.data
  const listed = rest[`detail${rawValueSuffix}`]
  const inner = typeof error === 'object' && error !== null ? readProblem({ status, json: error }) : null
  const isProblem = [type, title, detail, message, error].some((member) => (member ?? null) !== null)
  const said = isRefusal(status) ? (toPlainText(message) ?? toPlainText(error) ?? inner?.detail) : undefined
  return {
    status,
    errors: errors ?? details ?? inner?.errors ?? listed ?? (isProblem ? undefined : pickMessages(rest)),
    type: toPlainText(type),
    title: toPlainText(title),
    detail: toPlainText(detail) ?? said,
    instance: toPlainText(instance),
    traceId: toPlainText(traceId),
  }
}

/**
 * Translates an unsuccessful reply of the service. Its own texts are included for refusals (4xx); those about failures
 * (5xx) or our credential are meant for its operators, so only status and trace are kept.
 */
export function toUpstreamError(reply: UpstreamReply, endpoint: Endpoint): AppError {
  const code = chooseCode(reply.status, endpoint)
  const { errors, ...upstream } = readProblem(reply)
  const { status, instance, traceId } = upstream
  switch (code) {
    case 'upstream-slow-down':
      return new AppError(code, {
        retryAfter: retryAfterSeconds(reply.headers),
        upstream: { status, traceId },
        written: true,
      })
    case 'upstream-credential':
    case 'upstream-error':
    case 'upstream-timeout': {
      const isTimed = status === 503 && reply.headers['retry-after'] !== undefined
      const retryAfter = isTimed ? { retryAfter: retryAfterSeconds(reply.headers) } : {}
      return new AppError(code, { upstream: { status, instance, traceId }, ...retryAfter, written: true })
    }
    default: {
      const detail = upstream.detail ?? upstream.title
      const fields = parseUpstreamErrors(errors, endpoint)
      return new AppError(code, {
        ...(detail && { detail }),
        ...(fields && { errors: fields }),
        upstream,
        written: true,
      })
    }
  }
}

/** The latest failure of a service, for the overview; lost when the process ends. */
export type LastFailure = { code: ErrorCode; at: Date }

declare global {
  /** By connection; one per process. */
  var debitdeskLastFailures: Map<string, LastFailure> | undefined
}

const recordedCodes: readonly ErrorCode[] = [
  'upstream-unreachable',
  'upstream-timeout',
  'upstream-bad-reply',
  'upstream-credential',
  'upstream-error',
  'upstream-slow-down',
]

/** Records a failure of the service; refusals of a request are not failures, nor is what the desk kept back. */
export function recordFailure(connectionId: string, { code, evidence }: AppError, now = new Date()): void {
  if (!recordedCodes.includes(code) || evidence.isHeldBack) return
  globalThis.debitdeskLastFailures ??= new Map()
  globalThis.debitdeskLastFailures.set(connectionId, { code, at: now })
}

/** The latest failure since this process started; null without any. */
export function readLastFailure(connectionId: string): LastFailure | null {
  return globalThis.debitdeskLastFailures?.get(connectionId) ?? null
}
