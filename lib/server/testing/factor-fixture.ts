import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import { POST as beginTotp, PUT as confirmTotp } from '@/app/api/second-factor/totp/route'
import type { RouteHandler } from '../http/route-declaration'
import { type AuthClient, type AuthDesk, testOrigin } from './auth-fixture'

/** The reply of a route; `code` is that of a problem record. */
export async function ask(client: AuthClient, handler: RouteHandler, method: string, body?: unknown, params = {}) {
  const request = new Request(`${testOrigin}/api/x`, {
    method,
    headers: {
      cookie: client.cookieHeader,
      origin: testOrigin,
      'x-debitdesk': '1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const response = await handler(request, { params: Promise.resolve(params) })
  client.keep(response)
  const reply = await response.json()
  return {
    status: response.status,
    code: String(reply.type ?? '')
      .split('/')
      .at(-1),
    body: reply,
  }
}

/** The code that an app shows now, or some steps of 30 seconds later. */
export const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 }).generate({
    timestamp: Date.now() + steps * 30_000,
  })

export type Person = {
  client: AuthClient
  email: string
  userId: string
  secret: string
  codes: string[]
  factorId: string
}

let people = 0

/** A person with an app, signed in. Its next code is `codeOf(secret, 1)`: the present one was used. */
export async function enrol(desk: AuthDesk, role: 'admin' | 'support' = 'support'): Promise<Person> {
  people += 1
  const email = `person${people}@example.com`
  const userId = await desk.addUser(email, role)
  const client = await desk.signIn(email)
  const begun = await ask(client, beginTotp, 'POST')
  const { authenticatorId, secret } = begun.body
  const added = await ask(client, confirmTotp, 'PUT', { authenticatorId, name: 'Phone', code: codeOf(secret) })
  expect(added.status).toBe(200)
  return { client, email, userId, secret, codes: added.body.recoveryCodes, factorId: authenticatorId }
}
