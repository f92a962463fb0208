import { randomUUID } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { and, eq, isNotNull, isNull, ne, type SQL } from 'drizzle-orm'
import type { Role } from '@/lib/api-contract/permission'
import type { Database } from '@/lib/database/database'
import { revokeTokensOf } from '../api-tokens/revoke-tokens'
import { queuePasswordMail } from '../mail/security-mails'
import { AppError } from '../runtime/app-error'
import { connections, memberships, sessions, users } from '../store/schema'
import { explainPassword, hashPassword, type PasswordOwner } from './passwords'
import { deleteProviderTokens } from './provider-tokens'
import * as m from '@/lib/messages/m'

/** Of a canonical address (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254

/**
 * The canonical form of an e-mail, under which accounts are stored and found: NFKC, trimmed, lower case, with the domain
 * in ASCII without a trailing dot. Null for anything else and for a local part outside printable ASCII, so that
 * look-alike or invisible characters cannot create a second account (SE-16).
 */
export function canonicalEmail(given: string): string | null {
  if (given.length > 320 || !given.isWellFormed()) return null
  const text = given.normalize('NFKC').trim().toLowerCase()
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const host = text.slice(at + 1)
  // It reads a host as in an address (URL): what follows it, and escapes, it would pass over, and numbers become an IP.
  const domain = /[\s#%/:?@[\\\]]/u.test(host) ? '' : domainToASCII(host.replace(/\.$/u, ''))
  const email = `${local}@${domain}`
  if (/\.\d+$/u.test(domain)) return null
  if (!/^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/u.test(email)) return null
  return email.length <= MAX_EMAIL_LENGTH ? email : null
}

export type Account = { id: string; email: string; passwordHash: string | null }

/** A new account: the e-mail as typed, the role at one connection, and whether it is a demo sign-in. */
export type NewUser = { email: string; password: string; role: Role; connectionId: string; demo?: boolean }

/** Throws AppError 'bad-request' with the reason under `password`. */
async function checkPassword(password: string, owner: PasswordOwner): Promise<void> {
  const reason = await explainPassword(password, owner)
  if (reason) throw new AppError('bad-request', { errors: { password: [reason] } })
}

/** The enabled account with this canonical e-mail that has a role at any merchant, or null. */
export function findAccount(db: Database, email: string): Promise<Account | null> {
  return findEnabledAccount(db, eq(users.email, email))
}

/** The same by its id. */
export function findAccountById(db: Database, userId: string): Promise<Account | null> {
  return findEnabledAccount(db, eq(users.id, userId))
}

async function findEnabledAccount(db: Database, which: SQL): Promise<Account | null> {
  const [account] = await db
    .select({ id: users.id, email: users.email, passwordHash: users.passwordHash })
    .from(users)
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .innerJoin(connections, and(eq(connections.connectionId, memberships.connectionId), isNull(connections.removedAt)))
    .where(and(which, isNull(users.disabledAt)))
    .limit(1)
  return account ?? null
}

/** Whether any account can sign in with a password. */
export async function hasPasswordUsers(db: Database): Promise<boolean> {
  const [one] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(isNotNull(users.passwordHash), isNull(users.disabledAt)))
    .limit(1)
  return one !== undefined
}

/**
 * Creates an account with its membership, in one transaction that ends with `beside`, and returns its id. Throws AppError 'bad-request' (errors under `email` or
 * `password`) and 'conflict' when the canonical e-mail already has an account.
 */
export async function createUser(
  db: Database,
  { email, password, role, connectionId, demo }: NewUser,
  beside?: (tx: Database) => Promise<void>,
): Promise<string> {
  const canonical = canonicalEmail(email)
  if (!canonical) throw new AppError('bad-request', { errors: { email: [m.fields_mustBeAnEmailAddress()] } })
  const named = await db
    .select({ name: connections.name })
    .from(connections)
    .where(eq(connections.connectionId, connectionId))
  await checkPassword(password, { email: canonical, merchants: named.map(({ name }) => name), replaced: null })
  const id = randomUUID()
  const passwordHash = await hashPassword(password)
  await db.transaction(async (transaction) => {
    const made = await transaction
      .insert(users)
      .values({ id, email: canonical, passwordHash, demo: demo ?? false })
      .onConflictDoNothing()
      .returning({ id: users.id })
    if (made.length === 0)
      throw new AppError('conflict', { detail: m.refusals_thereIsAnAccountForAlready({ email: canonical }) })
    await transaction.insert(memberships).values({ connectionId, userId: id, role })
    await beside?.(transaction)
  })
  return id
}

