import { getDeskOrigin } from '../auth/session-cookie'
import { AppError } from '../runtime/app-error'

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/** Whether an origin is the desk's own. On loopback its aliases count too, since people type them. */
export function isOwnOrigin(origin: string): boolean {
  const desk = new URL(getDeskOrigin())
  if (origin === desk.origin) return true
  if (!loopbackNames.includes(desk.hostname) || !URL.canParse(origin)) return false
  const given = new URL(origin)
  return loopbackNames.some((name) => {
    const alias = new URL(desk)
    alias.hostname = name
    return given.origin === alias.origin && origin === given.origin
  })
}

/**
 * Whether a request that changes something can come from a page of this desk: browsers report its origin in
 * Sec-Fetch-Site and Origin, which pages cannot forge. A client that sends neither is no browser and has no user's
 * cookies (SE-02, SE-03).
 */
export function isFromOwnOrigin(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') return false
  const origin = headers.get('origin')
  return origin === null || isOwnOrigin(origin)
}

/**
 * Refuses reads sent by another site's page: it cannot see the reply, but a navigation carries the visitor's cookie, costs
 * work and prolongs the session. Another host of the same site counts as another site. Throws AppError 'cross-origin'.
 */
export function assertNoOtherSite({ headers }: Request): void {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') throw new AppError('cross-origin')
}

/**
 * The same for a GET with side effects, such as a logged download: where the browser doesn't report the origin (on plain
 * http), it needs our header or one of our pages as the referrer. Throws AppError 'cross-origin'.
 */
export function assertOwnLink(request: Request): void {
  assertNoOtherSite(request)
  const { headers } = request
  if (headers.has('sec-fetch-site') || headers.get('x-debitdesk') === '1') return
  const from = headers.get('referer') ?? ''
  if (!URL.canParse(from) || !isOwnOrigin(new URL(from).origin)) throw new AppError('cross-origin')
}

/**
 * Refuses requests that change something unless sent by the desk's own pages (SE-02): they need our header, which forms
 * and other origins cannot set, `Origin`, and `Sec-Fetch-Site`, which browsers omit on plain http. Throws AppError
 * 'cross-origin'.
 */
export function assertSameOrigin({ headers }: Request): void {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isProven =
    headers.get('x-debitdesk') === '1' &&
    origin !== null &&
    isOwnOrigin(origin) &&
    (site === null || site === 'same-origin')
  if (!isProven) throw new AppError('cross-origin')
}
