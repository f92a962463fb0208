import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { InboxVerdict } from '@/lib/domain/webhooks'
import { connections, idKeyOf, timestampColumn } from './schema'

/** The desk's own callback address of a connection, and the secret for verifying signatures. */
export const inboxes = pgTable('inboxes', {
  connectionId: text('connection_id')
    .primaryKey()
    .references(() => connections.connectionId),
  /** The last segment of the address, which lets anybody deliver. */
  secret: text('secret').notNull().unique(),
  /** The service's signing secret, encrypted (see encryption.ts); null while unknown. */
  signingSecret: text('signing_secret'),
  /** Whether an admin entered the signing secret or a delivery verified under it. Until then nothing is refused for it. */
  signingSecretProven: boolean('signing_secret_proven').notNull().default(true),
  /** A secret that came by itself while a proven one was in force, encrypted likewise; it replaces that once it is proven. */
  signingSecretCandidate: text('signing_secret_candidate'),
  /** Deliveries refused for lack of a valid signature: their number, since when, and the last one. */
  refused: integer('refused').notNull().default(0),
  refusedSince: timestampColumn('refused_since'),
  refusedLast: timestampColumn('refused_last'),
  createdAt: timestampColumn('created_at').notNull().defaultNow(),
})

/** Received deliveries: the newest, bounded in number and bytes, separately with and without a valid signature. */
export const inboxMessages = pgTable(
  'inbox_messages',
  {
    sequence: bigint('sequence', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.connectionId),
    receivedAt: timestampColumn('received_at').notNull().defaultNow(),
    /** The allow-listed headers, names in lower case. */
    headers: jsonb('headers').$type<Record<string, string>>().notNull(),
    /** Encrypted (see encryption.ts) if `sealed`; earlier versions stored it plain. */
    body: text('body').notNull(),
    sealed: boolean('sealed').notNull().default(false),
    verdict: text('verdict').$type<InboxVerdict>().notNull(),
    /** The `webhook-id` of validly signed messages, to recognise repeated deliveries. */
    webhookId: text('webhook_id'),
    /** Times it was delivered. */
    times: integer('times').notNull().default(1),
    /** What happened and to which payment, as the delivery says; null for other records and what can't be read. */
    eventType: text('event_type'),
    paymentId: text('payment_id'),
  },
  (table) => [
    index('inbox_messages_by_payment').on(table.connectionId, idKeyOf(table.paymentId)),
    index('inbox_messages_by_connection').on(table.connectionId, table.sequence),
    uniqueIndex('inbox_messages_once').on(table.connectionId, table.webhookId),
  ],
)
