import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant, merchants, plainText } from './schema'

export const webhooks = pgTable(
  'webhooks',
  {
    id: uuid('id').primaryKey(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    webhookUrl: text('webhook_url').notNull(),
    createdAt: instant('created_at').notNull(),
    /** How often its signing secret was renewed, and when last: for a while the one before signs along. */
    secretTurn: integer('secret_turn').notNull().default(0),
    secretAt: instant('secret_at'),
    /** The receiver asked to be left alone until then. */
    pausedUntil: instant('paused_until'),
    /** Since when no delivery has succeeded. */
    failingSince: instant('failing_since'),
    /** Nothing is sent any more, until it is subscribed again: `gone` (410) or `failing` (for days). */
    disabledAt: instant('disabled_at'),
    disabledBecause: plainText('disabled_because'),
  },
  (table) => [uniqueIndex('webhooks_by_address').on(table.merchantId, table.webhookUrl)],
)

/** What happened, written in the transaction in which it happened. */
export const events = pgTable(
  'events',
  {
    id: uuid('id').primaryKey(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    objectType: plainText('object_type').notNull(),
    eventType: plainText('event_type').notNull(),
    at: instant('at').notNull(),
    data: jsonb('data').notNull(),
  },
  (table) => [index('events_by_merchant').on(table.merchantId, table.at, table.id)],
)

/** One event on its way to one subscription; an ended subscription takes its deliveries along. */
export const deliveries = pgTable(
  'deliveries',
  {
    id: uuid('id').primaryKey(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    eventId: uuid('event_id')
      .notNull()
      .references(() => events.id),
    webhookId: uuid('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /** `pending`, `delivered` or `failed` (given up). */
    state: plainText('state').notNull().default('pending'),
    attempts: integer('attempts').notNull().default(0),
    /** When to try next; also how a worker claims it: it moves the moment past its own deadline. */
    nextAt: instant('next_at'),
    lastStatus: integer('last_status'),
    lastError: text('last_error'),
    endedAt: instant('ended_at'),
  },
  (table) => [
    index('deliveries_due').on(table.nextAt).where(sql`${table.state} = 'pending'`),
    index('deliveries_by_webhook').on(table.webhookId),
    index('deliveries_by_event').on(table.eventId),
  ],
)
