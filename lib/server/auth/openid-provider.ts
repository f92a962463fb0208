import { eq } from 'drizzle-orm'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import * as z from 'zod'
import { type Role, roles } from '@/lib/api-contract/permission'
import { AppError } from '../runtime/app-error'
import { getSettings, type Settings } from '../runtime/settings'
import { identities } from '../store/auth-schema'
import { defaultConnectionId } from '../store/schema'
import { requireStore } from '../store/store'
import { sendHttpRequest } from '../upstream/http-request'
import { decodeReply } from '../upstream/reply'
import { absoluteLifetime, getDeskOrigin } from './session-cookie'
import * as m from '@/lib/messages/m'

const address = z.string().refine((value) => /^https?:\/\//u.test(value) && URL.canParse(value))

const metadata = z.looseObject({
  issuer: address,
  token_endpoint: address,
  end_session_endpoint: address.optional().catch(undefined),
})

/** The fields of a provider's discovery document that the desk uses itself. */
export type ProviderMetadata = z.output<typeof metadata>

declare global {
  /** One per process, because Next loads this module once per graph. */
  var debitdeskOpenId: { issuer: string; until: number; document: Promise<ProviderMetadata> } | undefined
}

const HOUR_MS = 3_600_000
const DISCOVERY_TIMEOUT_MS = 5_000
const MAX_REPLY_BYTES = 256 * 1024
const trimIssuer = (issuer: string) => issuer.replace(/\/$/u, '')

async function fetchMetadata(issuer: string): Promise<ProviderMetadata> {
  const url = new URL(`${trimIssuer(issuer)}/.well-known/openid-configuration`)
  const headers = { accept: 'application/json', 'user-agent': 'debitdesk' }
  const raw = await sendHttpRequest({
    url,
    method: 'GET',
    headers,
    deadline: DISCOVERY_TIMEOUT_MS,
    limit: MAX_REPLY_BYTES,
  })
  const read = metadata.safeParse(raw.status === 200 ? (await decodeReply(raw, (text) => text)).json : null)
  if (read.success && trimIssuer(read.data.issuer) === trimIssuer(issuer)) return read.data
  throw new AppError('upstream-credential', {
    detail: m.refusals_theOpenIdProviderDoesNotDescribeItself(),
    written: false,
  })
}

/** The provider's discovery document, cached for an hour. Throws AppError. */
export function readProviderMetadata(now = Date.now()): Promise<ProviderMetadata> {
  const { OIDC_ISSUER: issuer } = getSettings()
  if (issuer === undefined)
    return Promise.reject(new AppError('internal', { detail: m.refusals_noOpenIdProviderIsSet() }))
  const known = globalThis.debitdeskOpenId
  if (known?.issuer === issuer && known.until > now) return known.document
  const document = fetchMetadata(issuer)
  const entry = { issuer, until: now + HOUR_MS, document }
  globalThis.debitdeskOpenId = entry
  document.catch(() => {
    if (globalThis.debitdeskOpenId === entry) globalThis.debitdeskOpenId = undefined
  })
  return document
}

/** A provider's claims about a user: of the id token, completed by userinfo. */
export type Claims = { sub: string; iss: string } & Readonly<Record<string, unknown>>

/** The provider's name in addresses: `/api/auth/callback/oidc`. */
export const providerId = 'oidc'

const CLIENT_TIMEOUT_MS = 8_000

/** The authorization parameters; with UPSTREAM_AUTH=session including those of the service's access token. */
function buildAuthorizationParams({
  UPSTREAM_AUTH,
  UPSTREAM_SCOPE = '',
  UPSTREAM_AUDIENCE,
}: Settings): Record<string, string> {
  if (UPSTREAM_AUTH !== 'session') return { scope: 'openid email profile' }
  return {
    scope: `openid email profile ${UPSTREAM_SCOPE}`.trim(),
    ...(UPSTREAM_AUDIENCE !== undefined && { audience: UPSTREAM_AUDIENCE }),
    ...(UPSTREAM_AUDIENCE !== undefined && URL.canParse(UPSTREAM_AUDIENCE) && { resource: UPSTREAM_AUDIENCE }),
  }
}

export function hasOpenId({ OIDC_ISSUER }: Settings): boolean {
  return OIDC_ISSUER !== undefined
}

/**
 * The provider of the settings as a next-auth provider: code flow with PKCE, state and nonce. openid-client checks the
 * id token's signature, issuer, audience and times; that the issuer is the configured one is checked here.
 */
export function makeOpenIdProvider(settings: Settings): OAuthConfig<Claims> {
  const { OIDC_ISSUER: issuer = '', OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = settings
  return {
    id: providerId,
    name: new URL(issuer).host,
    type: 'oauth',
    wellKnown: `${trimIssuer(issuer)}/.well-known/openid-configuration`,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    // With max_age the provider must report when the user authenticated (auth_time).
    authorization: { params: { ...buildAuthorizationParams(settings), max_age: absoluteLifetime } },
    httpOptions: { timeout: CLIENT_TIMEOUT_MS },
    userinfo: {
      async request({ client, tokens }) {
        const { metadata: discovered } = client.issuer
        if (trimIssuer(discovered.issuer) !== trimIssuer(issuer))
          throw new Error('the discovery document names another issuer')
        const claims = (tokens as { claims: () => Claims }).claims()
        // openid-client rejects a userinfo reply for another subject than the id token's.
        const more = discovered.userinfo_endpoint ? await client.userinfo(tokens as never) : {}
        return { ...more, ...claims }
      },
    },
    profile: (claims) => ({ id: claims.sub, claims }),
  }
}

/** The claims that `profile` returned beside the id, as passed on by next-auth. */
export function getVerifiedClaims(user: object): Claims {
  if ('claims' in user && typeof user.claims === 'object' && user.claims !== null) return user.claims as Claims
  throw new Error('next-auth handed on no claims')
}

/** The value at a dotted path, such as `realm_access.roles`; a claim whose own name contains dots takes precedence. */
function readPath(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    return Object.entries(value).find(([key]) => key === name)?.[1]
  }, claims)
}

