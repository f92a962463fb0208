import { and, asc, eq, isNotNull, isNull, type SQL } from 'drizzle-orm'
import { databaseTime } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import type { Authenticator, FactorProof, ProvenFactor } from '@/lib/domain/second-factor'
import { appendUserActivity } from '../activity-log/append'
import { endSurplusSessions, renewSessionId } from '../auth/sessions'
import { reserveAttempt, withdrawAttempt } from '../auth/throttle'
import { lockAccount } from '../auth/users'
import { AppError } from '../runtime/app-error'
import { authenticators } from '../store/factor-schema'
import { sessions } from '../store/schema'
import { verifyPasskey } from './passkeys'
import { queueFactorMail } from '../mail/security-mails'
import { takeRecoveryCode } from './recovery-codes'
import { verifyTotp } from './totp'

/** The factors of a user that count. */
export const isOwnFactor = (userId: string): SQL | undefined =>
  and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedAt))

/** A user's apps and passkeys, oldest first. */
export async function listAuthenticators(db: Database, userId: string): Promise<Authenticator[]> {
  const rows = await db.select().from(authenticators).where(isOwnFactor(userId)).orderBy(asc(authenticators.createdAt))
  return rows.map(({ id, kind, name, createdAt, lastUsedAt }) => ({
    authenticatorId: id,
    kind,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }))
}

type SignIn = { sessionId: string; userId: string; email: string }

/**
 * Where a proof comes from. `device`: a full session, which has its own count of attempts; null at the sign-in. Never a
 * browser that is known to the account: the password alone makes one.
 */
type Source = { peer: string; device: string | null }

/** Logs a change or a proof of factors with all merchants of the account. */
export async function logFactor(
  tx: Database,
  signIn: SignIn,
  action: string,
  details: object,
  now: Date,
): Promise<void> {
  await appendUserActivity(tx, {
    person: signIn,
    at: now,
    actor: signIn.email,
    action,
    objectKind: action.startsWith('session.') ? 'session' : 'user',
    objectId: action.startsWith('session.') ? signIn.sessionId : signIn.email,
    details: { ...details },
  })
}

async function verifyProof(db: Database, signIn: SignIn, proof: FactorProof, now: Date): Promise<ProvenFactor | null> {
  const { userId } = signIn
  if ('passkey' in proof) return (await verifyPasskey(db, proof.passkey, signIn, now)) ? 'passkey' : null
  if ('code' in proof) return (await verifyTotp(db, userId, proof.code, now)) ? 'totp' : null
  return (await takeRecoveryCode(db, userId, proof.recoveryCode, now)) ? 'recovery' : null
}

async function markProven(tx: Database, sessionId: string, factor: ProvenFactor): Promise<string> {
  await tx
    .update(sessions)
    .set({ factor, provenAt: databaseTime() })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.endedAt)))
  return sessionId
}

/**
 * Proves the second factor of a sign-in, which counts from then on and is recent. Throttled like passwords. Returns the
 * id under which it goes on: a new one where it lacked the factor. Throws AppError 'too-many-attempts', 'signed-out' and
 * 'wrong-code', which is logged.
 */
export async function proveFactor(
  db: Database,
  signIn: SignIn,
  proof: FactorProof,
  { peer, device }: Source,
  now: Date,
): Promise<string> {
  const purpose = 'code' in proof ? 'code' : 'recoveryCode' in proof ? 'recovery code' : 'passkey'
  const reservation = await reserveAttempt(db, { purpose, account: signIn.email, peer, device }, now)
  if (!reservation.allowed) throw new AppError('too-many-attempts', { retryAfter: reservation.retryAfter })
  const factor = await verifyProof(db, signIn, proof, now)
  const { sessionId } = signIn
  const provenId = await db.transaction(async (tx) => {
    if (factor === null) {
      await logFactor(tx, signIn, 'session.factor-refused', { from: peer }, now)
      return null
    }
    // Whoever ends all sign-ins meanwhile must find the one that goes on under a new id.
    await lockAccount(tx, signIn.userId)
    const id =
      device === null ? await renewSessionId(tx, sessionId, factor, now) : await markProven(tx, sessionId, factor)
    await endSurplusSessions(tx, signIn.userId, now)
    if (factor === 'recovery') await queueFactorMail(tx, signIn.userId, 'recoveryUsed', now)
    const renewed = id === sessionId ? {} : { continuedAs: id }
    await logFactor(tx, signIn, 'session.factor-proven', { from: peer, factor, ...renewed }, now)
    return id
  })
  if (provenId === null) throw new AppError('wrong-code')
  // Only this attempt: the right code of the owner must not refill a guesser's tries.
  await withdrawAttempt(db, reservation.ids)
  return provenId
}
