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
    /** Number of renewals of its signing secret, and the time of the last: for a while the previous secret signs too. */
    secretTurn: integer('secret_turn').notNull().default(0),
    secretAt: instant('secret_at'),
    /** The receiver asked for no deliveries until then. */
    pausedUntil: instant('paused_until'),
    /** Since when no delivery has succeeded. */
    failingSince: instant('failing_since'),
    /** Nothing is sent until it is subscribed again: `gone` (410) or `failing` (for days). */
    disabledAt: instant('disabled_at'),
    disabledBecause: plainText('disabled_because'),
  },
  (table) => [uniqueIndex('webhooks_by_address').on(table.merchantId, table.webhookUrl)],
)

/** Events, written in the transaction of the change. */
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

/** The delivery of an event to a subscription; deleted with the subscription. */
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
    /** When to try next. A worker claims a delivery by moving this past its own deadline. */
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
