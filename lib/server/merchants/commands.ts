import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import type { ConnectionChange, ConnectionSettings, NewConnection } from '@/lib/domain/merchant-connection'
import { appendActivity } from '../activity-log/append'
import { lockAccess, lockAdministrator } from '../auth/lock-access'
import type { Session, TenantScope } from '../auth/session'
import { endSessionsOf, lockAccount } from '../auth/users'
import { AppError } from '../runtime/app-error'
import { describeError, log } from '../runtime/log'
import { syncMerchantWorkers } from '../runtime/merchant-workers'
import { inBackground } from '../runtime/request-context'
import { bulks } from '../store/bulk-schema'
import { decryptSecret } from '../store/encryption'
import { customerImports } from '../store/import-schema'
import { inboxes } from '../store/inbox-schema'
import { cancellations, connections, defaultConnectionId, memberships } from '../store/schema'
import { isLeftBehind, lockTeams } from '../team/commands'
import { endPasswordLinks } from '../team/password-links'
import { type Connection, dropConnection, findCachedConnection, getConnection } from '../upstream/connection'
import {
  type ConnectionRow,
  credentialPurpose,
  encryptCredential,
  refreshConnection,
} from '../upstream/stored-connections'
import { dropUpstreamStates } from '../upstream/upstream-state'
import { draftConnection, readMerchantId, requireWorking } from './check-connection'
import * as m from '@/lib/messages/m'

/** Makes the workers notice an added, changed or removed merchant at once instead of at their next check. */
export function wakeWorkers(): void {
  void inBackground(syncMerchantWorkers).catch((error: unknown) =>
    log.warn({ event: 'workers-not-matched', error: describeError(error) }),
  )
}

function split({ name, secret, ...settings }: NewConnection) {
  return { name, secret, settings }
}

/** The activity log's details of a connection: no secret, and of the address only the origin. */
function describeConnection(name: string, { baseUrl, auth, amounts, mode }: ConnectionSettings) {
  return { name, service: new URL(baseUrl).origin, auth, amounts, mode }
}

/** The id that a person's key leads to, so that a request whose reply was lost finds the merchant it added. */
function deriveConnectionId(userId: string, key: string): string {
  return `m-${createHash('sha256').update(`${userId} ${key}`).digest('hex').slice(0, 16)}`
}

/** Whether the person has added it already. Throws AppError 'conflict' if it was removed, or they left it, since. */
async function wasAdded(db: Database, connectionId: string, userId: string): Promise<boolean> {
  const [row] = await db
    .select({ removedAt: connections.removedAt, member: memberships.userId })
    .from(connections)
    .leftJoin(memberships, and(eq(memberships.connectionId, connectionId), eq(memberships.userId, userId)))
    .where(eq(connections.connectionId, connectionId))
  if (row && (row.removedAt !== null || row.member === null))
    throw new AppError('conflict', { detail: m.refusals_changedMeanwhile() })
  return row !== undefined
}

/** The merchants, but for this one, that the person may work for. */
async function listOthers(db: Database, userId: string, connectionId: string) {
  return db
    .select({ connectionId: connections.connectionId, name: connections.name, revision: connections.revision })
    .from(memberships)
    .innerJoin(connections, eq(connections.connectionId, memberships.connectionId))
    .where(
      and(eq(memberships.userId, userId), ne(connections.connectionId, connectionId), isNull(connections.removedAt)),
    )
}

/** Throws AppError 'bad-request' where the person, whose account is locked, sees another merchant of this name. */
async function requireFreeName(tx: Database, userId: string, connectionId: string, name: string): Promise<void> {
  const others = await listOthers(tx, userId, connectionId)
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase()))
    throw new AppError('bad-request', { errors: { name: [m.fields_isTaken()] } })
}

type Revision = Pick<ConnectionRow, 'connectionId' | 'revision'>

/**
 * Throws AppError 'bad-request' where the person works for the provider's same merchant already: twice connected, it would
 * have two approval rules, and neither would see what is cancelled by the other. If `known`, the connection before a change,
 * leads to that merchant too, it may. The provider is asked, so nothing is locked: of two requests at once, neither sees the
 * other's.
 */
