import type { Endpoint } from '@/lib/contract/endpoint'
import { problemRecord } from '@/lib/contract/problem'
import { Failure, type FailureCode } from './failure'
import { readUpstreamErrors } from './field-errors'
import { readPlainText } from './plain-text'
import { readRetryAfter } from './retry-after'
import type { UpstreamReply } from './upstream'

function chooseCode(status: number): FailureCode {
  switch (status) {
    // Ours is the credential that failed, not the user's session: never a 401 (decision 0007).
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
    case 429:
      return 'upstream-slow-down'
    default:
      return status >= 400 && status < 500 ? 'upstream-refused' : 'upstream-error'
  }
}

type ProblemWords = {
  status: number
  errors: unknown
  type?: string | undefined
  title?: string | undefined
  detail?: string | undefined
  instance?: string | undefined
  traceId?: string | undefined
}

/**
 * The members of the service's problem record (RFC 9457) that may be shown; the HTTP status wins over its own. A
 * refusal may also be words alone, a record with a `message` or an `error`, or, in the manner of older ASP.NET, nothing but errors.
 */
function readProblem({ status, json }: Pick<UpstreamReply, 'status' | 'json'>): ProblemWords {
  const read = problemRecord.safeParse(json)
  if (!read.success) return { status, errors: json, detail: readPlainText(json) }
  const { type, title, detail, instance, traceId, errors, details, message, error } = read.data
  const inner = typeof error === 'object' && error !== null ? readProblem({ status, json: error }) : null
  const isProblem = [type, title, detail, message, error].some((member) => (member ?? null) !== null)
  return {
    status,
    errors: errors ?? details ?? inner?.errors ?? (isProblem ? undefined : json),
    type: readPlainText(type),
    title: readPlainText(title),
    detail: readPlainText(detail) ?? readPlainText(message) ?? readPlainText(error) ?? inner?.detail,
    instance: readPlainText(instance),
    traceId: readPlainText(traceId),
  }
}

/**
 * Says what a reply of the service that is no success means on the desk. The service's own words go along
 * where it refused (4xx); what it says when it failed (5xx) or did not accept our credential is for its
 * operators, so only the status and its trace are kept.
 */
export function explainReply(reply: UpstreamReply, endpoint: Endpoint): Failure {
  const code = chooseCode(reply.status)
  const { errors, ...upstream } = readProblem(reply)
  const { status, instance, traceId } = upstream
  switch (code) {
    case 'upstream-slow-down':
      return new Failure(code, {
        retryAfter: readRetryAfter(reply.headers['retry-after']),
        upstream: { status, traceId },
        written: true,
      })
    case 'upstream-credential':
    case 'upstream-error':
    case 'upstream-timeout': {
      const wait = reply.headers['retry-after']
      const retryAfter = status === 503 && wait !== undefined ? { retryAfter: readRetryAfter(wait) } : {}
      return new Failure(code, { upstream: { status, instance, traceId }, ...retryAfter, written: true })
    }
    default: {
      const detail = upstream.detail ?? upstream.title
      const fields = readUpstreamErrors(errors, endpoint)
      return new Failure(code, {
        ...(detail && { detail }),
        ...(fields && { errors: fields }),
        upstream,
        written: true,
      })
    }
  }
}
