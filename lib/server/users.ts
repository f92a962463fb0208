import { randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import type { Role } from '@/lib/contract/permission'
import type { Database } from '@/lib/database/open-database'
import { canonicalEmail } from './canonical-email'
import { Failure } from './failure'
import { explainPassword, hashPassword } from './password'
import { memberships, sessions, users } from './store/schema'

/** An account as signing in needs it. */
export type Account = { id: string; email: string; passwordHash: string | null }

/** A new account: its e-mail as typed, its role at one connection, and whether it is a demo sign-in. */
export type NewUser = { email: string; password: string; role: Role; connectionId: string; demo?: boolean }

async function checkPassword(password: string, email: string): Promise<void> {
  const reason = await explainPassword(password, email)
  if (reason) throw new Failure('bad-request', { errors: { password: [reason] } })
}

/** The enabled account with this canonical e-mail that has a role at the connection, or null. */
export async function findAccount(db: Database, connectionId: string, email: string): Promise<Account | null> {
  const [account] = await db
    .select({ id: users.id, email: users.email, passwordHash: users.passwordHash })
    .from(users)
    .innerJoin(memberships, and(eq(memberships.userId, users.id), eq(memberships.connectionId, connectionId)))
    .where(and(eq(users.email, email), isNull(users.disabledAt)))
  return account ?? null
}

/**
 * Makes an account with its membership and answers its id. Throws Failure 'bad-request' (errors under
 * `email` or `password`) and 'conflict' when the e-mail, in its canonical form, has an account already.
 */
export async function createUser(
  db: Database,
  { email, password, role, connectionId, demo }: NewUser,
): Promise<string> {
  const canonical = canonicalEmail(email)
  if (!canonical) throw new Failure('bad-request', { errors: { email: ['must be an e-mail address'] } })
  await checkPassword(password, canonical)
  const id = randomUUID()
  const passwordHash = await hashPassword(password)
  await db.transaction(async (transaction) => {
    const made = await transaction
      .insert(users)
      .values({ id, email: canonical, passwordHash, demo: demo ?? false })
      .onConflictDoNothing()
      .returning({ id: users.id })
    if (made.length === 0) throw new Failure('conflict', { detail: `There is an account for ${canonical} already.` })
    await transaction.insert(memberships).values({ connectionId, userId: id, role })
  })
  return id
}

async function endSessionsOf(db: Database, userId: string, now: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ endedAt: now })
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt)))
}

/** Gives an account a new password and ends its sign-ins. Throws Failure 'bad-request'. */
export async function changePassword(db: Database, account: Account, password: string, now: Date): Promise<void> {
  await checkPassword(password, account.email)
  const passwordHash = await hashPassword(password)
  await db.transaction(async (transaction) => {
    await transaction.update(users).set({ passwordHash }).where(eq(users.id, account.id))
    await endSessionsOf(transaction, account.id, now)
  })
}

/** Stores the hash of the same password made with today's parameters; sign-ins go on. */
export async function replaceHash(db: Database, account: Account, passwordHash: string): Promise<void> {
  await db
    .update(users)
    .set({ passwordHash })
    .where(and(eq(users.id, account.id), eq(users.passwordHash, account.passwordHash ?? '')))
}

/** Closes an account and ends its sign-ins; its rows stay for the record. */
export async function disableUser(db: Database, userId: string, now: Date): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.update(users).set({ disabledAt: now }).where(eq(users.id, userId))
    await endSessionsOf(transaction, userId, now)
  })
}
