import { getDeskOrigin } from '../auth/session-cookie'
import { AppError } from '../runtime/app-error'

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/** Whether an origin is the desk's own. On loopback its other names count too: people type them. */
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
 * Whether a request that changes something can have come from a page of this desk: browsers say where
 * it came from in Sec-Fetch-Site and Origin, and neither can be forged by a page. A client that says
 * nothing is no browser, and has no cookies but its own (SE-02, SE-03).
 */
export function isFromOwnOrigin(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') return false
  const origin = headers.get('origin')
  return origin === null || isOwnOrigin(origin)
}

/**
 * Makes sure that a read was not sent by another site's page: it cannot see the answer, but a navigation brings the
 * visitor's cookie along, and reads cost work and prolong a sign-in. Another host of the same site is another site here.
 * Throws AppError 'cross-origin'.
 */
export function assertNoOtherSite({ headers }: Request): void {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') throw new AppError('cross-origin')
}

/**
 * The same for a GET that leaves something behind, as a download does that is written down: where the browser says
 * nothing of where it came from (on plain http), our header must be there, or the page that our links name. Throws
 * AppError 'cross-origin'.
 */
export function assertOwnLink(request: Request): void {
  assertNoOtherSite(request)
  const { headers } = request
  if (headers.has('sec-fetch-site') || headers.get('x-debitdesk') === '1') return
  const from = headers.get('referer') ?? ''
  if (!URL.canParse(from) || !isOwnOrigin(new URL(from).origin)) throw new AppError('cross-origin')
}

/**
 * Makes sure that a request which changes something was sent by this desk's own pages (SE-02): our header,
 * which no form can set and no other origin may; `Origin`, which must be there; and `Sec-Fetch-Site`,
 * which browsers leave out on plain http. Throws AppError 'cross-origin'.
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
