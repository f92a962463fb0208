import { eq } from 'drizzle-orm'
import { cookies, headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import type { Role } from '@/lib/api-contract/permission'
import {
  addMerchantParam,
  createTenantScope,
  merchantHeader,
  parsePageMerchant,
  pickMerchant,
  type TenantScope,
} from './tenant-scope'
import { parseCallbackPath } from './callback-path'
import { refreshConnection } from '../upstream/stored-connections'
import { AppError } from '../runtime/app-error'
import { rememberSession } from '../runtime/request-context'
import { getSessionCookies } from './session-cookie'
import { type Merchant, readLiveSession } from './sessions'
import { readSessionToken } from './session-token'
import { orStoreUnavailable, requireOpenStore, requireStore } from '../store/store'
import { users } from '../store/schema'
import * as refusals from '@/lib/words/refusals'

export type { TenantScope } from './tenant-scope'

/** Who is asking, for which merchant, with which role. */
export type Session = { sessionId: string; userId: string; email: string; role: Role; scope: TenantScope }

/** A session, and every merchant that its user may work for. */
export type SessionInfo = {
  session: Session
  merchants: readonly Merchant[]
  lastConnectionId: string | null
  /** Whether the account has a password here, or comes from a provider alone. */
  hasPassword: boolean
}

/** The sign-in behind a session cookie's value, for the merchant that is named, or the likeliest. Throws AppError 'store-unavailable' and 'not-found'. */
async function readSessionInfoFrom(
  token: string | undefined,
  named: string | null,
  now: Date,
  quiet = false,
): Promise<SessionInfo | null> {
  const claims = await readSessionToken(token)
  if (!claims) return null
  const { db, countWrites } = await requireOpenStore()
  const live = await orStoreUnavailable(() => readLiveSession(db, claims, now, { quiet, countWrites }))
  if (!live) return null
  const { sessionId, userId, email, merchants, lastConnectionId, hasPassword } = live
  const merchant = pickMerchant(live, named)
  await refreshConnection(db, merchant)
  const session = { sessionId, userId, email, role: merchant.role, scope: createTenantScope(merchant.connectionId) }
  rememberSession(session)
  return { session, merchants, lastConnectionId, hasPassword }
}

/**
 * The session behind a session cookie's value, checked in the store; null when there is none that holds. A call
 * of somebody with several merchants must name its own: the likeliest is not good enough for what it may change.
 * Read `quiet`, it is not prolonged. Throws AppError 'not-found' for a merchant that is not the user's and
 * 'bad-request' where one must be named.
 */
export async function readSessionFrom(
  token: string | undefined,
  now = new Date(),
  named: string | null = null,
  quiet = false,
): Promise<Session | null> {
  const visit = await readSessionInfoFrom(token, named, now, quiet)
  if (visit && named === null && visit.merchants.length > 1)
    throw new AppError('bad-request', {
      detail: refusals.sayWhichMerchant(merchantHeader),
    })
  return visit?.session ?? null
}

/** The path and query of the page being made, as the proxy noted it. */
async function readPath(): Promise<string> {
  return parseCallbackPath((await headers()).get('x-desk-path'))
}

async function readPageToken(): Promise<string | undefined> {
  return (await cookies()).get(getSessionCookies().sessionToken.name)?.value
}

/**
 * Who visits the page being made, from the cookie alone (no Authorization header signs anybody in), checked in the
 * store once for each page that is made; null when signed out. Throws AppError 'store-unavailable' and 'not-found'.
 */
export const readSessionInfo: () => Promise<SessionInfo | null> = cache(async () =>
  readSessionInfoFrom(await readPageToken(), parsePageMerchant(await readPath()), new Date()),
)

/** The same for the merchant that opens where none is named, whichever the page names. Throws AppError 'store-unavailable'. */
export async function readOwnSessionInfo(): Promise<SessionInfo | null> {
  return readSessionInfoFrom(await readPageToken(), null, new Date())
}

/** The session of the page being made; null when signed out. Throws AppError 'store-unavailable' and 'not-found'. */
export async function readSession(): Promise<Session | null> {
  return (await readSessionInfo())?.session ?? null
}

/**
 * The session, for pages. Signed out, the visitor is sent to sign in and comes back to the page asked for; a merchant
 * that is not the visitor's is a page that does not exist; with several merchants the address always names one.
 */
export async function requirePageSession(): Promise<Session> {
  const path = await readPath()
  const visit = await readSessionInfo().catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not-found') notFound()
    throw error
  })
  if (!visit) return redirect(`/sign-in?callbackUrl=${encodeURIComponent(path)}`)
  const { session, merchants, lastConnectionId } = visit
  const { connectionId } = session.scope
  if (merchants.length > 1) {
    if (parsePageMerchant(path) === null) redirect(addMerchantParam(path, connectionId))
    if (connectionId !== lastConnectionId) await noteMerchant(session)
  }
  return session
}

/** Remembers which merchant to open where none is named. */
async function noteMerchant({ userId, scope }: Session): Promise<void> {
  const db = await requireStore()
  await db.update(users).set({ lastConnectionId: scope.connectionId }).where(eq(users.id, userId))
}
