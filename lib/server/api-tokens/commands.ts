import { randomUUID } from 'node:crypto'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { getRolesWithin } from '@/lib/api-contract/permission'
import type { Database } from '@/lib/database/database'
import type { ApiTokenRequest, MadeApiToken } from '@/lib/domain/api-tokens'
import { appendActivities, appendActivity } from '../activity-log/append'
import type { Session } from '../auth/session'
import { lockAccess } from '../auth/lock-access'
import { queueTokenMail } from '../mail/security-mails'
import { AppError } from '../runtime/app-error'
import { apiTokens } from '../store/api-token-schema'
import { users } from '../store/schema'
import { areTokensImpossible, listLifetimes, viewToken } from './queries'
import { createTokenText } from './token-text'
import * as m from '@/lib/messages/m'

/** Valid tokens of a person at one merchant. */
const MAX_TOKENS = 20
const DAY_MS = 24 * 60 * 60_000

async function assertPossible(db: Database, session: Session, { role, days }: ApiTokenRequest): Promise<void> {
  if (areTokensImpossible()) throw new AppError('not-possible', { detail: m.apiTokens_impossibleHere() })
  if (!getRolesWithin(session.role).includes(role))
    throw new AppError('bad-request', { errors: { role: [m.apiTokens_roleIsMoreThanYours()] } })
  const lifetimes = await listLifetimes(db, session.userId)
  if (!lifetimes.includes(days))
    throw new AppError('bad-request', { errors: { days: [m.apiTokens_livesTooLong({ days: lifetimes.at(-1) ?? 0 })] } })
}

/** Serialises what a person makes, so that each request counts the others' tokens. Throws AppError as `makeToken`. */
async function assertRoom(tx: Database, { userId, scope }: Session, name: string, now: Date): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`api tokens ${userId}`}, 0))`)
  const valid = await tx
    .select({ name: apiTokens.name })
    .from(apiTokens)
    .where(
      and(
        eq(apiTokens.userId, userId),
        eq(apiTokens.connectionId, scope.connectionId),
        isNull(apiTokens.revokedAt),
        gt(apiTokens.expiresAt, now),
      ),
    )
  if (valid.length >= MAX_TOKENS)
    throw new AppError('not-possible', { detail: m.apiTokens_tooMany({ most: MAX_TOKENS }) })
  // The activity log names a token by its name and its person.
  if (valid.some((one) => one.name === name))
    throw new AppError('bad-request', { errors: { name: [m.apiTokens_nameIsTaken()] } })
}

/**
 * Makes a token of the session's person for the session's merchant, and tells its owner by mail. Its text is returned only
 * here. The caller requires a recent proof. Throws AppError 'not-possible' and 'bad-request' (errors under `role`, `days`
 * or `name`), and as `lockAccess`.
 */
export async function makeToken(
  db: Database,
  session: Session,
  request: ApiTokenRequest,
  now = new Date(),
): Promise<MadeApiToken> {
  await assertPossible(db, session, request)
  const { name, role, days } = request
  const { text, prefix, hash } = createTokenText()
  const { connectionId } = session.scope
  const expiresAt = new Date(now.getTime() + days * DAY_MS)
  return db.transaction(async (tx) => {
    await assertRoom(tx, session, name, now)
    // Whoever ends the role or the sign-in from here on revokes the token too.
    const { factor } = await lockAccess(tx, session, role)
    const made = { id: randomUUID(), userId: session.userId, connectionId, name, role, prefix, hash }
    const [row] = await tx
      .insert(apiTokens)
      .values({ ...made, withFactor: factor !== null, createdAt: now, expiresAt })
      .returning()
    if (!row) throw new Error('the token was not stored')
    await queueTokenMail(tx, { tokenId: row.id, userId: session.userId, name, at: now })
    await appendActivity(tx, {
      connectionId,
      at: now,
      actor: session.email,
      action: 'token.made',
      objectKind: 'token',
      objectId: row.id,
      details: { name, role, expiresAt: expiresAt.toISOString() },
    })
    return { text, token: viewToken(row, session.email, now) }
  })
}

/** Whose valid tokens are revoked: one by id, or all of the person's own. */
type Chosen = { id: string; anybodys: boolean } | 'all-own'

async function revoke(db: Database, session: Session, chosen: Chosen, now: Date): Promise<number> {
  const { userId, email, scope } = session
  const isOwn = eq(apiTokens.userId, userId)
  const which = chosen === 'all-own' ? isOwn : and(eq(apiTokens.id, chosen.id), chosen.anybodys ? undefined : isOwn)
  return db.transaction(async (tx) => {
    const revoked = await tx
      .update(apiTokens)
      .set({ revokedAt: now, revokedBy: email })
      .from(users)
      .where(
        and(
          which,
          eq(users.id, apiTokens.userId),
          eq(apiTokens.connectionId, scope.connectionId),
          isNull(apiTokens.revokedAt),
        ),
      )
      .returning({ id: apiTokens.id, name: apiTokens.name, owner: users.email })
    if (revoked.length === 0) return 0
    await appendActivities(
      tx,
      revoked.map(({ id, name, owner }) => ({
        connectionId: scope.connectionId,
        at: now,
        actor: email,
        action: 'token.revoked',
        objectKind: 'token',
        objectId: id,
        details: { name, owner },
      })),
    )
    return revoked.length
  })
}

/** Revokes one of the person's own tokens, from its next request on. Throws AppError 'not-found'. */
export async function revokeOwnToken(db: Database, session: Session, id: string, now = new Date()): Promise<void> {
  if ((await revoke(db, session, { id, anybodys: false }, now)) === 0) throw noSuchToken()
}

/** Revokes all of the person's own tokens at the session's merchant. */
export async function revokeOwnTokens(db: Database, session: Session, now = new Date()): Promise<void> {
  await revoke(db, session, 'all-own', now)
}

/** Revokes anybody's token at the session's merchant. Throws AppError 'not-found'. */
export async function revokeTeamToken(db: Database, session: Session, id: string, now = new Date()): Promise<void> {
  if ((await revoke(db, session, { id, anybodys: true }, now)) === 0) throw noSuchToken()
}

const noSuchToken = () => new AppError('not-found', { detail: m.apiTokens_noSuchToken() })
