import { getSettings } from '../runtime/settings'

/** Seconds after which a sign-in ends in any case. */
export const absoluteLifetime = 12 * 60 * 60

/** Seconds without a request after which a sign-in ends. */
export const idleLifetime = 30 * 60

/** The desk's public address; redirects and cookies are built from it, never from a request's headers. */
export function getDeskOrigin(): string {
  const { NEXTAUTH_URL, PORT } = getSettings()
  return NEXTAUTH_URL ? new URL(NEXTAUTH_URL).origin : `http://127.0.0.1:${PORT}`
}

/**
 * The names and attributes of the sign-in cookies. With an https address they have the `__Host-` prefix, which ties them
 * to this host: neither sibling hosts nor plain http can set them. Lax rather than Strict, so that links in e-mails open
 * signed in (SE-01).
 */
export function getSessionCookies() {
  const secure = getDeskOrigin().startsWith('https:')
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure } as const
  const named = (name: string) => ({ name: `${secure ? '__Host-' : ''}next-auth.${name}`, options })
  return {
    sessionToken: named('session-token'),
    csrfToken: named('csrf-token'),
    callbackUrl: named('callback-url'),
    // During a sign-in at the provider.
    state: named('state'),
    nonce: named('nonce'),
    pkceCodeVerifier: named('pkce'),
  }
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** The named cookies of a Cookie header (RFC 6265); the first of several with one name counts. */
export function parseCookies(header: string | null, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    if (at > 0 && names.includes(name) && !Object.hasOwn(found, name)) found[name] = decode(pair.slice(at + 1).trim())
  }
  return found
}
