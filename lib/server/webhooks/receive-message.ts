import { createHash } from 'node:crypto'
import { and, eq, gt, inArray, ne, or, sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import type { Database } from '@/lib/database/database'
import { idKey } from '@/lib/domain/ids'
import { type InboxVerdict, parseEvent } from '@/lib/domain/webhooks'
import type { ChangeKind } from '@/lib/domain/changes'
import { pollNow } from '../cancellations/manual-review'
import { announceChanges } from '../changes/announce-changes'
import { openLedger } from '../cancellations/open-ledger'
import { parseReply } from '../http/parse-json'
import { readBounded } from '../http/request-input'
import { noteForMail } from '../mail/notices'
import { AppError } from '../runtime/app-error'
import { limitPerMinute } from '../runtime/limits'
import { describeError, log } from '../runtime/log'
import { inBackground } from '../runtime/request-context'
import { encryptSecret } from '../store/encryption'
import { inboxes, inboxMessages } from '../store/inbox-schema'
import { vacuumTables } from '../store/retention'
import { getStore } from '../store/store'
import { toStorable } from '../store/to-storable'
import { bodyPurpose, type Inbox, proveSigningSecret } from './inbox'

/** Whether a signing secret is valid: `whsec_` and base64, 24 to 64 bytes (Standard Webhooks). */
export function isSigningSecret(secret: string): boolean {
  const encoded = secret.replace(/^whsec_/u, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/u.test(encoded)) return false
  const { length } = Buffer.from(encoded, 'base64')
  return length >= 24 && length <= 64
}

/** Verifies a delivery by Standard Webhooks: its headers over exactly the received text. */
export function verifySignature(secret: string | null, headers: Record<string, string>, body: string): InboxVerdict {
  if (secret === null) return 'not-checked'
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false })
    return 'valid'
  } catch (error) {
    return error instanceof Error && /timestamp too/u.test(error.message) ? 'stale' : 'invalid'
  }
}

/** The count of refusals is written at most this often. */
const WRITE_INTERVAL_MS = 5_000

declare global {
  /** Refusals since the last write, per connection; one per process. */
  var debitdeskRefusedDeliveries: Map<string, number> | undefined
}

/** Adds to the count of refusals, which restarts after a week so that it reflects recent days. */
async function addRefused(db: Database, connectionId: string, count: number): Promise<void> {
  const isOld = sql`coalesce(${inboxes.refusedSince} < now() - interval '7 days', true)`
  await db
    .update(inboxes)
    .set({
      refused: sql`case when ${isOld} then 0 else ${inboxes.refused} end + ${count}::int`,
      refusedSince: sql`case when ${isOld} then now() else ${inboxes.refusedSince} end`,
      refusedLast: sql`now()`,
    })
    .where(eq(inboxes.connectionId, connectionId))
  await announceChanges(db, [{ connectionId, kind: 'inbox' }])
}

/**
 * Counts a delivery refused for its signature. The first is written at once, those within the next five seconds
 * together; a process killed meanwhile loses them.
 */
export async function countRefused(db: Database, connectionId: string): Promise<void> {
  const pending = (globalThis.debitdeskRefusedDeliveries ??= new Map<string, number>())
  const count = pending.get(connectionId)
  if (count !== undefined) {
    pending.set(connectionId, count + 1)
    return
  }
  pending.set(connectionId, 0)
  setTimeout(() => void inBackground(() => writePending(db, connectionId)), WRITE_INTERVAL_MS).unref()
  await addRefused(db, connectionId, 1)
}

async function writePending(db: Database, connectionId: string): Promise<void> {
  const count = globalThis.debitdeskRefusedDeliveries?.get(connectionId) ?? 0
  globalThis.debitdeskRefusedDeliveries?.delete(connectionId)
  if (count === 0) return
  try {
    await addRefused(db, connectionId, count)
  } catch (error) {
    log.warn({ event: 'refused-deliveries-not-counted', count, error: describeError(error) })
  }
}

