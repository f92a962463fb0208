import { reportFailure, withErrorHandling } from '../http/route-handler'
import NextAuth, { type AuthOptions } from 'next-auth'
import Credentials from 'next-auth/providers/credentials'
import { readForm } from '../http/request-input'
import { assertNoOtherSite, isFromOwnOrigin } from '../http/same-origin'
import { AppError } from '../runtime/app-error'
import { describeError, log } from '../runtime/log'
import { readPeer } from '../runtime/peer-address'
import type { RequestContext } from '../runtime/request-context'
import { getSettings } from '../runtime/settings'
import { requireStore } from '../store/store'
import { buildSignInUrl, parseCallbackPath } from './callback-path'
import { readDeviceCookie, writeKnownDevice } from './known-device'
import {
  type Claims,
  hasOpenId,
  makeOpenIdProvider,
  providerId,
  getVerifiedClaims,
  readRoles,
  buildEndSessionUrl,
} from './openid-provider'
import { signInByProvider } from './openid-sign-in'
import { type GivenTokens, keepProviderTokens, readGivenTokens } from './provider-tokens'
import { absoluteLifetime, getDeskOrigin, getSessionCookies } from './session-cookie'
import { parseCookies } from '../http/cookies'
import { decodeToken, findCsrfSecret, parseClaims, readSessionToken, type SessionClaims } from './session-token'
import { getFactorDue, readLiveSession } from './sessions'
import { signIn, signInWithPasskey, signOut } from './sign-in'
import { pickMerchant } from './tenant-scope'
import { type Account, findAccountById } from './users'
import * as m from '@/lib/messages/m'

/** One request to next-auth: the input of our callbacks and their outcome, including errors, which next-auth swallows. */
export type AuthExchange = {
  /** The client's address. */
  peer: string
  /** The cookie that recognises this browser. */
  deviceCookie?: string | undefined
  /** The cookie by which next-auth knows its own forms. */
  csrfCookie?: string | undefined
  /** Where the sign-in is to lead, as the browser's cookie has it. */
  returnUrl?: string | undefined
  /** Who just signed in. */
  known?: Account
  /** The sign-in that came with the request, replaced by a new one. */
  previous: SessionClaims | null
  /** The sign-in started through the provider. */
  begun?: SessionClaims
  /** The user whose sign-in ended. */
  ended?: string
  /** Whether the sign-in that came with the request waits for its second factor. */
  isPending?: boolean
  failure?: AppError
}

/** The reply of `/api/auth/session`, which prolongs nothing; null when the sign-in is no longer valid, or not yet. */
async function describeSession(exchange: AuthExchange, claims: SessionClaims | null) {
  const live =
    claims && (await readLiveSession(await requireStore(), claims, new Date(), { pending: true, quiet: true }))
  exchange.isPending = live !== null && getFactorDue(live) !== null
  if (!live || exchange.isPending) return null
  const expires = new Date(live.startedAt.getTime() + absoluteLifetime * 1_000).toISOString()
  return { user: { email: live.email, role: pickMerchant(live, null).role }, expires }
}

/** Makes the browser known to an account that is signed in; not by the password alone where a factor is still lacking. */
async function recogniseBrowser(exchange: AuthExchange, claims: SessionClaims | null): Promise<void> {
  const live = claims && (await readLiveSession(await requireStore(), claims, new Date()))
  const account = live && (await findAccountById(await requireStore(), live.userId))
  if (account) exchange.known = account
}

