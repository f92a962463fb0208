import type { Problem } from '@/lib/api-contract/problem'
import { type AppError, errorStatuses, errorTitles } from '../runtime/app-error'

const typeBase = 'https://debitdesk.example/problems/'

/**
 * A failure as a problem record (RFC 9457), media type `application/problem+json`. The code is the last segment of
 * `type`, the request id is `instance`, and the service's own problem is `upstream`.
 */
export function createProblemResponse({ code, evidence }: AppError, requestId: string): Response {
  const status = errorStatuses[code]
  const { detail, errors, upstream, extensions, retryAfter, allow } = evidence
  const problem: Problem = {
    ...extensions,
    type: `${typeBase}${code}`,
    title: errorTitles[code](),
    status,
    ...(detail !== undefined && { detail }),
    instance: requestId,
    ...(errors && { errors }),
    ...(upstream && { upstream }),
    ...(retryAfter !== undefined && { retryAfter }),
  }
  const headers = new Headers({ 'content-type': 'application/problem+json; charset=utf-8' })
  if (retryAfter !== undefined) headers.set('retry-after', String(retryAfter))
  // RFC 6750, section 3: how a client with a token may prove itself.
  if (code === 'token-invalid') headers.set('www-authenticate', 'Bearer error="invalid_token"')
  if (allow) headers.set('allow', allow.join(', '))
  return new Response(JSON.stringify(problem), { status, headers })
}
