import { Failure } from './failure'
import { isOwnOrigin } from './own-origin'

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
