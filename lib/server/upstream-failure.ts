import type { Endpoint } from '@/lib/contract/endpoint'
import { problemRecord } from '@/lib/contract/problem'
import { Failure, type FailureCode } from './failure'
import { readUpstreamErrors } from './field-errors'
import { readPlainText } from './plain-text'
import { readRetryAfter } from './retry-after'
import type { UpstreamReply } from './upstream'

function chooseCode(status: number): FailureCode {
  switch (status) {
    // Ours is the credential that failed, not the user's session: never a 401 (design, "A read, a write").
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

/** The members of the service's problem record (RFC 9457) that may be shown; the HTTP status wins over its own. */
function readProblem({ status, json }: UpstreamReply) {
  const read = problemRecord.safeParse(json)
  if (!read.success) return { status, errors: undefined }
  const { type, title, detail, instance, traceId, errors } = read.data
  return {
    status,
    errors,
    type: readPlainText(type),
    title: readPlainText(title),
    detail: readPlainText(detail),
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
    case 'upstream-timeout':
      return new Failure(code, { upstream: { status, instance, traceId }, written: true })
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
