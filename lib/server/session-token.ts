import { decode } from 'next-auth/jwt'
import * as z from 'zod'
import { getSettings } from './settings'

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

/**
 * Decrypts a session cookie. Null for whatever is absent, tampered with, expired, sealed with another
 * secret or not ours; a desk without NEXTAUTH_SECRET signs nobody in.
 */
export async function readSessionToken(token: string | undefined): Promise<SessionClaims | null> {
  const secret = getSettings().NEXTAUTH_SECRET
  if (!secret || !token || token.length > longestToken) return null
  const payload = await decode({ token, secret }).catch(() => null)
  return readClaims(payload)
}
