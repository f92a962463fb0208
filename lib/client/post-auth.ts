/**
 * Posts to next-auth: fetches its token against forged requests, then sends the fields beside it as a
 * form. Answers whatever came; throws what fetch throws when the desk cannot be reached.
 */
export async function postAuth(
  action: 'callback/credentials' | 'signin/oidc' | 'signin/oidc?prompt=login' | 'signout',
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
