import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { InboxVerdict } from '@/lib/domain/webhooks'
import { connections, timestampColumn } from './schema'

/** The desk's own callback address of a connection, and what its signatures are checked with. */
export const inboxes = pgTable('inboxes', {
  connectionId: text('connection_id')
    .primaryKey()
    .references(() => connections.connectionId),
  /** The last segment of the address: whoever knows it may deliver. */
  secret: text('secret').notNull().unique(),
  /** The signing secret as the service told it, sealed (see seal-secret); null while it is not known. */
  signingSecret: text('signing_secret'),
  /** Deliveries without a valid signature that were refused: how many since when, and the last of them. */
  refused: integer('refused').notNull().default(0),
  refusedSince: timestampColumn('refused_since'),
  refusedLast: timestampColumn('refused_last'),
  createdAt: timestampColumn('created_at').notNull().defaultNow(),
})

/** What arrived at the inbox: bounded in number and bytes, newest kept, those with a valid signature apart from others. */
export const inboxMessages = pgTable(
  'inbox_messages',
  {
    sequence: bigint('sequence', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.connectionId),
    receivedAt: timestampColumn('received_at').notNull().defaultNow(),
    /** The headers of the allow-list, names in lower case. */
    headers: jsonb('headers').$type<Record<string, string>>().notNull(),
    /** Sealed (see seal-secret) where `sealed` says so; earlier versions kept it plain. */
    body: text('body').notNull(),
    sealed: boolean('sealed').notNull().default(false),
    verdict: text('verdict').$type<InboxVerdict>().notNull(),
    /** The `webhook-id`, of messages whose signature was right: a repeated delivery finds its first. */
    webhookId: text('webhook_id'),
    /** How often it was delivered. */
    times: integer('times').notNull().default(1),
  },
  (table) => [
    index('inbox_messages_by_connection').on(table.connectionId, table.sequence),
    uniqueIndex('inbox_messages_once').on(table.connectionId, table.webhookId),
  ],
)