async function requireFirst(
  db: Database,
  userId: string,
  { connectionId, draft, known }: { connectionId: string; draft: Connection; known?: Revision },
): Promise<void> {
  const merchantId = await readMerchantId(draft)
  dropUpstreamStates(draft.connectionId)
  if (merchantId === null) return
  const toAddress = ({ baseUrl }: Connection) => baseUrl.href.replace(/\/+$/u, '')
  const others = await listOthers(db, userId, connectionId)
  const isSame = async (one: Revision) => {
    await refreshConnection(db, one)
    const isDefault = one.connectionId === defaultConnectionId
    const connection = isDefault ? getConnection(one.connectionId) : findCachedConnection(one.connectionId)
    if (!connection || toAddress(connection) !== toAddress(draft)) return false
    return (await readMerchantId(connection)) === merchantId
  }
  const found = await Promise.all(others.map(isSame))
  const same = others.find((_, index) => found[index])
  if (same && !(known && (await isSame(known))))
    throw new AppError('bad-request', { errors: { baseUrl: [m.fields_merchantIsConnected({ name: same.name })] } })
}

/**
 * Adds a merchant after its service accepted the credential, with the user as its admin; returns its id. `key` is the
 * request's: repeated by the same user it returns the merchant that was added first. Throws AppError 'bad-request' and
 * 'connection-fails' with messages per field, 'conflict', and as `lockAdministrator`.
 */
export async function addConnection(
  db: Database,
  session: Session,
  given: NewConnection,
  key: string,
): Promise<string> {
  const { name, secret, settings } = split(given)
  const { userId } = session
  const connectionId = deriveConnectionId(userId, key)
  if (await wasAdded(db, connectionId, userId)) return connectionId
  const draft = draftConnection(settings, secret)
  await requireWorking(draft, settings.auth)
  await requireFirst(db, userId, { connectionId, draft })
  await db.transaction(async (tx) => {
    await lockAdministrator(tx, session)
    await requireFreeName(tx, userId, connectionId, name)
    const row = { connectionId, name, settings, ...encryptCredential(connectionId, secret) }
    const added = await tx.insert(connections).values(row).onConflictDoNothing().returning()
    // The same request, sent again while the first one was asking the service.
    if (added.length === 0) return
    await tx.insert(memberships).values({ connectionId, userId, role: 'admin' })
    const entry = { connectionId, action: 'merchant.added', objectKind: 'setting', objectId: connectionId }
    await appendActivity(tx, { ...entry, details: describeConnection(name, settings) })
  })
  await refreshConnection(db, { connectionId, revision: 1 })
  return connectionId
}

/** The row of the session's merchant. Throws AppError 'conflict' for the connection of the settings. */
export async function findOwnConnection(
  db: Database,
  { connectionId }: TenantScope,
): Promise<ConnectionRow & { settings: ConnectionSettings }> {
  const own = and(eq(connections.connectionId, connectionId), isNull(connections.removedAt))
  const [row] = await db.select().from(connections).where(own)
  if (!row) throw new AppError('not-found')
  if (!row.settings) throw new AppError('conflict', { detail: m.refusals_thisConnectionIsSetAtTheStart() })
  return { ...row, settings: row.settings }
}

/** Whether a stored secret may be reused: for another address it must be entered again. */
function isSameDestination(one: ConnectionSettings, other: ConnectionSettings): boolean {
  const origin = (address: string | undefined) => address && new URL(address).origin
  return (
    one.auth === other.auth &&
    one.header === other.header &&
    origin(one.baseUrl) === origin(other.baseUrl) &&
    origin(one.tokenUrl) === origin(other.tokenUrl)
  )
}

/**
 * Changes the session's merchant after its service accepted the new settings. Without `secret` the stored one is kept,
 * unless the address or authentication changes. Throws AppError 'bad-request', 'connection-fails', 'conflict' where it has
 * another revision than the one that was shown, and as `lockAdministrator`.
 */
