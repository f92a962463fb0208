import type { LinkFacts } from '@/lib/contract/team'
import { makeRefusal } from './call'
import { CallError } from './call-error'

async function send(method: 'POST' | 'PUT', body: Record<string, string>): Promise<unknown> {
  const headers = { 'x-debitdesk': '1', 'content-type': 'application/json' }
  const response = await fetch('/api/password-link', {
    method,
    headers,
    body: JSON.stringify(body),
    redirect: 'error',
    cache: 'no-store',
  }).catch((cause: unknown) => {
    throw new CallError(0, 'desk-unreachable', null, null, { cause })
  })
  const json: unknown = await response.json().catch(() => null)
  if (!response.ok) throw makeRefusal(response, json)
  return json
}

/** What the link of this secret is for. Throws CallError `not-found` where it does not hold. */
export async function lookAtLink(secret: string): Promise<LinkFacts> {
  return (await send('POST', { secret })) as LinkFacts
}

/** Sets the password and uses the link up. Throws CallError. */
export async function acceptLink(secret: string, password: string): Promise<void> {
  await send('PUT', { secret, password })
}
