import { and, eq, ne } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import type { AddedFactor, TotpSetup } from '@/lib/domain/second-factor'
import { revokeTokensOf } from '../api-tokens/revoke-tokens'
import { queueFactorMail } from '../mail/security-mails'
import { getFactorDue, readLiveSession, renewSessionId } from '../auth/sessions'
import { requireRecentPassword } from '../auth/step-up'
import { endSessionsOf, lockAccount } from '../auth/users'
import { AppError } from '../runtime/app-error'
import { apiTokens } from '../store/api-token-schema'
import { authenticators, factorResets, recoveryCodes } from '../store/factor-schema'
import { sessions } from '../store/schema'
import { addPasskey, beginPasskey } from './passkeys'
import type { FactorSession } from './pending-session'
import { isOwnFactor, logFactor } from './prove-factor'
import { makeRecoveryCodes } from './recovery-codes'
import { beginTotp, confirmTotp } from './totp'
import * as m from '@/lib/messages/m'

/**
 * Who may change factors: the owner with a recent proof, or somebody who must add one, within 15 minutes of the
 * password. Throws AppError 'signed-out' and 'step-up'.
 */
async function requireOwner(session: FactorSession): Promise<void> {
  if (session.due === 'enter') throw new AppError('signed-out')
  if (session.due === null) await requireRecentPassword(session)
}

/**
 * Locks the account in the transaction that changes its factors, and checks that the sign-in is still what it was.
 * Throws AppError 'signed-out'.
 */
async function lockOwner(tx: Database, { userId, sessionId, due }: FactorSession, now: Date): Promise<void> {
  await lockAccount(tx, userId)
  const live = await readLiveSession(tx, { sub: userId, sid: sessionId }, now, { pending: true, quiet: true })
  if (!live || getFactorDue(live) !== due) throw new AppError('signed-out')
}

/** Apps and passkeys of an account. */
const MAX_FACTORS = 20

/** Returns how many factors the account has. Throws AppError 'not-possible' where there is no room for another. */
async function assertRoom(db: Database, userId: string): Promise<number> {
  const count = await db.$count(authenticators, isOwnFactor(userId))
  if (count >= MAX_FACTORS)
    throw new AppError('not-possible', { detail: m.secondFactor_tooMany({ count: MAX_FACTORS }) })
  return count
}

/** Begins to add an app. Throws AppError 'signed-out', 'step-up' and 'not-possible'. */
export async function beginApp(db: Database, session: FactorSession, now: Date): Promise<TotpSetup> {
  await requireOwner(session)
  await assertRoom(db, session.userId)
  return beginTotp(db, { id: session.userId, email: session.email }, now)
}

/** Begins to add a passkey. Throws AppError 'signed-out', 'step-up' and 'not-possible'. */
export async function beginOwnPasskey(db: Database, session: FactorSession, now: Date) {
  await requireOwner(session)
  await assertRoom(db, session.userId)
  return beginPasskey(db, session, now)
}

type NewFactor =
  | { kind: 'totp'; authenticatorId: string; name: string; code: string }
  | { kind: 'passkey'; name: string; response: unknown }

/**
 * Adds a factor, which proves the sign-in too; other sign-ins of the account need it from their next request. With the
 * first factor come recovery codes. A sign-in that lacked one goes on under a new id (`sessionId`). Throws AppError 'wrong-code', 'too-many-attempts',
 * 'signed-out', 'step-up', 'not-possible', and 'conflict' for an app whose setup is over.
 */
