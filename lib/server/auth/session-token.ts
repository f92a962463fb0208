import { createHash } from 'node:crypto'
import { decode, type JWT, type JWTDecodeParams } from 'next-auth/jwt'
import * as z from 'zod'
import { getSettings, listSecrets } from '../runtime/settings'

/** All that the cookie says: which row of the store to look up. It proves nothing by itself. */
const claims = z.object({ sub: z.uuid(), sid: z.uuid() })
export type SessionClaims = z.output<typeof claims>

/** Longer than any token that we write (about 300 characters). */
const longestToken = 2_048

/** Reads the claims out of a decrypted token of next-auth; null when it is not one of ours. */
export function readClaims(payload: unknown): SessionClaims | null {
  const read = claims.safeParse(payload)
  return read.success ? read.data : null
}

/** What tokens were read to, by their hash: deriving the key and decrypting costs more than all else of a request's check. */
const opened = new Map<string, { claims: SessionClaims; until: number }>()
const mostOpened = 1_000

/**
 * Decrypts a token of next-auth with whichever secret it was made with; null for any other. What next-auth writes
 * after it, the session's cookie too, is made with the secret of today.
 */
export async function decodeToken(params: JWTDecodeParams): Promise<JWT | null> {
  for (const secret of listSecrets(getSettings())) {
    const payload = await decode({ ...params, secret }).catch(() => null)
    if (payload) return payload
  }
  return null
}

async function open(token: string, secret: string): Promise<{ claims: SessionClaims; until: number } | null> {
  const payload = await decodeToken({ token, secret })
  const read = readClaims(payload)
  return read && { claims: read, until: typeof payload?.exp === 'number' ? payload.exp * 1_000 : 0 }
}

/**
 * Decrypts a session cookie. Null for whatever is absent, tampered with, expired, sealed with another
 * secret or not ours; a desk without NEXTAUTH_SECRET signs nobody in. A token that was read is known again until it
 * expires; whether its session still holds is for the store to say, every time.
 */
export async function readSessionToken(token: string | undefined): Promise<SessionClaims | null> {
  const secret = getSettings().NEXTAUTH_SECRET
  if (!secret || !token || token.length > longestToken) return null
  const key = createHash('sha256').update(secret).update('\0').update(token).digest('base64')
  const known = opened.get(key)
  if (known && known.until > Date.now()) return known.claims
  opened.delete(key)
  const read = await open(token, secret)
  if (!read) return null
  if (opened.size >= mostOpened) opened.delete(opened.keys().next().value ?? key)
  if (read.until > Date.now()) opened.set(key, read)
  return read.claims
}
