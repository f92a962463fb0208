import { getSettings } from '../runtime/settings'

/** Seconds after which a sign-in ends in any case. */
export const absoluteLifetime = 12 * 60 * 60

/** Seconds without a request after which a sign-in ends. */
export const idleLifetime = 30 * 60

/** The desk's public address; redirects and cookies are built from it, never from a request's headers. */
export function getDeskOrigin(): string {
  return new URL(getSettings().NEXTAUTH_URL).origin
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
