import { createHash } from 'node:crypto'
import { decode, encode, type JWT, type JWTDecodeParams } from 'next-auth/jwt'
import * as z from 'zod'
import { getSettings, listSecrets } from '../runtime/settings'
import { absoluteLifetime, getSessionCookies } from './session-cookie'

/** The content of the session cookie: which row of the store to look up. It proves nothing by itself. */
const claims = z.object({ sub: z.uuid(), sid: z.uuid() })
export type SessionClaims = z.output<typeof claims>

/** Above any token we write (about 300 characters). */
const MAX_TOKEN_LENGTH = 2_048

/** The claims in a decrypted token of next-auth; null when it isn't ours. */
export function parseClaims(payload: unknown): SessionClaims | null {
  const read = claims.safeParse(payload)
  return read.success ? read.data : null
}

/** Decrypted tokens by hash: key derivation and decryption cost more than the rest of a request's check. */
const decrypted = new Map<string, { claims: SessionClaims; until: number }>()
const MAX_DECRYPTED = 1_000

/**
 * Decrypts a token of next-auth with the current or the previous secret; null for others. New tokens, including the
 * session cookie, are made with the current one.
 */
export async function decodeToken(params: JWTDecodeParams): Promise<JWT | null> {
  for (const secret of listSecrets(getSettings())) {
    const payload = await decode({ ...params, secret }).catch(() => null)
    if (payload) return payload
  }
  return null
}

/**
 * Of the current and the previous secret the one that made next-auth's CSRF cookie, which it verifies with a single
 * secret; the current one for any other cookie.
 */
export function findCsrfSecret(cookie: string | undefined): string | undefined {
  const [token = '', hash] = (cookie ?? '').split('|')
  const [current, ...others] = listSecrets(getSettings())
  return others.find((secret) => createHash('sha256').update(`${token}${secret}`).digest('hex') === hash) ?? current
}

async function open(token: string, secret: string): Promise<{ claims: SessionClaims; until: number } | null> {
  const payload = await decodeToken({ token, secret })
  const read = parseClaims(payload)
  return read && { claims: read, until: typeof payload?.exp === 'number' ? payload.exp * 1_000 : 0 }
}

/**
 * Decrypts a session cookie. Null when it is missing, tampered with, expired, made with an unknown secret or not ours, or
 * when NEXTAUTH_SECRET is not set. Results are cached until the token expires; whether the session is still valid is
 * checked in the store each time.
 */
export async function readSessionToken(token: string | undefined): Promise<SessionClaims | null> {
  const secret = getSettings().NEXTAUTH_SECRET
  if (!secret || !token || token.length > MAX_TOKEN_LENGTH) return null
  const key = createHash('sha256').update(secret).update('\0').update(token).digest('base64')
  const known = decrypted.get(key)
  if (known && known.until > Date.now()) return known.claims
  decrypted.delete(key)
  const read = await open(token, secret)
  if (!read) return null
  if (decrypted.size >= MAX_DECRYPTED) decrypted.delete(decrypted.keys().next().value ?? key)
  if (read.until > Date.now()) decrypted.set(key, read)
  return read.claims
}

/** The Set-Cookie header of a sign-in, as next-auth writes it. */
export async function writeSessionCookie(session: SessionClaims): Promise<string> {
  const token = await encode({ token: session, secret: getSettings().NEXTAUTH_SECRET ?? '', maxAge: absoluteLifetime })
  const { name, options } = getSessionCookies().sessionToken
  const expires = new Date(Date.now() + absoluteLifetime * 1_000).toUTCString()
  return `${name}=${token}; Path=/; Expires=${expires}; HttpOnly; SameSite=Lax${options.secure ? '; Secure' : ''}`
}
