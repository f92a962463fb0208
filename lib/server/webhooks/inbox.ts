import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { hasPermission } from '@/lib/api-contract/permission'
import type { Database } from '@/lib/database/database'
import type { RefusedDeliveries } from '@/lib/domain/webhooks'
import { appendActivity } from '../activity-log/append'
import type { Session } from '../auth/session'
import { getDeskOrigin } from '../auth/session-cookie'
import { decryptSecret, encryptSecret } from '../store/encryption'
import { inboxes } from '../store/inbox-schema'
import { requireStore } from '../store/store'

/**
 * The inbox of a connection. `signingSecret` is decrypted and never leaves the server. `isProven` when deliveries are
 * refused for it: an admin entered it, or a delivery verified under it (docs/decisions/0148). `candidate`: one that came
 * by itself beside a proven one, and verifies deliveries too. `isLocked` when a proven one cannot be decrypted: its
 * signatures cannot be checked, so nothing may be accepted for them.
 */
export type Inbox = {
  connectionId: string
  address: string
  signingSecret: string | null
  candidate: string | null
  isProven: boolean
  isLocked: boolean
  refused: RefusedDeliveries | null
}

/** Encryption purpose of the signing secret. */
export const signingSecretPurpose = 'inbox signing secret'

/** Encryption purpose of a delivery's body. */
export const bodyPurpose = (connectionId: string) => `inbox body of ${connectionId}`

function readRefused({ refused, refusedSince, refusedLast }: typeof inboxes.$inferSelect): RefusedDeliveries | null {
  if (refusedSince === null || refusedLast === null) return null
  return { count: refused, since: refusedSince.toISOString(), last: refusedLast.toISOString() }
}

/** The inbox's address that ends in `secret`. */
export const makeAddress = (secret: string) => `${getDeskOrigin()}/hooks/${secret}`

function asInbox(row: typeof inboxes.$inferSelect): Inbox {
  const open = (sealed: string | null) => (sealed === null ? null : decryptSecret(sealed, signingSecretPurpose))
  const signingSecret = open(row.signingSecret)
  return {
    refused: readRefused(row),
    connectionId: row.connectionId,
    address: makeAddress(row.secret),
    signingSecret,
    candidate: open(row.signingSecretCandidate),
    isProven: row.signingSecretProven,
    isLocked: row.signingSecret !== null && row.signingSecretProven && signingSecret === null,
  }
}

/** The inbox of a connection; null before it is opened. */
export async function findInbox(db: Database, connectionId: string): Promise<Inbox | null> {
  const [row] = await db.select().from(inboxes).where(eq(inboxes.connectionId, connectionId))
  return row ? asInbox(row) : null
}

/** As `openInbox` makes them: 24 random bytes in base64url. */
const secretPattern = /^[\w-]{32}$/u

/** The inbox whose address ends in `secret`; null too for what no secret looks like, such as text that Postgres can't take. */
export async function findInboxBySecret(db: Database, secret: string): Promise<Inbox | null> {
  if (!secretPattern.test(secret)) return null
  const [row] = await db.select().from(inboxes).where(eq(inboxes.secret, secret))
  return row ? asInbox(row) : null
}

/** The inbox of a connection, created if there is none; safe against concurrent calls. */
export async function openInbox(db: Database, connectionId: string): Promise<Inbox> {
  await db
    .insert(inboxes)
    .values({ connectionId, secret: randomBytes(24).toString('base64url') })
    .onConflictDoNothing()
  const inbox = await findInbox(db, connectionId)
  if (!inbox) throw new Error('The inbox that was just made is gone')
  return inbox
}

const seal = (secret: string) => encryptSecret(secret, signingSecretPurpose)

/** Beside another signing secret, or none: what is known of the one before is gone. */
const anew = {
  signingSecretProven: true,
  signingSecretCandidate: null,
  refused: 0,
  refusedSince: null,
  refusedLast: null,
}

/** Stores a change of the signing secret and logs it without the value. */
async function changeSecret(
  db: Database,
  connectionId: string,
  action: string,
  columns: Partial<typeof inboxes.$inferInsert>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.update(inboxes).set(columns).where(eq(inboxes.connectionId, connectionId))
    const entry = { connectionId, action, objectKind: 'setting', objectId: 'inbox signing secret' }
    await appendActivity(tx, { ...entry, details: {} })
  })
}

/** Stores the signing secret that an admin entered. */
export async function keepSigningSecret(db: Database, connectionId: string, secret: string): Promise<void> {
  await changeSecret(db, connectionId, 'setting.signing-secret', { ...anew, signingSecret: seal(secret) })
}

/** Forgets the signing secret: signatures are not checked until there is another. */
export async function removeSigningSecret(db: Database, connectionId: string): Promise<void> {
  await changeSecret(db, connectionId, 'setting.signing-secret-removed', { ...anew, signingSecret: null })
}

/** The inbox, for a transaction that goes by its secrets; nobody else changes them until it ends. */
async function lockInbox(tx: Database, connectionId: string): Promise<Inbox | null> {
  const [row] = await tx.select().from(inboxes).where(eq(inboxes.connectionId, connectionId)).for('update')
  return row ? asInbox(row) : null
}

/**
 * Stores a secret that came by itself, unproven: it may belong to another way of signing. A proven one stays in force
 * beside it. One that is there already stays as it is.
 */
export async function adoptSigningSecret(db: Database, connectionId: string, secret: string): Promise<void> {
  await db.transaction(async (tx) => {
    const inbox = await lockInbox(tx, connectionId)
    if (!inbox || inbox.signingSecret === secret || inbox.candidate === secret) return
    const isBeside = inbox.isLocked || (inbox.isProven && inbox.signingSecret !== null)
    const columns = isBeside
      ? { signingSecretCandidate: seal(secret) }
      : { ...anew, signingSecret: seal(secret), signingSecretProven: false }
    await changeSecret(tx, connectionId, 'setting.signing-secret-arrived', columns)
  })
}

/**
 * Puts a secret in force under which a delivery verified, unless it has been replaced meanwhile. Call it last in a
 * transaction: it writes to the activity log.
 */
export async function proveSigningSecret(tx: Database, connectionId: string, secret: string): Promise<void> {
  const inbox = await lockInbox(tx, connectionId)
  if (inbox?.candidate !== secret && (inbox?.isProven || inbox?.signingSecret !== secret)) return
  await changeSecret(tx, connectionId, 'setting.signing-secret-proven', { ...anew, signingSecret: seal(secret) })
}

/** An inbox address without its last segment, which lets anybody deliver: for users who may not manage webhooks. */
export function hideSecret(address: string): string {
  return address.replace(/[^/]+$/u, '…')
}

function replaceIn(value: unknown, secret: string): unknown {
  if (typeof value === 'string') return value.replaceAll(secret, '…')
  if (Array.isArray(value)) return value.map((one) => replaceIn(one, secret))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name.replaceAll(secret, '…'), replaceIn(one, secret)]),
  )
}

/**
 * The service's webhooks, without the secret of the desk's own inbox for users who only read. The rest of the address may
 * differ: the service may spell it in its own way, and the desk may have moved since.
 */
export async function hideInbox({ role, scope }: Pick<Session, 'role' | 'scope'>, reply: unknown): Promise<unknown> {
  if (hasPermission(role, 'manage')) return reply
  const { secret, connectionId } = inboxes
  const [row] = await (await requireStore())
    .select({ secret })
    .from(inboxes)
    .where(eq(connectionId, scope.connectionId))
  return row ? replaceIn(reply, row.secret) : reply
}
