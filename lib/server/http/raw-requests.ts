import type { IncomingMessage } from 'node:http'
import { isDecodable } from '@/lib/domain/page-address'
import { AppError } from '../runtime/app-error'
import { routeMethods } from './route-declaration'
import * as m from '@/lib/messages/m'

const dotSegment = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?=$|[/\\;]|%2f|%5c)/iu

/** Paths of data rather than pages. */
const dataPath = /^\/(?:api|hooks)(?:\/|$)/u

/** Whether a decoded path leads to data that its raw spelling doesn't, or is Next's own address for page data. */
function isDisguised(path: string): boolean {
  if (!isDecodable(path)) return false
  const decoded = decodeURIComponent(path)
  return decoded.startsWith('/_next/data/') || dataPath.test(decoded) !== dataPath.test(path)
}

/**
 * Whether a raw request target may be passed on. Parsing it as a URL resolves dot segments and merges slashes, so that a
 * path parameter could name another endpoint (BF-01): targets not in canonical form are refused, never corrected.
 */
export function isPlainTarget(target: string): boolean {
  const path = target.split('?', 1)[0] ?? ''
  // Clients never send fragments (RFC 9112, 3.2); Next would drop one.
  if (target.includes('#')) return false
  if (!path.startsWith('/') || path.startsWith('//') || path.includes('\\') || dotSegment.test(path)) return false
  if (isDisguised(path)) return false
  return !path.startsWith('/api/') || !path.includes('//')
}

const pageMethods = ['GET', 'HEAD'] as const

/** Lets the route answer an unknown method instead of Next: every route refuses OPTIONS and lists its methods. */
function refuseByRoute(request: IncomingMessage): void {
  request.method = 'OPTIONS'
}

/** Node keeps the first of several Host headers, a proxy in front may use the last. */
function namesHostTwice({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length > 1
}

/** The fields of a form submitted before the page's script has loaded. Less than is buffered (see PeerQueue). */
const MAX_PAGE_BODY_BYTES = 8_192
const isDevelopment = process.env.NODE_ENV === 'development'

/** Next logs a line for each aborted body of a page. In development its overlay sends larger ones. */
function carriesTooMuch({ headers }: IncomingMessage): boolean {
  const isLong =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_PAGE_BODY_BYTES
  return isLong && !isDevelopment
}

/**
 * Why a request is refused before Next sees it: Next would interpret it differently from how it was written, or answer
 * with 500 (BF-02, BF-06, BF-07). Null for all others; permissions are checked by pages and handlers.
 */
export function findRefusal(request: IncomingMessage): AppError | null {
  const { method, url = '' } = request
  // Node accepts 0.9 and 2.0 as 1.1, a proxy in front may not.
  if (!['1.0', '1.1'].includes(request.httpVersion))
    return new AppError('bad-request', { detail: m.refusals_onlyHttp1IsSpoken() })
  if (namesHostTwice(request)) return new AppError('bad-request', { detail: m.refusals_hostIsNamedTwice() })
  if (!isPlainTarget(url)) return new AppError('bad-request', { detail: m.refusals_addressIsNotPlain() })
  const path = url.split('?', 1)[0] ?? ''
  if (!isDecodable(path)) return new AppError('bad-request', { detail: m.refusals_pathDoesNotDecode() })
  // Next would redirect to the address without the slash, which is a different one.
  if (path.startsWith('/api/') && path.endsWith('/'))
    return new AppError('not-found', { detail: m.refusals_pathsEndWithoutASlash() })
  if (!dataPath.test(path) && carriesTooMuch(request))
    return new AppError('too-large', { detail: m.refusals_pagesTakeOnlyForms() })
  if (routeMethods.some((known) => known === method)) return null
  if (!dataPath.test(path)) return new AppError('method-not-allowed', { allow: [...pageMethods] })
  refuseByRoute(request)
  return null
}