/** Records errors thrown by a callback on the exchange and rethrows them. */
function recordFailure<Input extends unknown[], Output>(
  exchange: AuthExchange,
  run: (...input: Input) => Promise<Output>,
) {
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
 * The options of next-auth for one request: sign-in by e-mail and password or through an OpenID provider, and an
 * encrypted cookie that only names a row of `sessions`. Data passed to `update` is ignored, since claims are only
 * created when signing in.
 */
export function createAuthOptions(exchange: AuthExchange): AuthOptions {
  const { peer, previous, deviceCookie } = exchange
  const settings = getSettings()
  const tryCredentials = recordFailure(exchange, async (email: string, password: string) => {
    const claims = await signIn(await requireStore(), { email, password, peer, deviceCookie }, previous, new Date())
    await recogniseBrowser(exchange, claims)
    return claims
  })
  const tryPasskey = recordFailure(exchange, async (answer: string) => {
    const claims = await signInWithPasskey(await requireStore(), { answer, peer, deviceCookie }, previous, new Date())
    await recogniseBrowser(exchange, claims)
    return claims
  })
  const endSession = recordFailure(exchange, async (claims: SessionClaims | null) => {
    if (!claims) return
    await signOut(await requireStore(), claims.sid, new Date())
    exchange.ended = claims.sub
  })
  const describe = recordFailure(exchange, describeSession)
  const signInWithClaims = recordFailure(exchange, async (claims: Claims, tokens: GivenTokens) => {
    const roles = readRoles(claims, settings.OIDC_ROLE_CLAIM)
    return signInByProvider(await requireStore(), { claims, roles, peer, previous }, new Date(), (tx, sessionId) =>
      settings.UPSTREAM_AUTH === 'session' ? keepProviderTokens(tx, sessionId, tokens, new Date()) : Promise.resolve(),
    )
  })
  return {
    // Verifies the CSRF cookie alone; all tokens are made with the one below.
    secret: findCsrfSecret(exchange.csrfCookie),
    session: { strategy: 'jwt', maxAge: absoluteLifetime },
    jwt: { secret: settings.NEXTAUTH_SECRET, maxAge: absoluteLifetime, decode: decodeToken },
    cookies: getSessionCookies(),
    useSecureCookies: getDeskOrigin().startsWith('https:'),
    pages: { signIn: '/sign-in', error: '/sign-in', signOut: '/' },
    providers: [
      ...(settings.PASSWORDS === 'off'
        ? []
        : [
            Credentials({
              name: 'E-mail and password',
              credentials: { email: { label: 'Email' }, password: { label: 'Password', type: 'password' } },
              async authorize(fields) {
                const claims = await tryCredentials(fields?.email ?? '', fields?.password ?? '')
                return claims && { id: claims.sub, sid: claims.sid }
              },
            }),
          ]),
      Credentials({
        id: 'passkey',
        name: 'Passkey',
        credentials: { answer: { label: 'Answer' } },
        async authorize(fields) {
          const claims = await tryPasskey(fields?.answer ?? '')
          return claims && { id: claims.sub, sid: claims.sid }
        },
      }),
      ...(hasOpenId(settings) ? [makeOpenIdProvider(settings)] : []),
    ],
    callbacks: {
      async signIn({ account, user }) {
        if (account?.provider !== providerId) return true
        const outcome = await signInWithClaims(getVerifiedClaims(user), readGivenTokens(account))
        if (typeof outcome === 'string') return buildSignInUrl(outcome, exchange.returnUrl, getDeskOrigin())
        exchange.begun = outcome
        return true
      },
      redirect: ({ url }) => `${getDeskOrigin()}${parseCallbackPath(url, getDeskOrigin())}`,
      jwt: ({ token, user }) => ({ ...(exchange.begun ?? parseClaims(user ? { ...user, sub: user.id } : token)) }),
      async session({ token }) {
        const described = await describe(exchange, parseClaims(token))
        // next-auth treats an exception as "no session": it answers {} and clears the cookie.
        if (!described) throw new AppError('signed-out')
        return described
      },
    },
    events: { signOut: ({ token }) => endSession(parseClaims(token)) },
    logger: {
      error: (code, metadata) =>
        log.debug({ event: 'next-auth', code, error: describeError(metadata) }, 'next-auth refused'),
      warn: () => undefined,
      debug: () => undefined,
    },
  }
}

/** The next-auth endpoints the desk uses; all others (other providers, e-mail links, client logging) are disabled. */
function listEndpoints(): Record<string, readonly string[]> {
  const settings = getSettings()
  const usesOpenId = hasOpenId(settings)
  return {
    GET: [
      'csrf',
      'session',
      'providers',
      'signin',
      ...(settings.PASSWORDS === 'off' ? [] : ['signin/credentials']),
      'signout',
      'error',
      ...(usesOpenId ? [`callback/${providerId}`] : []),
    ],
    POST: [
      ...(settings.PASSWORDS === 'off' ? [] : ['callback/credentials']),
      'callback/passkey',
      'session',
      'signout',
      ...(usesOpenId ? [`signin/${providerId}`] : []),
    ],
  }
}

/** What pages read. The others are opened: by the provider's redirects, links and next-auth's own. */
const reads = ['csrf', 'session', 'providers']

/** Parameters a provider returns (RFC 6749, RFC 9207). */
const callbackParameters = ['code', 'state', 'iss', 'error', 'session_state'] as const
const MAX_PARAMETER_LENGTH = 4_096

/** What a browser clears for the next person at this computer; built files are fetched again later. */
const CLEARED_DATA = '"cache", "storage"'

type ApiRequest = {
  method: string
  query: Record<string, string | string[]>
  cookies: Record<string, string>
  headers: Record<string, string>
  body: Record<string, string>
}

/** The part of Node's response that next-auth uses. */
class NodeResponse {
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
 * Calls next-auth's handler for Node-style requests, which it types as `any`: it reads the members of ApiRequest and
 * calls the methods of NodeResponse, nothing else. Its documented handler for route files takes cookies and headers from
 * `next/headers` rather than from the request: no allow-list could be applied, of two cookies with one name it would
 * use the last where a session is read from the first, and it throws outside a running Next. `next-auth/core`, which
 * works on plain values, is not exported.
 */
async function callNextAuth(request: ApiRequest, exchange: AuthExchange): Promise<Response> {
  const handler = NextAuth(createAuthOptions(exchange)) as (request: ApiRequest, answer: NodeResponse) => Promise<void>
  const response = new NodeResponse()
  await handler(request, response)
  return response.toResponse()
}

/** Takes back what a reply says of a cookie, whole or in the pieces that next-auth may make of it. */
function leaveCookie(response: Response, name: string): void {
  const lines = response.headers
    .getSetCookie()
    .filter((line) => !line.startsWith(`${name}=`) && !line.startsWith(`${name}.`))
  response.headers.delete('set-cookie')
  for (const line of lines) response.headers.append('set-cookie', line)
}

/** Whether next-auth refused a form, whose CSRF token doesn't match: it leads to a page of its own. */
async function isRefusedForm(response: Response): Promise<boolean> {
  const url: string = response.headers.get('location') ?? (await response.clone().json()).url
  return new URL(url, getDeskOrigin()).pathname.startsWith('/api/auth/')
}

/** A return address as next-auth expects it; the home page for anything outside this desk. */
function toReturnUrl(values: readonly string[]): string {
  return `${getDeskOrigin()}${values.length === 1 ? parseCallbackPath(values[0], getDeskOrigin()) : '/'}`
}

function buildQuery(request: Request, path: readonly string[]): ApiRequest['query'] {
  const given = new URL(request.url).searchParams
  const error = given.get('error') ?? ''
  if (path.join('/') === `callback/${providerId}`) {
    const received = callbackParameters.flatMap((name) => {
      const values = given.getAll(name)
      // Repeated parameters are ambiguous and dropped.
      return values.length === 1 && (values[0] ?? '').length <= MAX_PARAMETER_LENGTH ? [[name, values[0] ?? '']] : []
    })
    return { nextauth: [...path], ...Object.fromEntries(received) }
  }
  if (path.join('/') === `signin/${providerId}`) {
    // For a renewed proof, the provider must authenticate the user again whatever it remembers.
    return { nextauth: [...path], ...(given.get('prompt') === 'login' && { prompt: 'login', max_age: '0' }) }
  }
  return {
    nextauth: [...path],
    ...(given.has('callbackUrl') && { callbackUrl: toReturnUrl(given.getAll('callbackUrl')) }),
    ...(/^[A-Za-z]{1,40}$/u.test(error) && { error }),
  }
}

async function routeAuthRequest(request: Request, path: readonly string[], context: RequestContext): Promise<Response> {
  const { method, headers } = request
  const endpoints = listEndpoints()
  const allow = Object.keys(endpoints).filter((name) => endpoints[name]?.includes(path.join('/')))
  if (allow.length === 0) throw new AppError('not-found')
  if (!allow.includes(method)) throw new AppError('method-not-allowed', { allow })
  if (!getSettings().NEXTAUTH_SECRET) throw new AppError('internal', { detail: m.refusals_noSecretIsSet() })
  if (method === 'POST' && !isFromOwnOrigin(headers)) throw new AppError('cross-origin')
  if (method === 'GET' && reads.includes(path.join('/'))) assertNoOtherSite(request)
  const ours = getSessionCookies()
  const { sessionToken, callbackUrl, csrfToken } = ours
  const names = Object.values(ours).map(({ name }) => name)
  const cookies = parseCookies(headers.get('cookie'), names)
  const returnUrl = cookies[callbackUrl.name]
  if (returnUrl !== undefined) cookies[callbackUrl.name] = toReturnUrl([returnUrl])
  const body = method === 'POST' ? await readForm(request) : {}
  if (body.callbackUrl !== undefined) body.callbackUrl = toReturnUrl([body.callbackUrl])
  const exchange: AuthExchange = {
    peer: readPeer(request),
    deviceCookie: readDeviceCookie(headers),
    csrfCookie: cookies[csrfToken.name],
    returnUrl,
    previous: await readSessionToken(cookies[sessionToken.name]),
  }
  const query = buildQuery(request, path)
  const response = await callNextAuth({ method, query, cookies, headers: {}, body }, exchange)
  const locate = (error: string) => buildSignInUrl(error, returnUrl, getDeskOrigin())
  const isBack = method === 'GET' && path[0] === 'callback'
  if (exchange.failure && isBack) {
    // A person comes back from the provider, and needs a page to try again from.
    reportFailure(exchange.failure, request, context)
    return new Response(null, { status: 302, headers: { location: locate('Unavailable') } })
  }
  // next-auth takes it for any other error of the provider (RFC 6749, 4.1.2.1).
  if (isBack && query.error === 'access_denied') response.headers.set('location', locate('AccessDenied'))
  if (exchange.failure) throw exchange.failure
  // next-auth clears the cookie of what it takes for signed out, also for the tab that is asking for the factor.
  if (exchange.isPending) leaveCookie(response, sessionToken.name)
  if (method === 'POST' && path[0] === 'signout' && !(await isRefusedForm(response)))
    response.headers.set('clear-site-data', CLEARED_DATA)
  if (exchange.known !== undefined)
    response.headers.append('set-cookie', writeKnownDevice(exchange.deviceCookie, exchange.known, new Date()))
  const signedOut = path.join('/') === 'signout' && exchange.ended !== undefined
  const endSessionUrl = signedOut && exchange.ended ? await buildEndSessionUrl(exchange.ended) : null
  if (endSessionUrl === null) return response
  // Carries over the cookies that next-auth clears.
  const reply = Response.json({ url: `${getDeskOrigin()}/sign-in`, leave: endSessionUrl })
  for (const line of response.headers.getSetCookie()) reply.headers.append('set-cookie', line)
  reply.headers.set('clear-site-data', CLEARED_DATA)
  return reply
}

/**
 * Answers `/api/auth/…`; `path` is the rest. Only allow-listed cookies and no other headers reach next-auth (no bearer
 * token, no forwarded host); refusals are problem records, never cached.
 */
export function handleAuth(request: Request, path: readonly string[]): Promise<Response> {
  return withErrorHandling(request, (context) => routeAuthRequest(request, path, context))
}
