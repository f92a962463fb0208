import { Failure } from './failure'
import { getDeskOrigin } from './session-cookie'

const loopback = ['127.0.0.1', 'localhost', '[::1]']

/** The origins that are this desk: the configured one and, on loopback, its other names. Never what a request says. */
function listOrigins(): readonly string[] {
  const own = new URL(getDeskOrigin())
  if (!loopback.includes(own.hostname)) return [own.origin]
  return loopback.map((name) => `${own.protocol}//${name}${own.port === '' ? '' : `:${own.port}`}`)
}

let origins: readonly string[] | undefined

/**
 * Makes sure that a request which changes something was sent by this desk's own pages (SE-02): our header,
 * which no form can set and no other origin may; `Origin`, which must be there; and `Sec-Fetch-Site`,
 * which browsers leave out on plain http. Throws Failure 'cross-origin'.
 */
export function assertSameOrigin({ headers }: Request): void {
  origins ??= listOrigins()
  const site = headers.get('sec-fetch-site')
  const proven =
    headers.get('x-debitdesk') === '1' && origins.includes(headers.get('origin') ?? '') && (site === null || site === 'same-origin')
  if (!proven) throw new Failure('cross-origin')
}
