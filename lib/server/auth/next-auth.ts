import NextAuth, { type AuthOptions } from 'next-auth'
import Credentials from 'next-auth/providers/credentials'
import { readForm } from '../http/request-input'
import { withErrorHandling } from '../http/route-handler'
import { isFromOwnOrigin } from '../http/same-origin'
import { AppError } from '../runtime/app-error'
import { describeError, log } from '../runtime/log'
import { readPeer } from '../runtime/peer-address'
import { getSettings } from '../runtime/settings'
import { requireStore } from '../store/store'
import { parseCallbackPath } from './callback-path'
import { getDeviceCookieName, writeKnownDevice } from './known-device'
import {
  type Claims,
  hasOpenId,
  makeOpenIdProvider,
  providerId,
  readProven,
  readRoles,
  writeEndSession,
} from './openid-provider'
import { signInByProvider } from './openid-sign-in'
import { type GivenTokens, keepProviderTokens, readGivenTokens } from './provider-tokens'
import { absoluteLifetime, getDeskOrigin, getSessionCookies, parseCookies } from './session-cookie'
import { decodeToken, readClaims, readSessionToken, type SessionClaims } from './session-token'
import { readLiveSession } from './sessions'
import { signIn, signOut } from './sign-in'
import { pickMerchant } from './tenant-scope'
import { canonicalEmail } from './users'
import * as refusals from '@/lib/words/refusals'

/** One request to next-auth: what our callbacks need of it, and what went wrong in them, for next-auth swallows that. */
export type AuthExchange = {
  /** The address of the other end of the connection. */
  peer: string
  /** The cookie by which this browser is known again. */
  deviceCookie?: string | undefined
  /** Who has just signed in with a password, in canonical form. */
  known?: string
  /** The sign-in that the request came with; a new one takes its place. */
  previous: SessionClaims | null
  /** The sign-in that the provider's word began. */
  begun?: SessionClaims
  /** Whose sign-in was ended. */
  ended?: string
  failure?: AppError
}

/** What `/api/auth/session` answers about a sign-in; null when it does not hold any more. */
async function describeSession(claims: SessionClaims | null) {
  const live = claims && (await readLiveSession(await requireStore(), claims, new Date()))
  if (!live) return null
  const expires = new Date(live.startedAt.getTime() + absoluteLifetime * 1_000).toISOString()
  return { user: { email: live.email, role: pickMerchant(live, null).role }, expires }
}

/** Keeps what a callback throws on the exchange, then lets it fly on. */
function watch<Input extends unknown[], Output>(exchange: AuthExchange, run: (...input: Input) => Promise<Output>) {
  return async (...input: Input): Promise<Output> => {
    try {
      return await run(...input)
    } catch (error) {
      exchange.failure = error instanceof AppError ? error : new AppError('internal', {}, { cause: error })
      throw error
    }
  }
}

/**
 * next-auth for one request: e-mail and password against the store, or the word of an OpenID provider, and a sealed cookie that names a row of
 * `sessions` and says nothing else. Whatever a client sends to `update` is ignored, for the claims are
 * only ever those of signing in.
 */
export function createAuthOptions(exchange: AuthExchange): AuthOptions {
  const { peer, previous, deviceCookie } = exchange
  const settings = getSettings()
  const tryCredentials = watch(exchange, async (email: string, password: string) => {
    const claims = await signIn(await requireStore(), { email, password, peer, deviceCookie }, previous, new Date())
    if (claims) exchange.known = canonicalEmail(email) ?? email
    return claims
  })
  const endSession = watch(exchange, async (claims: SessionClaims | null) => {
    if (!claims) return
    await signOut(await requireStore(), claims.sid, new Date())
    exchange.ended = claims.sub
  })
  const describe = watch(exchange, describeSession)
  const admit = watch(exchange, async (claims: Claims, tokens: GivenTokens) => {
    const roles = readRoles(claims, settings.OIDC_ROLE_CLAIM)
    return signInByProvider(await requireStore(), { claims, roles, peer, previous }, new Date(), (tx, sessionId) =>
      settings.UPSTREAM_AUTH === 'session' ? keepProviderTokens(tx, sessionId, tokens, new Date()) : Promise.resolve(),
    )
  })
  return {
    secret: settings.NEXTAUTH_SECRET,
    session: { strategy: 'jwt', maxAge: absoluteLifetime },
    jwt: { maxAge: absoluteLifetime, decode: decodeToken },
    cookies: getSessionCookies(),
    useSecureCookies: getDeskOrigin().startsWith('https:'),
    pages: { signIn: '/sign-in', error: '/sign-in', signOut: '/' },
    providers: [
      Credentials({
        name: 'E-mail and password',
        credentials: { email: { label: 'Email' }, password: { label: 'Password', type: 'password' } },
        async authorize(fields) {
          const claims = await tryCredentials(fields?.email ?? '', fields?.password ?? '')
          return claims && { id: claims.sub, sid: claims.sid }
        },
      }),
      ...(hasOpenId(settings) ? [makeOpenIdProvider(settings)] : []),
    ],
    callbacks: {
      async signIn({ account, user }) {
        if (account?.provider !== providerId) return true
        const outcome = await admit(readProven(user), readGivenTokens(account))
        if (typeof outcome === 'string') return `${getDeskOrigin()}/sign-in?error=${outcome}`
        exchange.begun = outcome
        return true
      },
      redirect: ({ url }) => `${getDeskOrigin()}${parseCallbackPath(url, getDeskOrigin())}`,
      jwt: ({ token, user }) => ({ ...(exchange.begun ?? readClaims(user ? { ...user, sub: user.id } : token)) }),
      async session({ token }) {
        const described = await describe(readClaims(token))
        // next-auth takes an exception here as "no session": it answers {} and clears the cookie.
        if (!described) throw new AppError('signed-out')
        return described
      },
    },
    events: { signOut: ({ token }) => endSession(readClaims(token)) },
    logger: {
      error: (code, facts) => log.debug({ event: 'next-auth', code, error: describeError(facts) }, 'next-auth refused'),
      warn: () => undefined,
      debug: () => undefined,
    },
  }
}

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
  return `${getDeskOrigin()}${values.length === 1 ? parseCallbackPath(values[0], getDeskOrigin()) : '/'}`
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
  if (allow.length === 0) throw new AppError('not-found')
  if (!allow.includes(method)) throw new AppError('method-not-allowed', { allow })
  if (!getSettings().NEXTAUTH_SECRET) throw new AppError('internal', { detail: refusals.noSecretIsSet })
  if (method === 'POST' && !isFromOwnOrigin(headers)) throw new AppError('cross-origin')
  const ours = getSessionCookies()
  const { sessionToken, callbackUrl } = ours
  const names = Object.values(ours).map(({ name }) => name)
  const cookies = parseCookies(headers.get('cookie'), names)
  const returning = cookies[callbackUrl.name]
  if (returning !== undefined) cookies[callbackUrl.name] = readReturn([returning])
  const body = method === 'POST' ? await readForm(request) : {}
  if (body.callbackUrl !== undefined) body.callbackUrl = readReturn([body.callbackUrl])
  const exchange: AuthExchange = {
    peer: readPeer(request),
    deviceCookie: parseCookies(headers.get('cookie'), [getDeviceCookieName()])[getDeviceCookieName()],
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
  return withErrorHandling(request, () => answerAuth(request, path))
}
