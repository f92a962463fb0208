import { and, desc, eq, lte, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { hastenRead } from '../cancellations/hasten-read'
import { openLedger } from '../cancellations/open-ledger'
import { readBounded } from '../read-bounded'
import { inboxMessages } from '../store/inbox-schema'
import type { Inbox } from './find-inbox'
import { judgeSignature } from './judge-signature'
import { readEventSubject } from './read-event-subject'

/** The most bytes of a delivery's body: 20 KB. */
const bodyLimit = 20_480
/** How many deliveries are kept per connection. */
export const keptMessages = 200
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

/** Makes room: what is older than the newest ones goes. */
async function dropOldest(db: Database, connectionId: string): Promise<void> {
  const newest = db
    .select({ sequence: inboxMessages.sequence })
    .from(inboxMessages)
    .where(eq(inboxMessages.connectionId, connectionId))
    .orderBy(desc(inboxMessages.sequence))
    .offset(keptMessages)
    .limit(1)
  await db
    .delete(inboxMessages)
    .where(and(eq(inboxMessages.connectionId, connectionId), lte(inboxMessages.sequence, newest)))
}

/**
 * Stores a delivery and has what it speaks of read again. A delivery changes nothing itself: what it says is
 * believed of nothing, and one whose signature is wrong or old does not even cause a read (WH-15). Throws
 * Failure 'too-large'.
 */
export async function receiveMessage(db: Database, inbox: Inbox, request: Request): Promise<void> {
  const { connectionId, signingSecret } = inbox
  const headers = pickHeaders(request.headers)
  const bytes = await readBounded(request, bodyLimit, 'A delivery has at most 20 KB.')
  const body = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const verdict = judgeSignature(signingSecret, headers, body)
  const stored = { connectionId, headers, body: body.replaceAll('\0', '\u{FFFD}'), verdict }
  const webhookId = verdict === 'valid' ? (headers['webhook-id'] ?? null) : null
  const [row] = await db
    .insert(inboxMessages)
    .values({ ...stored, webhookId })
    .onConflictDoUpdate({
      target: [inboxMessages.connectionId, inboxMessages.webhookId],
      set: { times: sql`${inboxMessages.times} + 1` },
    })
    .returning({ times: inboxMessages.times })
  await dropOldest(db, connectionId)
  const isFirst = row?.times === 1
  const paymentId = readEventSubject(body)
  if (isFirst && paymentId !== null && (verdict === 'valid' || verdict === 'not-checked'))
    await hastenRead(await openLedger(connectionId), paymentId)
}
