import type { OAuthConfig } from 'next-auth/providers/oauth'
import { absoluteLifetime } from '../session-cookie'
import type { Settings } from '../settings'

/** What a provider says of somebody: the claims of the id token, and of userinfo where the token lacks them. */
export type Claims = { sub: string; iss: string } & Readonly<Record<string, unknown>>

/** The word that stands for the provider in addresses: `/api/auth/callback/oidc`. */
export const providerId = 'oidc'

const patience = 8_000
const clean = (issuer: string) => issuer.replace(/\/$/u, '')

/** What is asked for: with UPSTREAM_AUTH=session also what the service wants of an access token. */
function writeAsk({ UPSTREAM_AUTH, UPSTREAM_SCOPE = '', UPSTREAM_AUDIENCE }: Settings): Record<string, string> {
  if (UPSTREAM_AUTH !== 'session') return { scope: 'openid email profile' }
  return {
    scope: `openid email profile ${UPSTREAM_SCOPE}`.trim(),
    ...(UPSTREAM_AUDIENCE !== undefined && { audience: UPSTREAM_AUDIENCE }),
    ...(UPSTREAM_AUDIENCE !== undefined && URL.canParse(UPSTREAM_AUDIENCE) && { resource: UPSTREAM_AUDIENCE }),
  }
}

/** Whether the desk signs people in through an OpenID provider. */
export function hasOpenId({ OIDC_ISSUER }: Settings): boolean {
  return OIDC_ISSUER !== undefined
}

/**
 * The provider that the settings name, as next-auth takes it: code flow with PKCE, state and nonce; signature,
 * issuer, audience and times of the id token are checked by openid-client, that the issuer is ours here.
 */
export function makeOpenIdProvider(settings: Settings): OAuthConfig<Claims> {
  const { OIDC_ISSUER: issuer = '', OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = settings
  return {
    id: providerId,
    name: new URL(issuer).host,
    type: 'oauth',
    wellKnown: `${clean(issuer)}/.well-known/openid-configuration`,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    // With an age the provider must say when it was that somebody signed in there (auth_time).
    authorization: { params: { ...writeAsk(settings), max_age: absoluteLifetime } },
    httpOptions: { timeout: patience },
    userinfo: {
      async request({ client, tokens }) {
        const told = client.issuer.metadata
        if (clean(told.issuer) !== clean(issuer)) throw new Error('the discovery document names another issuer')
        const claims = (tokens as { claims: () => Claims }).claims()
        // openid-client refuses what names another subject than the id token.
        const more = told.userinfo_endpoint ? await client.userinfo(tokens as never) : {}
        return { ...more, ...claims }
      },
    },
    profile: (claims) => ({ id: claims.sub, claims }),
  }
}

/** The claims that `profile` put beside the id; next-auth hands them on as its user. */
export function readProven(user: object): Claims {
  if ('claims' in user && typeof user.claims === 'object' && user.claims !== null) return user.claims as Claims
  throw new Error('next-auth handed on no claims')
}
