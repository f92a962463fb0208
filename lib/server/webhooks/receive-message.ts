import { and, eq, gt, inArray, ne, or, sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import type { Database } from '@/lib/database/database'
import { isUuid } from '@/lib/domain/ids'
import { type InboxVerdict, parseEvent } from '@/lib/domain/webhooks'
import { pollNow } from '../cancellations/manual-review'
import { openLedger } from '../cancellations/open-ledger'
import { parseReply } from '../http/parse-json'
import { readBounded } from '../http/request-input'
import { AppError } from '../runtime/app-error'
import { limitPerMinute } from '../runtime/limits'
import { describeError, log } from '../runtime/log'
import { inBackground } from '../runtime/request-context'
import { encryptSecret } from '../store/encryption'
import { inboxes, inboxMessages } from '../store/inbox-schema'
import { vacuumTables } from '../store/retention'
import { getStore } from '../store/store'
import { bodyPurpose, type Inbox } from './inbox'

/** Whether `secret` is one that signatures can be checked with: `whsec_` and base64, 24 to 64 bytes (Standard Webhooks). */
export function isSigningSecret(secret: string): boolean {
  const encoded = secret.replace(/^whsec_/u, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/u.test(encoded)) return false
  const { length } = Buffer.from(encoded, 'base64')
  return length >= 24 && length <= 64
}

/** Judges a delivery by Standard Webhooks: its own headers over exactly the text that came. */
export function verifySignature(secret: string | null, headers: Record<string, string>, body: string): InboxVerdict {
  if (secret === null) return 'not-checked'
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false })
    return 'valid'
  } catch (error) {
    return error instanceof Error && /timestamp too/u.test(error.message) ? 'stale' : 'invalid'
  }
}

/** In milliseconds. However many are refused, the store is written to once in so long. */
const writeEvery = 5_000

declare global {
  /** What was refused since the last write, by connection; one per process. */
  var debitdeskRefusedDeliveries: Map<string, number> | undefined
}

/** A count that began more than a week ago begins anew: what is shown is of these days. */
async function add(db: Database, connectionId: string, count: number): Promise<void> {
  const isOld = sql`coalesce(${inboxes.refusedSince} < now() - interval '7 days', true)`
  await db
    .update(inboxes)
    .set({
      refused: sql`case when ${isOld} then 0 else ${inboxes.refused} end + ${count}::int`,
      refusedSince: sql`case when ${isOld} then now() else ${inboxes.refusedSince} end`,
      refusedLast: sql`now()`,
    })
    .where(eq(inboxes.connectionId, connectionId))
}

/**
 * Counts a delivery that was refused for its signature. The first is written down at once, those that follow within
 * five seconds together; a desk that is killed meanwhile loses these.
 */
export async function countRefused(db: Database, connectionId: string): Promise<void> {
  const waiting = (globalThis.debitdeskRefusedDeliveries ??= new Map<string, number>())
  const known = waiting.get(connectionId)
  if (known !== undefined) {
    waiting.set(connectionId, known + 1)
    return
  }
  waiting.set(connectionId, 0)
  setTimeout(() => void inBackground(() => writeWaiting(db, connectionId)), writeEvery).unref()
  await add(db, connectionId, 1)
}

async function writeWaiting(db: Database, connectionId: string): Promise<void> {
  const count = globalThis.debitdeskRefusedDeliveries?.get(connectionId) ?? 0
  globalThis.debitdeskRefusedDeliveries?.delete(connectionId)
  if (count === 0) return
  try {
    await add(db, connectionId, count)
  } catch (error) {
    log.warn({ event: 'refused-deliveries-not-counted', count, error: describeError(error) })
  }
}

/** The most bytes of a delivery's body: 20 KB. */
const bodyLimit = 20_480
/** How many deliveries are kept per connection, and how many bytes of their bodies: of valid ones, and of others. */
export const keptMessages = 200
const keptBytes = 2_000_000
/** How many valid deliveries a connection may get in a minute, and how many others; a sender tries the rest again. */
const mostDeliveries = 240
const longestHeader = 500

