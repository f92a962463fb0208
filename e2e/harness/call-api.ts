import type { APIRequestContext, APIResponse } from '@playwright/test'

type Options = { method?: string; body?: unknown; headers?: Record<string, string> }

/**
 * Calls the desk's API as its own browser code does: with the header and the origin that prove the same
 * origin, and whatever cookies the context holds.
 */
export function callApi(
  context: APIRequestContext,
  url: string,
  { method = 'GET', body, headers }: Options = {},
): Promise<APIResponse> {
  const proof = { 'x-debitdesk': '1', origin: new URL(url).origin, 'sec-fetch-site': 'same-origin' }
  return context.fetch(url, {
    method,
    maxRedirects: 0,
    headers: { ...proof, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { data: JSON.stringify(body) }),
  })
}
