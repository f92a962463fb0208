import { getSettings } from '../runtime/settings'

/** After this long a sign-in ends whatever happens, in seconds. */
export const absoluteLifetime = 12 * 60 * 60

/** After this long without a request a sign-in ends, in seconds. */
export const idleLifetime = 30 * 60

/** The address people reach the desk at; redirects and cookies are built from it, never from a request's headers. */
export function getDeskOrigin(): string {
  const { NEXTAUTH_URL, PORT } = getSettings()
  return NEXTAUTH_URL ? new URL(NEXTAUTH_URL).origin : `http://127.0.0.1:${PORT}`
}

/**
 * The names and attributes of the cookies of signing in. With an https address they carry the
 * `__Host-` prefix, which ties them to this host: no sibling host and no plain http can plant them.
 * Lax, not Strict, so that a link from an e-mail opens signed in (SE-01).
 */
export function getSessionCookies() {
  const secure = getDeskOrigin().startsWith('https:')
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure } as const
  const named = (name: string) => ({ name: `${secure ? '__Host-' : ''}next-auth.${name}`, options })
  return {
    sessionToken: named('session-token'),
    csrfToken: named('csrf-token'),
    callbackUrl: named('callback-url'),
    // Of a sign-in at the provider that is under way.
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

/** The cookies of these names from a Cookie header (RFC 6265); of several with one name, the first counts. */
export function parseCookies(header: string | null, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    if (at > 0 && names.includes(name) && !Object.hasOwn(found, name)) found[name] = decode(pair.slice(at + 1).trim())
  }
  return found
}