export async function changeConnection(
  db: Database,
  session: Session,
  { revision, ...given }: ConnectionChange,
): Promise<void> {
  const { name, secret, settings } = split(given)
  const row = await findOwnConnection(db, session.scope)
  const { connectionId } = row
  const storedSecret = decryptSecret(row.credential ?? '', credentialPurpose(connectionId)) ?? undefined
  if (row.revision !== revision) {
    const isSame = row.name === name && isDeepStrictEqual(row.settings, settings)
    // The same request may have been sent before, and its reply lost.
    if (isSame && (secret === undefined || secret === storedSecret)) return
    throw new AppError('conflict', { detail: m.refusals_changedSinceItWasShown() })
  }
  const keepsSecret = secret === undefined && row.credential !== null && isSameDestination(row.settings, settings)
  const draft = draftConnection(settings, secret ?? (keepsSecret ? storedSecret : undefined))
  await requireWorking(draft, settings.auth)
  await requireFirst(db, session.userId, { connectionId, draft, known: row })
  await db.transaction(async (tx) => {
    await lockAdministrator(tx, session)
    if (name !== row.name) await requireFreeName(tx, session.userId, connectionId, name)
    const changed = await tx
      .update(connections)
      .set({
        name,
        settings,
        revision: sql`${connections.revision} + 1`,
        ...(!keepsSecret && encryptCredential(connectionId, secret)),
      })
      .where(and(eq(connections.connectionId, connectionId), eq(connections.revision, revision)))
      .returning({ connectionId: connections.connectionId })
    if (changed.length === 0) throw new AppError('conflict', { detail: m.refusals_changedSinceItWasShown() })
    const entry = { connectionId, action: 'merchant.changed', objectKind: 'setting', objectId: connectionId }
    await appendActivity(tx, {
      ...entry,
      details: { ...describeConnection(name, settings), credential: keepsSecret ? 'kept' : 'new' },
    })
  })
  await refreshConnection(db, { connectionId, revision: revision + 1 })
}

/** The people of a merchant with their accounts locked, in one order for all. */
async function lockMembers(tx: Database, connectionId: string): Promise<string[]> {
  const { userId } = memberships
  const members = await tx.select({ userId }).from(memberships).where(eq(memberships.connectionId, connectionId))
  const userIds = members.map((member) => member.userId).toSorted()
  for (const id of userIds) await lockAccount(tx, id)
  return userIds
}

/**
 * Removes the session's merchant: access and credential are gone, its records stay. The sign-ins and links of people who
 * work for no other end. Throws AppError 'conflict' while a cancellation of it is open, and as `lockAccess`.
 */
export async function removeConnection(db: Database, session: Session): Promise<void> {
  const { connectionId, name, settings } = await findOwnConnection(db, session.scope)
  await db.transaction(async (tx) => {
    const now = new Date()
    await lockTeams(tx)
    const userIds = await lockMembers(tx, connectionId)
    await lockAccess(tx, session, 'admin')
    await tx
      .update(connections)
      .set({ removedAt: now, credential: null, credentialKey: null, revision: sql`${connections.revision} + 1` })
      .where(eq(connections.connectionId, connectionId))
    const open = and(eq(cancellations.connectionId, connectionId), isNull(cancellations.closedAt))
    const starting = and(eq(bulks.connectionId, connectionId), eq(bulks.state, 'starting'))
    if ((await tx.$count(cancellations, open)) > 0 || (await tx.$count(bulks, starting)) > 0)
      throw new AppError('conflict', {
        detail: m.refusals_itHasOpenCancellations(),
      })
    await tx.delete(inboxes).where(eq(inboxes.connectionId, connectionId))
    await tx
      .update(customerImports)
      .set({ state: 'stopped', changedAt: now })
      .where(and(eq(customerImports.connectionId, connectionId), inArray(customerImports.state, ['running', 'held'])))
    for (const userId of userIds)
      if (await isLeftBehind(tx, userId)) {
        await endSessionsOf(tx, userId, now)
        await endPasswordLinks(tx, userId, now)
      }
    const entry = { connectionId, action: 'merchant.removed', objectKind: 'setting', objectId: connectionId }
    await appendActivity(tx, { ...entry, details: describeConnection(name, settings) })
  })
  dropConnection(connectionId)
}
