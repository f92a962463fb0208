import NextAuth from 'next-auth'
import { answer } from './answer'
import { type AuthExchange, createAuthOptions } from './auth'
import { readCallbackPath } from './callback-path'
import { Failure } from './failure'
import { isFromOwnOrigin } from './own-origin'
import { peerHeader } from './peer-address'
import { readCookies } from './read-cookies'
import { readForm } from './read-form'
import { getDeskOrigin, getSessionCookies } from './session-cookie'
import { readSessionToken } from './session-token'
import { getSettings } from './settings'

/** All of next-auth that the desk uses; its other doors (OAuth, e-mail links, the client's log) stay shut. */
const doors: Record<string, readonly string[]> = {
  GET: ['csrf', 'session', 'providers', 'signin', 'signin/credentials', 'signout', 'error'],
  POST: ['callback/credentials', 'session', 'signout'],
}

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
 * ApiRequest and calls the methods of Answer, nothing else. Used rather than its handler for route
 * files because that one reads cookies and headers past the request that it is given.
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
  return {
    nextauth: [...path],
    ...(given.has('callbackUrl') && { callbackUrl: readReturn(given.getAll('callbackUrl')) }),
    ...(/^[A-Za-z]{1,40}$/u.test(error) && { error }),
  }
}

async function answerAuth(request: Request, path: readonly string[]): Promise<Response> {
  const { method, headers } = request
  const allow = Object.keys(doors).filter((name) => doors[name]?.includes(path.join('/')))
  if (allow.length === 0) throw new Failure('not-found')
  if (!allow.includes(method)) throw new Failure('method-not-allowed', { allow })
  if (!getSettings().NEXTAUTH_SECRET) throw new Failure('internal', { detail: 'NEXTAUTH_SECRET is not set.' })
  if (method === 'POST' && !isFromOwnOrigin(headers)) throw new Failure('cross-origin')
  const { sessionToken, csrfToken, callbackUrl } = getSessionCookies()
  const cookies = readCookies(headers.get('cookie'), [sessionToken.name, csrfToken.name, callbackUrl.name])
  const returning = cookies[callbackUrl.name]
  if (returning !== undefined) cookies[callbackUrl.name] = readReturn([returning])
  const body = method === 'POST' ? await readForm(request) : {}
  if (body.callbackUrl !== undefined) body.callbackUrl = readReturn([body.callbackUrl])
  const exchange: AuthExchange = {
    peer: headers.get(peerHeader) ?? 'unknown',
    previous: await readSessionToken(cookies[sessionToken.name]),
  }
  const query = readQuery(request, path)
  const response = await callNextAuth({ method, query, cookies, headers: {}, body }, exchange)
  if (exchange.failure) throw exchange.failure
  return response
}

/**
 * Answers `/api/auth/…`: `path` is what follows. Cookies by allow-list, no other header reaches
 * next-auth (no bearer token, no forwarded host); refusals are problem records, never cached.
 */
export function handleAuth(request: Request, path: readonly string[]): Promise<Response> {
  return answer(request, () => answerAuth(request, path))
}
