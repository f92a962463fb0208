import type { AuthOptions } from 'next-auth'
import Credentials from 'next-auth/providers/credentials'
import { readCallbackPath } from './callback-path'
import { canonicalEmail } from './canonical-email'
import { describeError } from './describe-error'
import { Failure } from './failure'
import { log } from './log'
import { type Claims, hasOpenId, makeOpenIdProvider, providerId, readProven } from './openid/openid-provider'
import { type GivenTokens, keepProviderTokens, readGivenTokens } from './openid/provider-tokens'
import { readRoles } from './openid/read-roles'
import { signInByProvider } from './openid/sign-in-by-provider'
import { pickMerchant } from './pick-merchant'
import { absoluteLifetime, getDeskOrigin, getSessionCookies } from './session-cookie'
import { readLiveSession } from './session-rows'
import { decodeToken, readClaims, type SessionClaims } from './session-token'
import { getSettings } from './settings'
import { signIn } from './sign-in'
import { signOut } from './sign-out'
import { requireStore } from './store/require-store'

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
  failure?: Failure
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
      exchange.failure = error instanceof Failure ? error : new Failure('internal', {}, { cause: error })
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
      redirect: ({ url }) => `${getDeskOrigin()}${readCallbackPath(url, getDeskOrigin())}`,
      jwt: ({ token, user }) => ({ ...(exchange.begun ?? readClaims(user ? { ...user, sub: user.id } : token)) }),
      async session({ token }) {
        const described = await describe(readClaims(token))
        // next-auth takes an exception here as "no session": it answers {} and clears the cookie.
        if (!described) throw new Failure('signed-out')
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
