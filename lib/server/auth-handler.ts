import NextAuth from 'next-auth'
import { answer } from './answer'
import { type AuthExchange, createAuthOptions } from './auth'
import { readCallbackPath } from './callback-path'
import { Failure } from './failure'
import { hasOpenId, providerId } from './openid/openid-provider'
import { writeEndSession } from './openid/write-end-session'
import { isFromOwnOrigin } from './own-origin'
import { getDeviceCookieName, writeKnownDevice } from './known-device'
import { readPeer } from './peer-address'
import { readCookies } from './read-cookies'
import { readForm } from './read-form'
import { getDeskOrigin, getSessionCookies } from './session-cookie'
import { readSessionToken } from './session-token'
import { getSettings } from './settings'
import * as refusals from '@/lib/words/refusals'

/** All of next-auth that the desk uses; its other doors (other providers, e-mail links, the client's log) stay shut. */
function listDoors(): Record<string, readonly string[]> {
  const isOpen = hasOpenId(getSettings())
  return {
    GET: [
      'csrf',
      'session',
      'providers',
      'signin',
      'signin/credentials',
      'signout',
      'error',
      ...(isOpen ? [`callback/${providerId}`] : []),
    ],
    POST: ['callback/credentials', 'session', 'signout', ...(isOpen ? [`signin/${providerId}`] : [])],
  }
}

/** What a provider sends back with somebody (RFC 6749, RFC 9207). */
const returned = ['code', 'state', 'iss', 'error', 'session_state'] as const
const longestReturned = 4_096

type ApiRequest = {
  method: string
  query: Record<string, string | string[]>
  cookies: Record<string, string>
  headers: Record<string, string>
  body: Record<string, string>
}

/** What next-auth writes its answer into: the part of Node's response that it uses. */
class Answer {
  readonly #headers = new Headers()
  #status = 200
  #body: string | null = null

  status(status: number): this {
    this.#status = status
    return this
  }

  getHeader(name: string): string[] | string | undefined {
    return name === 'Set-Cookie' ? this.#headers.getSetCookie() : (this.#headers.get(name) ?? undefined)
  }

  setHeader(name: string, value: string | readonly string[]): this {
    this.#headers.delete(name)
    for (const one of typeof value === 'string' ? [value] : value) this.#headers.append(name, one)
    return this
  }

  json(body: unknown): void {
    this.setHeader('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
  }

  send(body: unknown): void {
    this.#body = typeof body === 'string' ? body : JSON.stringify(body ?? {})
  }

  end(): void {
    this.#body = null
  }

  toResponse(): Response {
    return new Response(this.#body, { status: this.#status, headers: this.#headers })
  }
}

/**
 * next-auth's handler for Node-style requests, which it types as `any`: it reads the members of
 * ApiRequest and calls the methods of Answer, nothing else. Its handler for route files, which its documentation
 * shows (`export { handler as GET, handler as POST }`), takes cookies and headers from `next/headers`, past the request
 * that it is given. They could not be handed on by allow-list, of two cookies of one name it would take the last where
 * a session is read from the first, and without a running Next it throws. `next-auth/core`, which takes and answers
 * plain values, is not exported.
 */
async function callNextAuth(request: ApiRequest, exchange: AuthExchange): Promise<Response> {
  const handler = NextAuth(createAuthOptions(exchange)) as (request: ApiRequest, answer: Answer) => Promise<void>
  const answer = new Answer()
  await handler(request, answer)
  return answer.toResponse()
}

/** An address to return to, as next-auth expects it; whatever is not on this desk means home. */
function readReturn(values: readonly string[]): string {
  return `${getDeskOrigin()}${values.length === 1 ? readCallbackPath(values[0], getDeskOrigin()) : '/'}`
}

function readQuery(request: Request, path: readonly string[]): ApiRequest['query'] {
  const given = new URL(request.url).searchParams
  const error = given.get('error') ?? ''
  if (path.join('/') === `callback/${providerId}`) {
    const told = returned.flatMap((name) => {
      const values = given.getAll(name)
      // One that comes twice is nobody's word.
      return values.length === 1 && (values[0] ?? '').length <= longestReturned ? [[name, values[0] ?? '']] : []
    })
    return { nextauth: [...path], ...Object.fromEntries(told) }
  }
  if (path.join('/') === `signin/${providerId}`) {
    // Who must prove anew that it is them is asked by the provider, whatever it remembers.
    return { nextauth: [...path], ...(given.get('prompt') === 'login' && { prompt: 'login', max_age: '0' }) }
  }
  return {
    nextauth: [...path],
    ...(given.has('callbackUrl') && { callbackUrl: readReturn(given.getAll('callbackUrl')) }),
    ...(/^[A-Za-z]{1,40}$/u.test(error) && { error }),
  }
}

async function answerAuth(request: Request, path: readonly string[]): Promise<Response> {
  const { method, headers } = request
  const doors = listDoors()
  const allow = Object.keys(doors).filter((name) => doors[name]?.includes(path.join('/')))
  if (allow.length === 0) throw new Failure('not-found')
  if (!allow.includes(method)) throw new Failure('method-not-allowed', { allow })
  if (!getSettings().NEXTAUTH_SECRET) throw new Failure('internal', { detail: refusals.noSecretIsSet })
  if (method === 'POST' && !isFromOwnOrigin(headers)) throw new Failure('cross-origin')
  const ours = getSessionCookies()
  const { sessionToken, callbackUrl } = ours
  const names = Object.values(ours).map(({ name }) => name)
  const cookies = readCookies(headers.get('cookie'), names)
  const returning = cookies[callbackUrl.name]
  if (returning !== undefined) cookies[callbackUrl.name] = readReturn([returning])
  const body = method === 'POST' ? await readForm(request) : {}
  if (body.callbackUrl !== undefined) body.callbackUrl = readReturn([body.callbackUrl])
  const exchange: AuthExchange = {
    peer: readPeer(request),
    deviceCookie: readCookies(headers.get('cookie'), [getDeviceCookieName()])[getDeviceCookieName()],
    previous: await readSessionToken(cookies[sessionToken.name]),
  }
  const query = readQuery(request, path)
  const response = await callNextAuth({ method, query, cookies, headers: {}, body }, exchange)
  if (exchange.failure) throw exchange.failure
  // Whoever comes next at this computer finds nothing kept; the built files are fetched anew, at their next sign-in.
  if (method === 'POST' && path[0] === 'signout') response.headers.set('clear-site-data', '"cache", "storage"')
  if (exchange.known !== undefined)
    response.headers.append('set-cookie', writeKnownDevice(exchange.deviceCookie, exchange.known))
  const hasLeft = path.join('/') === 'signout' && exchange.ended !== undefined
  const leave = hasLeft && exchange.ended ? await writeEndSession(exchange.ended) : null
  if (leave === null) return response
  // The cookies that next-auth takes away go with it.
  const answered = Response.json({ url: `${getDeskOrigin()}/sign-in`, leave })
  for (const line of response.headers.getSetCookie()) answered.headers.append('set-cookie', line)
  return answered
}

/**
 * Answers `/api/auth/…`: `path` is what follows. Cookies by allow-list, no other header reaches
 * next-auth (no bearer token, no forwarded host); refusals are problem records, never cached.
 */
export function handleAuth(request: Request, path: readonly string[]): Promise<Response> {
  return answer(request, () => answerAuth(request, path))
}
