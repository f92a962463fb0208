import type { IncomingMessage } from 'node:http'
import { isDecodable } from '@/lib/domain/page-address'
import {
  addressIsNotPlain,
  hostIsNamedTwice,
  onlyHttp1IsSpoken,
  pagesTakeOnlyForms,
  pathDoesNotDecode,
  pathsEndWithoutASlash,
} from '@/lib/words/refusals'
import { AppError } from '../runtime/app-error'
import { routeMethods } from './route-declaration'

const dotSegment = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?=$|[/\\;]|%2f|%5c)/iu

/** Addresses of data, which are no pages. */
const data = /^\/(?:api|hooks)(?:\/|$)/u

/** Whether a path leads to data that it does not name: spelled with escapes, or by the address that Next has for the data of pages. */
function leadsAround(path: string): boolean {
  if (!isDecodable(path)) return false
  const meant = decodeURIComponent(path)
  return meant.startsWith('/_next/data/') || data.test(meant) !== data.test(path)
}

/**
 * Whether a request target, as it stood on the wire, may be handed on. Once parsed as a URL, dot segments
 * have been resolved and slashes merged, and a path parameter would name another endpoint than the one
 * that was written (BF-01): what is not in its plain form already is refused, never mended.
 */
export function isPlainTarget(target: string): boolean {
  const path = target.split('?', 1)[0] ?? ''
  // Fragments are never sent (RFC 9112, 3.2); Next would cut one off.
  if (target.includes('#')) return false
  if (!path.startsWith('/') || path.startsWith('//') || path.includes('\\') || dotSegment.test(path)) return false
  if (leadsAround(path)) return false
  return !path.startsWith('/api/') || !path.includes('//')
}

const pageMethods = ['GET', 'HEAD'] as const

/** Asks a route, and not Next, about a method that nothing here knows: each refuses OPTIONS, and names those that it takes. */
function refuseByRoute(request: IncomingMessage): void {
  request.method = 'OPTIONS'
}

/** Node keeps the first of several Host headers, while a proxy in front may have gone by the last. */
function namesHostTwice({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length > 1
}

/** Bytes of a page's body: the fields of a form that is sent before the page's script works. Less than is waited for (see PeerQueue). */
const mostOfPage = 8_192
const isDevelopment = process.env.NODE_ENV === 'development'

/** Next writes a line of its own for each body of a page that breaks off. In development its overlay sends more. */
function carriesTooMuch({ headers }: IncomingMessage): boolean {
  const isLong = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > mostOfPage
  return isLong && !isDevelopment
}

/**
 * Why a request is refused before Next sees it: what Next would read in another way than it was written, or answer with
 * 500 (BF-02, BF-06, BF-07). Null for all others; who may do what is decided by pages and handlers.
 */
export function findRefusal(request: IncomingMessage): AppError | null {
  const { method, url = '' } = request
  // Node takes 0.9 and 2.0 for 1.1, which a proxy in front does not.
  if (!['1.0', '1.1'].includes(request.httpVersion)) return new AppError('bad-request', { detail: onlyHttp1IsSpoken })
  if (namesHostTwice(request)) return new AppError('bad-request', { detail: hostIsNamedTwice })
  if (!isPlainTarget(url)) return new AppError('bad-request', { detail: addressIsNotPlain })
  const path = url.split('?', 1)[0] ?? ''
  if (!isDecodable(path)) return new AppError('bad-request', { detail: pathDoesNotDecode })
  // Next would lead on to the address without the slash, which is another one.
  if (path.startsWith('/api/') && path.endsWith('/'))
    return new AppError('not-found', { detail: pathsEndWithoutASlash })
  if (!data.test(path) && carriesTooMuch(request)) return new AppError('too-large', { detail: pagesTakeOnlyForms })
  if (routeMethods.some((known) => known === method)) return null
  if (!data.test(path)) return new AppError('method-not-allowed', { allow: [...pageMethods] })
  refuseByRoute(request)
  return null
}
