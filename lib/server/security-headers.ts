import { getDeskOrigin } from './session-cookie'

const isDevelopment = process.env.NODE_ENV === 'development'

/**
 * The policy of a page: only what carries this request's nonce runs, nothing comes from elsewhere, nobody
 * frames us. Style attributes are allowed, for server-rendered rows carry their place in one. In
 * development Next's overlay inserts styles and evaluates code.
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
  ].join('; ')
}

/** The policy of everything that is no page: it may do nothing, wherever it is opened. */
export const dataPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox"

/** Puts on a reply what every reply of the desk carries beside its policy. */
export function addSecurityHeaders(headers: Headers): void {
  headers.set('x-content-type-options', 'nosniff')
  headers.set('referrer-policy', 'no-referrer')
  headers.set('cross-origin-opener-policy', 'same-origin')
  headers.set('cross-origin-resource-policy', 'same-origin')
  headers.set('x-frame-options', 'DENY')
  headers.set('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()')
  if (getDeskOrigin().startsWith('https:')) headers.set('strict-transport-security', 'max-age=31536000')
}