const MAX_BODY_BYTES = 20_480
/** Stored deliveries per connection, and bytes of their bodies, counted separately for valid and other ones. */
export const MAX_STORED_MESSAGES = 200
const MAX_STORED_BYTES = 2_000_000
/** Deliveries a minute per connection, separately for valid and other ones; senders retry the rest. */
const MAX_DELIVERIES_PER_MINUTE = 240
/** Of a stored header. What is verified is the whole header, which the HTTP server limits. */
const MAX_HEADER_LENGTH = 500

const storedHeaders = [
  'content-type',
  'user-agent',
  'traceparent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
] as const

function pickHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    storedHeaders.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
}

function cutHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.slice(0, MAX_HEADER_LENGTH)]))
}

/** The id by which a repeated delivery is known; a digest where it is longer than an index holds. */
function readWebhookId(headers: Record<string, string>): string | null {
  const id = headers['webhook-id'] ?? null
  return id === null || id.length <= MAX_HEADER_LENGTH ? id : createHash('sha256').update(id).digest('hex')
}

/** Deletes the oldest deliveries. Unsigned ones, which anybody knowing the address can send, never displace signed ones. */
async function dropOldest(db: Database, connectionId: string, isValid: boolean): Promise<void> {
  const { sequence, body, verdict } = inboxMessages
  const newestFirst = sql`over (order by ${sequence} desc)`
  const placed = db
    .select({
      sequence,
      place: sql<number>`row_number() ${newestFirst}`.as('place'),
      bytes: sql<number>`sum(octet_length(${body})) ${newestFirst}`.as('bytes'),
    })
    .from(inboxMessages)
    .where(and(eq(inboxMessages.connectionId, connectionId), isValid ? eq(verdict, 'valid') : ne(verdict, 'valid')))
    .as('placed')
  const old = db
    .select({ sequence: placed.sequence })
    .from(placed)
    .where(or(gt(placed.place, MAX_STORED_MESSAGES), gt(placed.bytes, MAX_STORED_BYTES)))
  await db.delete(inboxMessages).where(inArray(sequence, old))
}

declare global {
  /** Bytes of deliveries written by this process since the last vacuum. */
  var debitdeskInboxBytes: number | undefined
}

/** Bytes of deliveries after which the tables are vacuumed. */
const VACUUM_AFTER_BYTES = 4_000_000
/** Rough size of a delivery's row besides its body. */
const ROW_BYTES = 1_000

async function vacuumInbox(): Promise<void> {
  try {
    await vacuumTables(await getStore(), [inboxMessages, inboxes])
  } catch (error) {
    log.warn({ event: 'inbox-room-not-reclaimed', error: describeError(error) })
  }
}

/** Runs in the background: the delivery was accepted and must not wait or fail for it. */
function vacuumIfDue(bytes: number): void {
  const written = (globalThis.debitdeskInboxBytes ?? 0) + bytes + ROW_BYTES
  globalThis.debitdeskInboxBytes = written < VACUUM_AFTER_BYTES ? written : 0
  if (written >= VACUUM_AFTER_BYTES) void inBackground(vacuumInbox)
}

/** The body as received and as stored. */
async function readBody(request: Request): Promise<{ received: string; stored: string }> {
  const bytes = await readBounded(request, MAX_BODY_BYTES, 'A delivery has at most 20 KB.')
  const received = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  return { received, stored: toStorable(received) }
}

const MAX_SUBJECT_LENGTH = 200

/**
 * What a delivery says happened to which record. Nothing else of it is used; `eventType` and `paymentId` are null if it
 * concerns no payment, `kind` if it concerns nothing that a list shows.
 */
function readEvent(body: string): { kind: ChangeKind | null; eventType: string | null; paymentId: string | null } {
  const nothing = { kind: null, eventType: null, paymentId: null }
  try {
    const { objectType, eventType, id } = parseEvent(parseReply(body))
    const subject = objectType?.toLowerCase() ?? ''
    if (subject === 'customer' || subject === 'mandate') return { ...nothing, kind: subject }
    if (subject !== 'payment') return nothing
    if (id === null || id.length > MAX_SUBJECT_LENGTH || id.includes('\0')) return { ...nothing, kind: subject }
    return { kind: subject, eventType: toStorable(eventType?.slice(0, MAX_SUBJECT_LENGTH) ?? null), paymentId: id }
  } catch {
    // Whatever it is, it is stored as received.
    return nothing
  }
}

