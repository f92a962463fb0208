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
import * as refusals from '@/lib/words/refusals'

const address = z.string().refine((value) => /^https?:\/\//u.test(value) && URL.canParse(value))

const metadata = z.looseObject({
  issuer: address,
  token_endpoint: address,
  end_session_endpoint: address.optional().catch(undefined),
})

/** What the desk itself uses of a provider's discovery document. */
export type ProviderMetadata = z.output<typeof metadata>

declare global {
  /** One per process: Next loads this module once per graph. */
  var debitdeskOpenId: { issuer: string; until: number; told: Promise<ProviderMetadata> } | undefined
}

const hour = 3_600_000
const deadline = 5_000
const replyLimit = 256 * 1024
const trimIssuer = (issuer: string) => issuer.replace(/\/$/u, '')

async function ask(issuer: string): Promise<ProviderMetadata> {
  const url = new URL(`${trimIssuer(issuer)}/.well-known/openid-configuration`)
  const headers = { accept: 'application/json', 'user-agent': 'debitdesk' }
  const raw = await sendHttpRequest({ url, method: 'GET', headers, deadline, limit: replyLimit })
  const read = metadata.safeParse(raw.status === 200 ? (await decodeReply(raw, (text) => text)).json : null)
  if (read.success && trimIssuer(read.data.issuer) === trimIssuer(issuer)) return read.data
  throw new AppError('upstream-credential', { detail: refusals.theOpenIdProviderDoesNotDescribeItself, written: false })
}

/** The provider's description of itself, kept for an hour. Throws Failure. */
export function readProviderMetadata(now = Date.now()): Promise<ProviderMetadata> {
  const { OIDC_ISSUER: issuer } = getSettings()
  if (issuer === undefined) return Promise.reject(new AppError('internal', { detail: refusals.noOpenIdProviderIsSet }))
  const known = globalThis.debitdeskOpenId
  if (known?.issuer === issuer && known.until > now) return known.told
  const told = ask(issuer)
  const kept = { issuer, until: now + hour, told }
  globalThis.debitdeskOpenId = kept
  told.catch(() => {
    if (globalThis.debitdeskOpenId === kept) globalThis.debitdeskOpenId = undefined
  })
  return told
}

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

/** The value at a dotted path, such as `realm_access.roles`; a claim whose name itself holds dots is taken first. */
function readPath(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    return Object.entries(value).find(([key]) => key === name)?.[1]
  }, claims)
}

/**
 * The roles that a provider's claim gives, by merchant: `admin`, `support` or `viewer` is the role at the merchant of
 * the settings, `support:m-1a2b3c` that at another. Of several for one merchant the strongest counts; anything
 * else says nothing here. A list, one word, or words separated by spaces or commas.
 */
export function readRoles(claims: Readonly<Record<string, unknown>>, path: string): Map<string, Role> {
  const given = readPath(claims, path)
  const words = (Array.isArray(given) ? given : [given]).flatMap((one) =>
    typeof one === 'string' ? one.split(/[\s,]+/u) : [],
  )
  const found = new Map<string, Role>()
  // Weakest first, so that the strongest is written last.
  for (const role of roles.toReversed()) {
    for (const word of words) {
      if (word === role) found.set(defaultConnectionId, role)
      else if (word.startsWith(`${role}:`)) found.set(word.slice(role.length + 1), role)
    }
  }
  return found
}

/**
 * Where a browser goes to end the provider's own session too (RP-Initiated Logout), for users who come from there and
 * where the provider offers it; else null. Named by the client, without the id token: no token reaches the browser.
 * Never throws: signing out of the desk is done already.
 */
export async function writeEndSession(userId: string): Promise<string | null> {
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
