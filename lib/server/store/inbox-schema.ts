import { bigint, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { InboxVerdict } from '@/lib/contract/inbox'
import { connections, moment } from './schema'

/** The desk's own callback address of a connection, and what its signatures are checked with. */
export const inboxes = pgTable('inboxes', {
  connectionId: text('connection_id')
    .primaryKey()
    .references(() => connections.connectionId),
  /** The last segment of the address: whoever knows it may deliver. */
  secret: text('secret').notNull().unique(),
  /** The signing secret as the service told it, sealed (see seal-secret); null while it is not known. */
  signingSecret: text('signing_secret'),
  createdAt: moment('created_at').notNull().defaultNow(),
})

/** What arrived at the inbox: bounded in size and number, newest kept. */
export const inboxMessages = pgTable(
  'inbox_messages',
  {
    sequence: bigint('sequence', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.connectionId),
    receivedAt: moment('received_at').notNull().defaultNow(),
    /** The headers of the allow-list, names in lower case. */
    headers: jsonb('headers').$type<Record<string, string>>().notNull(),
    body: text('body').notNull(),
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