export async function addFactor(
  db: Database,
  session: FactorSession,
  factor: NewFactor,
  now: Date,
): Promise<{ added: AddedFactor; sessionId: string }> {
  await requireOwner(session)
  const { userId, due } = session
  return db.transaction(async (tx) => {
    await lockOwner(tx, session, now)
    const isFirst = (await assertRoom(tx, userId)) === 0
    const authenticatorId =
      factor.kind === 'passkey'
        ? await addPasskey(tx, userId, factor, now)
        : (await confirmTotp(tx, userId, factor, now)) && factor.authenticatorId
    if (!authenticatorId) throw new AppError('wrong-code')
    if (due === null) await tx.update(sessions).set({ factor: factor.kind }).where(eq(sessions.id, session.sessionId))
    const sessionId = due === null ? session.sessionId : await renewSessionId(tx, session.sessionId, factor.kind, now)
    // What was asked for was another factor.
    await tx.delete(factorResets).where(eq(factorResets.userId, userId))
    const renewed = sessionId === session.sessionId ? {} : { continuedAs: sessionId }
    const recoveryCodes = isFirst ? await makeRecoveryCodes(tx, userId) : null
    await queueFactorMail(tx, userId, 'added', now)
    await logFactor(tx, session, 'user.factor-added', { kind: factor.kind, name: factor.name, ...renewed }, now)
    return { added: { authenticatorId, recoveryCodes }, sessionId }
  })
}

/**
 * Removes one of the owner's factors; with the last one go the recovery codes. Throws AppError 'step-up', 'not-found' and
 * 'not-possible' for the last one where a merchant requires it.
 */
export async function removeFactor(db: Database, session: FactorSession, id: string, now: Date): Promise<void> {
  await requireOwner(session)
  await db.transaction(async (tx) => {
    await lockOwner(tx, session, now)
    const [removed] = await tx
      .delete(authenticators)
      .where(and(eq(authenticators.id, id), isOwnFactor(session.userId)))
      .returning({ kind: authenticators.kind, name: authenticators.name })
    if (!removed) throw new AppError('not-found')
    if ((await tx.$count(authenticators, isOwnFactor(session.userId))) === 0) {
      if (session.needsFactor) throw new AppError('not-possible', { detail: m.secondFactor_isRequired() })
      await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, session.userId))
      await tx
        .update(sessions)
        .set({ factor: null })
        .where(and(eq(sessions.userId, session.userId), ne(sessions.factor, 'provider')))
      await tx.update(apiTokens).set({ withFactor: false }).where(eq(apiTokens.userId, session.userId))
    }
    // Whoever held what is removed may be signed in.
    await endSessionsOf(tx, session.userId, now, session.sessionId)
    await queueFactorMail(tx, session.userId, 'removed', now)
    await logFactor(tx, session, 'user.factor-removed', removed, now)
  })
}

/** Replaces the owner's recovery codes. Throws AppError 'step-up', and 'not-possible' without a factor. */
export async function renewRecoveryCodes(db: Database, session: FactorSession, now: Date): Promise<string[]> {
  await requireOwner(session)
  return db.transaction(async (tx) => {
    await lockOwner(tx, session, now)
    if ((await tx.$count(authenticators, isOwnFactor(session.userId))) === 0)
      throw new AppError('not-possible', { detail: m.secondFactor_addOneFirst() })
    await endSessionsOf(tx, session.userId, now, session.sessionId)
    const codes = await makeRecoveryCodes(tx, session.userId)
    await queueFactorMail(tx, session.userId, 'codes-renewed', now)
    await logFactor(tx, session, 'user.recovery-codes-made', {}, now)
    return codes
  })
}

/**
 * Removes all factors of an account, for people who lost them, and revokes its API tokens. The caller ends its sign-ins
 * first, so that none makes another token meanwhile.
 */
export async function removeAllFactors(tx: Database, userId: string, now: Date): Promise<void> {
  const removed = await tx
    .delete(authenticators)
    .where(eq(authenticators.userId, userId))
    .returning({ confirmedAt: authenticators.confirmedAt })
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx.delete(factorResets).where(eq(factorResets.userId, userId))
  await revokeTokensOf(tx, { userId }, 'desk', now)
  if (removed.some(({ confirmedAt }) => confirmedAt !== null)) await queueFactorMail(tx, userId, 'removed', now)
}
