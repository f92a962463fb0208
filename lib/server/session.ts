import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import type { Role } from '@/lib/contract/permission'
import { readCallbackPath } from './callback-path'
import { mintScope, type Scope } from './scope'
import { getSessionCookies } from './session-cookie'
import { readLiveSession } from './session-rows'
import { readSessionToken } from './session-token'
import { defaultConnectionId } from './store/default-connection'
import { requireStore } from './store/require-store'

export type { Scope } from './scope'

/** Who is asking, for which merchant, with which role. */
export type Session = { sessionId: string; userId: string; email: string; role: Role; scope: Scope }

/** The session behind a session cookie's value, checked in the store; null when there is none that holds. */
export async function readSessionFrom(token: string | undefined, now = new Date()): Promise<Session | null> {
  const claims = await readSessionToken(token)
  if (!claims) return null
  const db = await requireStore()
  const live = await readLiveSession(db, defaultConnectionId, claims, now)
  if (!live) return null
  const { sessionId, userId, email, role } = live
  return { sessionId, userId, email, role, scope: mintScope(defaultConnectionId) }
}

/**
 * The session of the request being answered, from its cookie alone (no Authorization header signs
 * anybody in), checked in the store every time. Throws Failure 'store-unavailable'.
 */
export async function readSession(): Promise<Session | null> {
  const jar = await cookies()
  return readSessionFrom(jar.get(getSessionCookies().sessionToken.name)?.value)
}

/** The session, for pages; signed out, the visitor is sent to sign in and comes back to the page asked for. */
export async function requirePageSession(): Promise<Session> {
  const session = await readSession()
  if (session) return session
  const asked = readCallbackPath((await headers()).get('x-desk-path'))
  return redirect(`/sign-in?callbackUrl=${encodeURIComponent(asked)}`)
}
