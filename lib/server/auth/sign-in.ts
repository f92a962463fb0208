import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { appendUserActivity, type UserEntry } from '../activity-log/append'
import { recordRefusedSignIn } from '../activity-log/refused-sign-ins'
import { queueNewDeviceMail } from '../mail/security-mails'
import { countSignIn } from '../metrics/instruments'
import { AppError } from '../runtime/app-error'
import { getRequestContext } from '../runtime/request-context'
import { identities } from '../store/auth-schema'
import { authenticators } from '../store/factor-schema'
import { sessions, users } from '../store/schema'
import { readKnownDevice } from './known-device'
import { hashPassword, isOutdatedHash, verifyPassword } from './passwords'
import { deleteProviderTokens } from './provider-tokens'
import type { SessionClaims } from './session-token'
import type { ProvenFactor } from '@/lib/domain/second-factor'
import { verifyPasskey } from '../second-factor/passkeys'
import { describeBrowser, startSession } from './sessions'
import { forgiveAttempts, reserveAttempt, withdrawAttempt } from './throttle'
import { type Account, canonicalEmail, findAccount, findAccountById, lockAccount, replaceHash } from './users'

/** The input of a sign-in: the fields as typed and the client's address. */
export type Credentials = {
  email: string
  password: string
  peer: string
  /** The cookie that recognises this browser. */
  deviceCookie?: string | undefined
}

/**
 * The account of these credentials, or null without saying why: unknown e-mail, disabled account and wrong password take
 * the same steps and the same work (SE-13). Throws AppError 'too-many-attempts' with retryAfter before checking the
 * password.
 */
export async function authenticate(
  db: Database,
  credentials: Credentials,
  now: Date,
): Promise<(Account & { isKnownBrowser: boolean }) | null> {
  const email = canonicalEmail(credentials.email)
  const account = email ?? credentials.email
  const found = await findAccount(db, email ?? '')
  const owner = { email: account, passwordHash: found?.passwordHash ?? null }
  const device = readKnownDevice(credentials.deviceCookie, owner, now)
  const reservation = await reserveAttempt(db, { purpose: 'password', account, peer: credentials.peer, device }, now)
  if (!reservation.allowed) {
    const { retryAfter, lockedOut } = reservation
    throw new AppError('too-many-attempts', { retryAfter, lockedOut })
  }
  const matches = await verifyPassword(found?.passwordHash ?? null, credentials.password)
  if (!found || !matches) return null
  await forgiveAttempts(db, { account, device }, reservation.ids)
  const isKnownBrowser = device !== null
  if (!found.passwordHash || !isOutdatedHash(found.passwordHash)) return { ...found, isKnownBrowser }
  const passwordHash = await hashPassword(credentials.password)
  if (await replaceHash(db, found, passwordHash)) return { ...found, passwordHash, isKnownBrowser }
  // Replaced meanwhile: by another sign-in with the same password, or because the password was changed.
  const current = await findAccountById(db, found.id)
  const isStillRight = current !== null && (await verifyPassword(current.passwordHash, credentials.password))
  return isStillRight ? { ...current, isKnownBrowser } : null
}

/**
 * Ends a sign-in and returns its entry in the activity log, which the caller writes at the end of the transaction; null if
 * it has ended already.
 */
export async function endSession(tx: Database, sessionId: string, now: Date): Promise<UserEntry | null> {
  const [ended] = await tx
    .update(sessions)
    .set({ endedAt: now })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.endedAt)))
    .returning({ userId: sessions.userId })
  if (!ended) return null
  await deleteProviderTokens(tx, [{ id: sessionId }])
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, ended.userId))
  return {
    person: ended,
    at: now,
    actor: user?.email ?? 'unknown',
    action: 'session.ended',
    objectKind: 'session',
    objectId: sessionId,
    details: {},
  }
}

/** Ends a sign-in and logs it; no effect if it has ended already. */
export function signOut(db: Database, sessionId: string, now: Date): Promise<void> {
  return db.transaction(async (transaction) => {
    const ended = await endSession(transaction, sessionId, now)
    if (ended) await appendUserActivity(transaction, ended)
  })
}

/**
 * Signs a user in: a new row of `sessions` replaces the browser's previous one, with an entry in the activity log of each
 * of the user's merchants. Null for wrong credentials; throws AppError 'too-many-attempts'. Refusals are logged within
 * bounds (see recordRefusedSignIn).
 */
