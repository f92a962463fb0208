import { and, eq, isNull, sql } from 'drizzle-orm'
import { databaseTime } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import { appendActivity, appendUserActivity } from '../activity-log/append'
import { AppError } from '../runtime/app-error'
import type { FactorProof } from '@/lib/domain/second-factor'
import { proveFactor } from '../second-factor/prove-factor'
import { hasFactor } from '../store/factor-schema'
import { sessions, users } from '../store/schema'
import { requireStore } from '../store/store'
import { endPasswordLinks } from '../team/password-links'
import { verifyPassword } from './passwords'
import type { Session } from './session'
import { forgiveAttempts, reserveAttempt } from './throttle'
import { changePassword } from './users'
import * as m from '@/lib/messages/m'

const PROOF_LIFETIME_MS = 5 * 60_000

type ProvingAccount = { passwordHash: string | null; hasFactor: boolean }

/** The AppError 'step-up' of `requireRecentPassword`. `why` is added where the reason isn't obvious. */
export function createStepUpError(account: ProvingAccount | undefined, why?: string): AppError {
  const { passwordHash = '', hasFactor = false } = account ?? {}
  const detail = hasFactor ? m.refusals_thisNeedsYourSecondFactor() : m.refusals_thisNeedsYourPassword()
  const proof = hasFactor ? 'factor' : passwordHash === null ? 'provider' : 'password'
  return new AppError('step-up', {
    detail: [why, detail].filter(Boolean).join(' '),
    extensions: { proof, ...(why && { why }) },
  })
}

/**
 * Requires that the user has authenticated within the last five minutes, for the most consequential actions: bulk
 * cancellation, the team, merchants, callback addresses and whole lists (docs/decisions/0123-limits-for-people.md).
 * Throws AppError 'step-up' with `proof`: `password` is entered again and `factor` proven again (POST
 * /api/desk/sessions/current/proof), `provider` means signing in again at the OpenID provider.
 */
export async function requireRecentPassword(session: Pick<Session, 'sessionId' | 'userId'>, now?: Date): Promise<void> {
  const db = await requireStore()
  const [row] = await db
    .select({
      provenAt: sessions.provenAt,
      // By the database's clock, which wrote it; the clocks of desks differ.
      age: sql<number>`extract(epoch from ${databaseTime()} - ${sessions.provenAt})::float8 * 1000`,
      passwordHash: users.passwordHash,
      hasFactor,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, session.sessionId), eq(sessions.userId, session.userId), isNull(sessions.endedAt)))
  const age = row && (now ? now.getTime() - row.provenAt.getTime() : row.age)
  if (age !== undefined && age < PROOF_LIFETIME_MS) return
  throw createStepUpError(row)
}

/**
 * Verifies the password of a signed-in user, counted like an attempt to sign in. Returns the hash that it was verified
 * against. Throws AppError 'too-many-attempts' and 'wrong-password', which is logged.
 */
async function checkOwnPassword(
  db: Database,
  session: Session,
  { password, peer }: { password: string; peer: string },
  now: Date,
): Promise<string | null> {
  // Counted per session: outsiders cannot exhaust these attempts, and only the password creates another session.
  const attempt = { purpose: 'password' as const, account: session.email, peer, device: session.sessionId }
  const reservation = await reserveAttempt(db, attempt, now)
  if (!reservation.allowed) throw new AppError('too-many-attempts', { retryAfter: reservation.retryAfter })
  const [user] = await db.select({ hash: users.passwordHash }).from(users).where(eq(users.id, session.userId))
  const hash = user?.hash ?? null
  if (await verifyPassword(hash, password)) {
    await forgiveAttempts(db, attempt, reservation.ids)
    return hash
  }
  await db.transaction((tx) => logProof(tx, session, 'session.proof-refused', peer, now))
  throw new AppError('wrong-password')
}

async function logProof(tx: Database, session: Session, action: string, peer: string, now: Date): Promise<void> {
  await appendActivity(tx, {
    connectionId: session.scope.connectionId,
    at: now,
    actor: session.email,
    action,
    objectKind: 'session',
    objectId: session.sessionId,
    details: { from: peer },
  })
}

/** What a user gives to prove who they are. */
type GivenProof = { password?: string | undefined; factor?: FactorProof | undefined; peer: string }

/**
 * Proves a signed-in user for `requireRecentPassword`: by the password, for accounts with a second factor by the
 * password and a code, or by a passkey alone. Throws AppError 'too-many-attempts', 'wrong-password', 'wrong-code' and,
 * when something is missing, 'step-up'.
 */
export async function proveAgain(db: Database, session: Session, given: GivenProof, now: Date): Promise<void> {
  const { password, factor, peer } = given
  const [account] = await db
    .select({ passwordHash: users.passwordHash, hasFactor })
    .from(users)
    .where(eq(users.id, session.userId))
  const isPasskey = factor !== undefined && 'passkey' in factor
  if (account?.hasFactor && factor === undefined) throw createStepUpError(account)
  if (!(account?.hasFactor && (isPasskey || account.passwordHash === null))) {
    if (password === undefined) throw createStepUpError(account)
    await checkOwnPassword(db, session, { password, peer }, now)
  }
  if (account?.hasFactor && factor) {
    await proveFactor(db, session, factor, { peer, device: session.sessionId }, now)
    return
  }
  await db.transaction(async (tx) => {
    await tx
      .update(sessions)
      .set({ provenAt: databaseTime() })
      .where(and(eq(sessions.id, session.sessionId), isNull(sessions.endedAt)))
    await logProof(tx, session, 'session.proven', peer, now)
  })
}

/**
 * Changes the user's own password after verifying the old one; all other sign-ins and password links end (SE-07). Throws
 * AppError 'wrong-password', 'too-many-attempts', 'bad-request' (errors under `password`), 'signed-out', 'conflict' and, for
 * accounts with a second factor, 'step-up'.
 */
export async function changeOwnPassword(
  session: Session,
  { current, password, peer }: { current: string; password: string; peer: string },
  now = new Date(),
): Promise<void> {
  const db = await requireStore()
  const [user] = await db
    .select({ id: users.id, email: users.email, hasFactor })
    .from(users)
    .where(eq(users.id, session.userId))
  if (!user) throw new AppError('signed-out')
  if (user.hasFactor) await requireRecentPassword(session)
  const passwordHash = await checkOwnPassword(db, session, { password: current, peer }, now)
  await changePassword(
    db,
    user,
    password,
    now,
    async (tx) => {
      await endPasswordLinks(tx, user.id, now)
      await appendUserActivity(tx, {
        person: session,
        at: now,
        actor: session.email,
        action: 'user.password-changed',
        objectKind: 'user',
        objectId: session.email,
        details: {},
      })
    },
    { sessionId: session.sessionId, passwordHash },
  )
}
