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