const keptHeaders = [
  'content-type',
  'user-agent',
  'traceparent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
] as const

function pickHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    keptHeaders.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value.slice(0, longestHeader)]]
    }),
  )
}

/** Makes room for the newest. What anybody can deliver who knows the address pushes out nothing that is signed. */
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
    .where(or(gt(placed.place, keptMessages), gt(placed.bytes, keptBytes)))
  await db.delete(inboxMessages).where(inArray(sequence, old))
}

declare global {
  /** Bytes that deliveries have written since their room was last reclaimed, in this process. */
  var debitdeskInboxBytes: number | undefined
}

/** Bytes of deliveries after which the room of those that were dropped is reclaimed. */
const reclaimAfter = 4_000_000
/** What a delivery writes beside its body, roughly. */
const rowBytes = 1_000

async function reclaim(): Promise<void> {
  try {
    await vacuumTables(await getStore(), [inboxMessages, inboxes])
  } catch (error) {
    log.warn({ event: 'inbox-room-not-reclaimed', error: describeError(error) })
  }
}

/** The delivery does not wait for it: it has been taken, and must not fail for this. */
function reclaimDropped(bytes: number): void {
  const written = (globalThis.debitdeskInboxBytes ?? 0) + bytes + rowBytes
  globalThis.debitdeskInboxBytes = written < reclaimAfter ? written : 0
  if (written >= reclaimAfter) void inBackground(reclaim)
}

/** The body as text; U+0000, which Postgres does not keep, becomes U+FFFD. */
async function readBody(request: Request): Promise<{ given: string; kept: string }> {
  const bytes = await readBounded(request, bodyLimit, 'A delivery has at most 20 KB.')
  const given = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  return { given, kept: given.replaceAll('\0', '\u{FFFD}') }
}

/** The id of the payment that a delivery speaks of, or null. Nothing else is taken from it. */
function readEventSubject(body: string): string | null {
  try {
    const { objectType, id } = parseEvent(parseReply(body))
    return objectType?.toLowerCase() === 'payment' && id !== null && isUuid(id) ? id : null
  } catch {
    return null
  }
}

/**
 * Stores a delivery, sealed, and has what it speaks of read again. A delivery changes nothing itself: what it says is
 * believed of nothing. Where the signing secret is known, one without a valid signature is refused and counted, not
 * stored, and causes no read (WH-15); where it cannot be opened, all are refused. Valid ones have a budget of their own.
 * Throws AppError 'bad-signature', 'secret-locked', 'too-large' and 'too-many-attempts'.
 */
export async function receiveMessage(db: Database, inbox: Inbox, request: Request): Promise<void> {
  const { connectionId, signingSecret, isLocked } = inbox
  if (isLocked) throw new AppError('secret-locked')
  if (signingSecret === null) limitPerMinute(`unsigned deliveries to ${connectionId}`, mostDeliveries)
  const headers = pickHeaders(request.headers)
  const { given, kept } = await readBody(request)
  const verdict = verifySignature(signingSecret, headers, given)
  if (verdict === 'invalid' || verdict === 'stale') {
    await countRefused(db, connectionId)
    throw new AppError('bad-signature')
  }
  const isValid = verdict === 'valid'
  if (isValid) limitPerMinute(`signed deliveries to ${connectionId}`, mostDeliveries)
  const body = encryptSecret(kept, bodyPurpose(connectionId))
  const webhookId = isValid ? (headers['webhook-id'] ?? null) : null
  const [row] = await db
    .insert(inboxMessages)
    .values({ connectionId, headers, body, sealed: true, verdict, webhookId })
    .onConflictDoUpdate({
      target: [inboxMessages.connectionId, inboxMessages.webhookId],
      set: { times: sql`${inboxMessages.times} + 1` },
    })
    .returning({ times: inboxMessages.times })
  await dropOldest(db, connectionId, isValid)
  const paymentId = readEventSubject(given)
  if (row?.times === 1 && paymentId !== null) await pollNow(await openLedger(connectionId), paymentId)
  reclaimDropped(body.length)
}
