import { and, eq, gt, inArray, ne, or, sql } from 'drizzle-orm'
import { isUuid } from '@/lib/contract/ids'
import { readEvent } from '@/lib/contract/read-event'
import type { Database } from '@/lib/database/open-database'
import { hastenRead } from '../cancellations/hasten-read'
import { openLedger } from '../cancellations/open-ledger'
import { describeError } from '../describe-error'
import { Failure } from '../failure'
import { limitPerMinute } from '../limit-rate'
import { log } from '../log'
import { parseReply } from '../parse-json'
import { readBounded } from '../read-bounded'
import { inBackground } from '../request-facts'
import { reclaimSpace } from '../retention/reclaim-space'
import { sealSecret } from '../seal-secret'
import { inboxes, inboxMessages } from '../store/inbox-schema'
import { getStore } from '../store/open-store'
import { countRefused } from './count-refused'
import { bodyPurpose, type Inbox } from './find-inbox'
import { judgeSignature } from './judge-signature'

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
    await reclaimSpace(await getStore(), [inboxMessages, inboxes])
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
    const { objectType, id } = readEvent(parseReply(body))
    return objectType?.toLowerCase() === 'payment' && id !== null && isUuid(id) ? id : null
  } catch {
    return null
  }
}

/**
 * Stores a delivery, sealed, and has what it speaks of read again. A delivery changes nothing itself: what it says is
 * believed of nothing. Where the signing secret is known, one without a valid signature is refused and counted, not
 * stored, and causes no read (WH-15); where it cannot be opened, all are refused. Valid ones have a budget of their own.
 * Throws Failure 'bad-signature', 'secret-locked', 'too-large' and 'too-many-attempts'.
 */
export async function receiveMessage(db: Database, inbox: Inbox, request: Request): Promise<void> {
  const { connectionId, signingSecret, isLocked } = inbox
  if (isLocked) throw new Failure('secret-locked')
  if (signingSecret === null) limitPerMinute(`unsigned deliveries to ${connectionId}`, mostDeliveries)
  const headers = pickHeaders(request.headers)
  const { given, kept } = await readBody(request)
  const verdict = judgeSignature(signingSecret, headers, given)
  if (verdict === 'invalid' || verdict === 'stale') {
    await countRefused(db, connectionId)
    throw new Failure('bad-signature')
  }
  const isValid = verdict === 'valid'
  if (isValid) limitPerMinute(`signed deliveries to ${connectionId}`, mostDeliveries)
  const body = sealSecret(kept, bodyPurpose(connectionId))
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
  if (row?.times === 1 && paymentId !== null) await hastenRead(await openLedger(connectionId), paymentId)
  reclaimDropped(body.length)
}
