import type { ApiTokenReference } from '@/lib/domain/api-tokens'
import type { Language } from '@/lib/language/runtime'
import { eq } from 'drizzle-orm'
import { cookies, headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { hasPermission, type Permission, type Role } from '@/lib/api-contract/permission'
import { rolesPath } from '@/lib/domain/accounts'
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
import { rememberLanguage, rememberSession } from '../runtime/request-context'
import { getSessionCookies } from './session-cookie'
import { type Merchant, readLiveSession } from './sessions'
import { readSessionToken } from './session-token'
import { orStoreUnavailable, requireOpenStore, requireStore } from '../store/store'
import { users } from '../store/schema'
import * as m from '@/lib/messages/m'

export type { TenantScope } from './tenant-scope'

/** A user, the merchant account the request is for, and the role there. */
export type Session = {
  /** The sign-in's id, or that of the API token, which is no sign-in's. */
  sessionId: string
  userId: string
  email: string
  role: Role
  scope: TenantScope
  /** The token of a script that acts for the user; undefined for the user's own sign-in. */
  apiToken?: ApiTokenReference | undefined
}

/** A session, and all merchants of its user. */
export type SessionInfo = {
  session: Session
  merchants: readonly Merchant[]
  lastConnectionId: string | null
  /** Whether the account has a password here rather than only an OpenID provider. */
  hasPassword: boolean
  /** The account's own language; null for the browser's. */
  language: Language | null
}

/** The sign-in of a session cookie, for the named merchant or the default one. Throws AppError 'store-unavailable' and 'no-such-merchant'. */
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
  const { sessionId, userId, email, merchants, lastConnectionId, hasPassword, language } = live
  // Before a merchant can be refused, so that the refusal is written in it too.
  rememberLanguage(language)
  const merchant = pickMerchant(live, named)
  await refreshConnection(db, merchant)
  const session = { sessionId, userId, email, role: merchant.role, scope: createTenantScope(merchant.connectionId) }
  rememberSession(session)
  return { session, merchants, lastConnectionId, hasPassword, language }
}

/**
 * The session of a session cookie, checked in the store; null without a valid one. Users with several merchants must
 * name one, since a default is too risky for writes. With `quiet` the session is not prolonged. Throws AppError
 * 'no-such-merchant' for one that isn't the user's and 'bad-request' when none is named.
 */
export async function readSessionFrom(
  token: string | undefined,
  now = new Date(),
  named: string | null = null,
  quiet = false,
): Promise<Session | null> {
  const info = await readSessionInfoFrom(token, named, now, quiet)
  if (info && named === null && info.merchants.length > 1)
    throw new AppError('bad-request', {
      detail: m.refusals_sayWhichMerchant({ header: merchantHeader }),
    })
  return info?.session ?? null
}

/** The path and query of the current page, as set by the proxy. */
async function readPath(): Promise<string> {
  return parseCallbackPath((await headers()).get('x-desk-path'))
}

async function readPageToken(): Promise<string | undefined> {
  return (await cookies()).get(getSessionCookies().sessionToken.name)?.value
}

/**
 * The sign-in of the current page, from the cookie alone (never an Authorization header), read from the store once per
 * page; null when signed out. Throws AppError 'store-unavailable' and 'no-such-merchant'.
 */
export const readSessionInfo: () => Promise<SessionInfo | null> = cache(async () =>
  readSessionInfoFrom(await readPageToken(), parsePageMerchant(await readPath()), new Date()),
)

/** The same for the default merchant, whichever one the page names. Throws AppError 'store-unavailable'. */
export async function readOwnSessionInfo(): Promise<SessionInfo | null> {
  return readSessionInfoFrom(await readPageToken(), null, new Date())
}

/** The session of the current page; null when signed out. Throws AppError 'store-unavailable' and 'no-such-merchant'. */
export async function readSession(): Promise<Session | null> {
  return (await readSessionInfo())?.session ?? null
}

/**
 * The session, for pages. Signed-out visitors are redirected to sign in and back; another user's merchant is a page that
 * does not exist; users with several merchants are redirected to an address that names one, and those whose role lacks the
 * permission to the page that says what it may do.
 */
export async function requirePageSession(permission: Permission = 'read'): Promise<Session> {
  const path = await readPath()
  const info = await readSessionInfo().catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'no-such-merchant') notFound()
    throw error
  })
  if (!info) return redirect(`/sign-in?callbackUrl=${encodeURIComponent(path)}`)
  const { session, merchants, lastConnectionId } = info
  const { connectionId } = session.scope
  if (merchants.length > 1) {
    if (parsePageMerchant(path) === null) redirect(addMerchantParam(path, connectionId))
    if (connectionId !== lastConnectionId) await rememberMerchant(session)
  }
  if (!hasPermission(session.role, permission)) {
    const refusal = `${rolesPath}?refused=1`
    redirect(merchants.length > 1 ? addMerchantParam(refusal, connectionId) : refusal)
  }
  return session
}

/** Makes this merchant the one that opens by default. */
async function rememberMerchant({ userId, scope }: Session): Promise<void> {
  const db = await requireStore()
  await db.update(users).set({ lastConnectionId: scope.connectionId }).where(eq(users.id, userId))
}