/**
 * The roles granted by a provider's claim, by merchant: a role's name, such as `support`, is the role at the merchant of
 * the settings, `support:m-1a2b3c` one at another. The strongest role per merchant counts; other values are ignored. The
 * claim is a list, or text separated by spaces or commas.
 */
export function readRoles(claims: Readonly<Record<string, unknown>>, path: string): Map<string, Role> {
  const given = readPath(claims, path)
  const values = (Array.isArray(given) ? given : [given]).flatMap((one) =>
    typeof one === 'string' ? one.split(/[\s,]+/u) : [],
  )
  const found = new Map<string, Role>()
  // Weakest first, so that the strongest overwrites the others.
  for (const role of roles.toReversed()) {
    for (const value of values) {
      if (value === role) found.set(defaultConnectionId, role)
      else if (value.startsWith(`${role}:`)) found.set(value.slice(role.length + 1), role)
    }
  }
  return found
}

/** Whether the provider says that it asked for a second factor: by the `acr` or an `amr` (RFC 8176) of the settings. */
export function provesFactor({ acr, amr }: Readonly<Record<string, unknown>>, accepted: readonly string[]): boolean {
  return [acr, ...(Array.isArray(amr) ? amr : [])].some(
    (value) => typeof value === 'string' && accepted.includes(value),
  )
}

/**
 * The address that ends the provider's own session too (RP-Initiated Logout), for users of a provider that offers it;
 * else null. It names the client and has no id token, so that no token reaches the browser. Never throws, since the user
 * is already signed out of the desk.
 */
export async function buildEndSessionUrl(userId: string): Promise<string | null> {
  const settings = getSettings()
  if (!hasOpenId(settings)) return null
  try {
    const db = await requireStore()
    if ((await db.$count(identities, eq(identities.userId, userId))) === 0) return null
    const { end_session_endpoint: endpoint } = await readProviderMetadata()
    if (endpoint === undefined) return null
    const url = new URL(endpoint)
    url.searchParams.set('client_id', settings.OIDC_CLIENT_ID ?? '')
    url.searchParams.set('post_logout_redirect_uri', `${getDeskOrigin()}/sign-in`)
    return url.href
  } catch {
    return null
  }
}