export async function signIn(
  db: Database,
  credentials: Credentials,
  previous: SessionClaims | null,
  now: Date,
): Promise<SessionClaims | null> {
  const { peer } = credentials
  // Only addresses are logged: people also type passwords into this field.
  const refused = { at: now, email: canonicalEmail(credentials.email), peer }
  const account = await authenticate(db, credentials, now).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'too-many-attempts')
      recordRefusedSignIn(db, { ...refused, lockedOut: error.evidence.lockedOut })
    throw error
  })
  const claims =
    account &&
    (await beginSession(db, account, { peer, passkeyId: null, isKnownBrowser: account.isKnownBrowser }, previous, now))
  if (!claims) recordRefusedSignIn(db, refused)
  return claims
}

/** Whether what a sign-in was verified by, a passkey or else the password, still opens the account, which is locked. */
async function stillOpens(tx: Database, account: Account, passkeyId: string | null): Promise<boolean> {
  const current = await findAccountById(tx, account.id)
  if (passkeyId === null) return current !== null && current.passwordHash === account.passwordHash
  return current !== null && (await tx.$count(authenticators, eq(authenticators.id, passkeyId))) > 0
}

/**
 * Starts the session of a verified account. Null when the account was closed or lost the password or passkey since it was
 * verified: whoever takes them away ends only the sign-ins that there are.
 */
async function beginSession(
  db: Database,
  account: Account,
  { peer, passkeyId, isKnownBrowser }: { peer: string; passkeyId: string | null; isKnownBrowser: boolean },
  previous: SessionClaims | null,
  now: Date,
): Promise<SessionClaims | null> {
  const factor: ProvenFactor | null = passkeyId === null ? null : 'passkey'
  const claims = await db.transaction(async (transaction) => {
    await lockAccount(transaction, account.id)
    if (!(await stillOpens(transaction, account, passkeyId))) return null
    const ended = previous && (await endSession(transaction, previous.sid, now))
    const sid = await startSession(transaction, account.id, now, { factor })
    if (!isKnownBrowser) {
      const browser = describeBrowser(getRequestContext()?.userAgent ?? null)
      await queueNewDeviceMail(transaction, { userId: account.id, sessionId: sid, browser, peer, at: now })
    }
    if (ended) await appendUserActivity(transaction, ended)
    await appendUserActivity(transaction, {
      at: now,
      person: { userId: account.id },
      actor: account.email,
      action: 'session.started',
      objectKind: 'session',
      objectId: sid,
      details: { from: peer, ...(factor && { factor }) },
    })
    return { sub: account.id, sid }
  })
  if (claims) countSignIn('accepted')
  return claims
}

/**
 * Signs in by a passkey alone, which its owner has unlocked: both factors in one. Not for accounts of the OpenID
 * provider. `answer` is the browser's, as JSON. Null
 * when it is not right; throws AppError 'too-many-attempts'.
 */
export async function signInWithPasskey(
  db: Database,
  { answer, peer, deviceCookie }: { answer: string; peer: string; deviceCookie: string | undefined },
  previous: SessionClaims | null,
  now: Date,
): Promise<SessionClaims | null> {
  const reservation = await reserveAttempt(db, { purpose: 'passkey', account: '', peer }, now)
  if (!reservation.allowed) {
    countSignIn('locked-out')
    throw new AppError('too-many-attempts', { retryAfter: reservation.retryAfter })
  }
  const passkey = await verifyPasskey(db, parseAnswer(answer), null, now)
  // The provider decides who still comes in, and how. Its people prove a factor with their passkeys.
  const isProvided = passkey !== null && (await db.$count(identities, eq(identities.userId, passkey.userId))) > 0
  const account = passkey !== null && !isProvided ? await findAccountById(db, passkey.userId) : null
  if (passkey && account) await withdrawAttempt(db, reservation.ids)
  const isKnownBrowser = account !== null && readKnownDevice(deviceCookie, account, now) !== null
  const claims =
    passkey &&
    account &&
    (await beginSession(db, account, { peer, passkeyId: passkey.id, isKnownBrowser }, previous, now))
  if (!claims) recordRefusedSignIn(db, { at: now, email: null, peer })
  return claims
}

function parseAnswer(text: string): object {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' && answer !== null ? answer : {}
  } catch {
    return {}
  }
}