/**
 * Locks an account in a transaction that begins a sign-in or changes how one may begin, and returns it as it is now: until
 * the commit nobody else does either, on any desk. Lock it before the account's other rows and before the activity log is
 * written, or two transactions may wait for each other. Rows that refer to the account are not kept waiting.
 */
export async function lockAccount(
  tx: Database,
  userId: string,
): Promise<{ passwordHash: string | null; disabledAt: Date | null } | undefined> {
  const [account] = await tx
    .select({ passwordHash: users.passwordHash, disabledAt: users.disabledAt })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update')
  return account
}

/** Ends all sign-ins of an account, except `kept`; those that are just beginning too, for which it waits. */
export async function endSessionsOf(tx: Database, userId: string, now: Date, kept?: string): Promise<void> {
  await lockAccount(tx, userId)
  const ended = await tx
    .update(sessions)
    .set({ endedAt: now })
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt), kept ? ne(sessions.id, kept) : undefined))
    .returning({ id: sessions.id })
  await deleteProviderTokens(tx, ended)
}

async function listMerchantNames(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .select({ name: connections.name })
    .from(memberships)
    .innerJoin(connections, eq(connections.connectionId, memberships.connectionId))
    .where(eq(memberships.userId, userId))
  return rows.map(({ name }) => name)
}

/** The sign-in in which an owner changes the password, and the hash that they have proven to know the password of. */
type OwnChange = { sessionId: string; passwordHash: string | null }

/** Another tab, or somebody with a link, may have changed the password since the current one was verified. */
async function assertUnchanged(
  tx: Database,
  current: string | null,
  { sessionId, passwordHash }: OwnChange,
): Promise<void> {
  const [open] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), isNull(sessions.endedAt)))
    .for('update')
  if (!open) throw new AppError('signed-out')
  if (current !== passwordHash) throw new AppError('conflict', { detail: m.refusals_passwordWasJustChanged() })
}

/**
 * Changes an account's password, ends its sign-ins and tells its owner by mail, in one transaction that ends with `beside`.
 * With `own` that sign-in is kept. Throws AppError 'bad-request' (errors under `password`), and with `own` 'signed-out' and
 * 'conflict'.
 */
export async function changePassword(
  db: Database,
  account: Pick<Account, 'id' | 'email'>,
  password: string,
  now: Date,
  beside?: (tx: Database) => Promise<void>,
  own?: OwnChange,
): Promise<void> {
  const [before] = await db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, account.id))
  const replaced = before?.passwordHash ?? null
  await checkPassword(password, { email: account.email, merchants: await listMerchantNames(db, account.id), replaced })
  const passwordHash = await hashPassword(password)
  await db.transaction(async (transaction) => {
    const locked = await lockAccount(transaction, account.id)
    if (own) await assertUnchanged(transaction, locked?.passwordHash ?? null, own)
    await transaction.update(users).set({ passwordHash }).where(eq(users.id, account.id))
    await endSessionsOf(transaction, account.id, now, own?.sessionId)
    await queuePasswordMail(transaction, account.id, now)
    await beside?.(transaction)
  })
}

/**
 * Replaces the hash of an unchanged password with one of current parameters; sign-ins stay valid. Returns whether it was
 * still there.
 */
export async function replaceHash(db: Database, account: Account, passwordHash: string): Promise<boolean> {
  const replaced = await db
    .update(users)
    .set({ passwordHash })
    .where(and(eq(users.id, account.id), eq(users.passwordHash, account.passwordHash ?? '')))
    .returning({ id: users.id })
  return replaced.length > 0
}

/** Disables an account, ends its sign-ins and revokes its API tokens; its rows stay for the record. */
export async function disableUser(db: Database, userId: string, now: Date): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.update(users).set({ disabledAt: now }).where(eq(users.id, userId))
    await endSessionsOf(transaction, userId, now)
    await revokeTokensOf(transaction, { userId }, 'desk', now)
  })
}

/** Whether an account has a password here, rather than only an OpenID provider. */
export async function hasPassword(db: Database, userId: string): Promise<boolean> {
  return (await db.$count(users, and(eq(users.id, userId), isNotNull(users.passwordHash)))) === 1
}
