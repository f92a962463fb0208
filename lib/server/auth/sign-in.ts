import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { appendUserActivity } from '../activity-log/append'
import { recordRefusedSignIn } from '../activity-log/refused-sign-ins'
import { AppError } from '../runtime/app-error'
import { providerTokens } from '../store/auth-schema'
import { sessions, users } from '../store/schema'
import { readKnownDevice } from './known-device'
import { hashPassword, isOutdatedHash, verifyPassword } from './passwords'
import type { SessionClaims } from './session-token'
import { startSession } from './sessions'
import { forgiveAttempts, reserveAttempt } from './throttle'
import { type Account, canonicalEmail, findAccount, replaceHash } from './users'

/** What a sign-in is tried with: the fields as typed, and the address of the other end of the connection. */
export type Credentials = {
  email: string
  password: string
  peer: string
  /** The cookie by which a browser is known again. */
  deviceCookie?: string | undefined
}

/**
 * The account of these credentials, or null, which does not say what was wrong: an unknown e-mail, a
 * disabled account and a wrong password take the same steps and the same work (SE-13). Throws Failure
 * 'too-many-attempts' with retryAfter, before looking whether the password is right.
 */
export async function authenticate(db: Database, credentials: Credentials, now: Date): Promise<Account | null> {
  const email = canonicalEmail(credentials.email)
  const account = email ?? credentials.email
  const device = email ? readKnownDevice(credentials.deviceCookie, email) : null
  const reservation = await reserveAttempt(db, { account, peer: credentials.peer, device }, now)
  if (!reservation.allowed) {
    const { retryAfter, lockedOut } = reservation
    throw new AppError('too-many-attempts', { retryAfter, lockedOut })
  }
  const found = await findAccount(db, email ?? '')
  const matches = await verifyPassword(found?.passwordHash ?? null, credentials.password)
  if (!found || !matches) return null
  await forgiveAttempts(db, { account, device }, reservation.ids)
  if (found.passwordHash && isOutdatedHash(found.passwordHash)) {
    await replaceHash(db, found, await hashPassword(credentials.password))
  }
  return found
}

/** Ends a sign-in at once and writes it down; one that had ended already stays as it is. */
export function signOut(db: Database, sessionId: string, now: Date): Promise<void> {
  return db.transaction(async (transaction) => {
    const [ended] = await transaction
      .update(sessions)
      .set({ endedAt: now })
      .where(and(eq(sessions.id, sessionId), isNull(sessions.endedAt)))
      .returning({ userId: sessions.userId })
    if (!ended) return
    await transaction.delete(providerTokens).where(eq(providerTokens.sessionId, sessionId))
    const [user] = await transaction.select({ email: users.email }).from(users).where(eq(users.id, ended.userId))
    await appendUserActivity(transaction, {
      person: ended,
      at: now,
      actor: user?.email ?? 'unknown',
      action: 'session.ended',
      objectKind: 'session',
      objectId: sessionId,
      details: {},
    })
  })
}

/**
 * Signs somebody in: a fresh row of `sessions`, in place of the one that the browser came with, and an entry in the
 * activity log of each merchant they work for. Null when the credentials are not right; throws Failure
 * 'too-many-attempts'. Of what is refused the log tells within bounds (see recordRefusedSignIn).
 */
export async function signIn(
  db: Database,
  credentials: Credentials,
  previous: SessionClaims | null,
  now: Date,
): Promise<SessionClaims | null> {
  const { peer } = credentials
  // What was typed is kept only where it is an address: people also type passwords into that field.
  const refused = { at: now, email: canonicalEmail(credentials.email), peer }
  const account = await authenticate(db, credentials, now).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'too-many-attempts')
      recordRefusedSignIn(db, { ...refused, lockedOut: error.evidence.lockedOut })
    throw error
  })
  if (!account) {
    recordRefusedSignIn(db, refused)
    return null
  }
  return db.transaction(async (transaction) => {
    if (previous) await signOut(transaction, previous.sid, now)
    const sid = await startSession(transaction, account.id, now)
    await appendUserActivity(transaction, {
      at: now,
      person: { userId: account.id },
      actor: account.email,
      action: 'session.started',
      objectKind: 'session',
      objectId: sid,
      details: { from: peer },
    })
    return { sub: account.id, sid }
  })
}
