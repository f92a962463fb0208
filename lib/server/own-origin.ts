import { getDeskOrigin } from './session-cookie'

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
