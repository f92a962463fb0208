import { Failure } from './failure'
import { isOwnOrigin } from './own-origin'

/**
 * Makes sure that a read was not sent by another site's page: it cannot see the answer, but a navigation brings the
 * visitor's cookie along, and reads cost work and prolong a sign-in. Another host of the same site is another site here.
 * Throws Failure 'cross-origin'.
 */
export function assertNoOtherSite({ headers }: Request): void {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') throw new Failure('cross-origin')
}

/**
 * The same for a GET that leaves something behind, as a download does that is written down: where the browser says
 * nothing of where it came from (on plain http), our header must be there, or the page that our links name. Throws
 * Failure 'cross-origin'.
 */
export function assertOwnLink(request: Request): void {
  assertNoOtherSite(request)
  const { headers } = request
  if (headers.has('sec-fetch-site') || headers.get('x-debitdesk') === '1') return
  const from = headers.get('referer') ?? ''
  if (!URL.canParse(from) || !isOwnOrigin(new URL(from).origin)) throw new Failure('cross-origin')
}

/**
 * Makes sure that a request which changes something was sent by this desk's own pages (SE-02): our header,
 * which no form can set and no other origin may; `Origin`, which must be there; and `Sec-Fetch-Site`,
 * which browsers leave out on plain http. Throws Failure 'cross-origin'.
 */
export function assertSameOrigin({ headers }: Request): void {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isProven =
    headers.get('x-debitdesk') === '1' &&
    origin !== null &&
    isOwnOrigin(origin) &&
    (site === null || site === 'same-origin')
  if (!isProven) throw new Failure('cross-origin')
}
