/**
 * Posts to next-auth with its CSRF token. Returns any reply; throws what fetch throws when the server is unreachable.
 */
export async function postAuth(
  action: 'callback/credentials' | 'callback/passkey' | 'signin/oidc' | 'signin/oidc?prompt=login' | 'signout',
  fields: Record<string, string> = {},
): Promise<Response> {
  const token: { csrfToken?: string } = await (await fetch('/api/auth/csrf', { cache: 'no-store' })).json()
  return fetch(`/api/auth/${action}`, {
    method: 'POST',
    headers: { 'x-debitdesk': '1' },
    body: new URLSearchParams({ ...fields, csrfToken: token.csrfToken ?? '', json: 'true' }),
    cache: 'no-store',
  })
}

/** What next-auth answers: the way on. A sign-out at an OpenID provider's desk says where to `leave` for, to end that too. */
type AuthReply = { url: string; leave?: string }

/**
 * Reads a reply of `postAuth`; null for a refusal. next-auth answers 200, with one of its own addresses, also where its
 * CSRF token doesn't match.
 */
export async function readAuthReply(response: Response | null): Promise<AuthReply | null> {
  if (!response?.ok) return null
  const { url, leave }: Partial<AuthReply> = await response.json().catch(() => ({}))
  if (url === undefined || new URL(url).pathname.startsWith('/api/auth/')) return null
  return { url, ...(leave !== undefined && { leave }) }
}