/** An id that says nothing to a reader, neither words nor an address. */
const wordless = /^[\w-]{1,64}$/u

/**
 * Notes a rejection or a chargeback for whoever wants to be told. A payment has each once, so it is noted once, also where
 * a delivery without a known signature comes again.
 */
async function noteEvent(tx: Database, connectionId: string, eventType: string | null, subject: string): Promise<void> {
  const kind = (['rejected', 'chargeback'] as const).find((one) => one === eventType?.toLowerCase())
  if (kind) await noteForMail(tx, { key: `${kind} ${connectionId} ${idKey(subject)}`, connectionId, kind, subject })
}

/**
 * Stores a delivery, encrypted, polls the payment it refers to and tells open pages; its content is otherwise not trusted. With a proven
 * signing secret, a delivery without a valid signature is refused and counted, but neither stored nor acted on (WH-15);
 * an unproven one, alone or beside a proven one, is put in force by the first valid signature and refuses nothing until
 * then. If a proven secret cannot be decrypted, all are refused but what proves another. Valid deliveries have their own rate limit. Throws AppError 'bad-signature',
 * 'secret-locked', 'too-large' and 'too-many-attempts'.
 */
export async function receiveMessage(db: Database, inbox: Inbox, request: Request): Promise<void> {
  const { connectionId, signingSecret, candidate, isProven, isLocked } = inbox
  const secrets = [signingSecret, candidate].filter((secret) => secret !== null)
  if (isLocked && secrets.length === 0) throw new AppError('secret-locked')
  const limit = (kind: 'signed' | 'unsigned') =>
    limitPerMinute(`${kind} deliveries to ${connectionId}`, { most: MAX_DELIVERIES_PER_MINUTE })
  if (secrets.length === 0) limit('unsigned')
  const headers = pickHeaders(request.headers)
  const { received, stored } = await readBody(request)
  const proof = secrets.find((secret) => verifySignature(secret, headers, received) === 'valid')
  const isValid = proof !== undefined
  if (!isValid && isLocked) throw new AppError('secret-locked')
  if (!isValid && signingSecret !== null && isProven) {
    await countRefused(db, connectionId)
    throw new AppError('bad-signature')
  }
  if (isValid) limit('signed')
  else if (secrets.length > 0) limit('unsigned')
  const verdict = isValid ? 'valid' : 'not-checked'
  const body = encryptSecret(stored, bodyPurpose(connectionId))
  const webhookId = isValid ? readWebhookId(headers) : null
  const { kind, ...event } = readEvent(stored)
  await db.transaction(async (tx) => {
    const [written] = await tx
      .insert(inboxMessages)
      .values({ connectionId, headers: cutHeaders(headers), body, sealed: true, verdict, webhookId, ...event })
      .onConflictDoUpdate({
        target: [inboxMessages.connectionId, inboxMessages.webhookId],
        set: { times: sql`${inboxMessages.times} + 1` },
      })
      .returning({ times: inboxMessages.times })
    // Told of once, as it is acted on once: a delivery may come again.
    const isNew = kind !== null && written?.times === 1
    await announceChanges(tx, [
      { connectionId, kind: 'inbox' },
      ...(isNew ? [{ connectionId, kind, ...(event.paymentId !== null && { id: event.paymentId }) }] : []),
      ...(isNew && kind === 'payment' ? [{ connectionId, kind: 'closing' } as const] : []),
    ])
    if (isNew && event.paymentId !== null && (isValid || wordless.test(event.paymentId)))
      await noteEvent(tx, connectionId, event.eventType, event.paymentId)
    if (proof !== undefined && (!isProven || proof !== signingSecret)) await proveSigningSecret(tx, connectionId, proof)
  })
  await dropOldest(db, connectionId, isValid)
  // Each time, for the delivery that was stored may have failed here.
  if (event.paymentId !== null) await pollNow(await openLedger(connectionId), event.paymentId)
  vacuumIfDue(body.length)
}
