import { getDeskOrigin } from '../auth/session-cookie'
import { getSettings } from '../runtime/settings'

const isDevelopment = process.env.NODE_ENV === 'development'

/**
 * The content security policy of a page: only scripts with this request's nonce run, nothing loads from elsewhere, no
 * framing; violations are reported to the log (XS-05). Style attributes are allowed because server-rendered rows carry
 * their position in one. In development Next's overlay inserts styles and evaluates code.
 */
export function buildPagePolicy(nonce: string): string {
  const styles = isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}'`
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' ${styles}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${isDevelopment ? ' ws:' : ''}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    'report-uri /api/policy-reports',
  ].join('; ')
}

const nonPagePaths = ['/_next/static/', '/api/', '/hooks/']

/** Whether a request target is a built file or data rather than a page. */
export function isNoPage(target: string): boolean {
  return nonPagePaths.some((path) => target.startsWith(path))
}

/** The policy of everything that isn't a page: nothing is allowed, wherever it is opened. */
export const dataPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox"

/** The headers every reply carries besides its policy. */
export function listSecurityHeaders(): [name: string, value: string][] {
  const isSecure = getDeskOrigin().startsWith('https:')
  const transport = `max-age=31536000${getSettings().HSTS_SUBDOMAINS === 'yes' ? '; includeSubDomains' : ''}`
  return [
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'no-referrer'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['x-frame-options', 'DENY'],
    ['permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()'],
    ...(isSecure ? [['strict-transport-security', transport] satisfies [string, string]] : []),
  ]
}
