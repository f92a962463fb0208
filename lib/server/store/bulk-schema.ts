import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type {
  BulkConfirmation,
  BulkPaymentInfo,
  BulkSource,
  BulkState,
  BulkSum,
  BulkVerdict,
} from '@/lib/domain/cancellations/bulk-cancellation'
import type { SeenPayment } from '@/lib/domain/cancellations/cancellation'
import { connections, timestampColumn } from './schema'

/** The reasons that were confirmed, and in which session. */
export type ConfirmedReasons = Pick<BulkConfirmation, 'reason' | 'reasons'> & { sessionId: string }

/** Bulk cancellations: a list that is read, frozen when it is confirmed, and then carried out as ordinary cancellations. */
export const bulks = pgTable(
  'bulks',
  {
    id: uuid('id').primaryKey(),
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.connectionId),
    userId: uuid('user_id').notNull(),
    userEmail: text('user_email').notNull(),
    source: jsonb('source').$type<BulkSource>().notNull(),
    state: text('state').$type<BulkState>().notNull(),
    /** Why it failed, is paused by itself or was stopped, as a code. */
    problem: text('problem'),
    /** Payments that were read so far while the list is made. */
    read: integer('read').notNull().default(0),
    /** The frozen list: how many payments, their sums, and the SHA-256 of their sorted ids in hex. */
    count: integer('count').notNull().default(0),
    sums: jsonb('sums').$type<BulkSum[]>().notNull().default([]),
    digest: text('digest'),
    /** What was confirmed beside the list, while its intents are being written; each has its reason afterwards. */
    confirmed: jsonb('confirmed').$type<ConfirmedReasons>(),
    createdAt: timestampColumn('created_at').notNull().defaultNow(),
    /** While the list is made, when that was last seen to go on; then the moment of the last change of state. */
    changedAt: timestampColumn('changed_at').notNull().defaultNow(),
    startedAt: timestampColumn('started_at'),
    endedAt: timestampColumn('ended_at'),
  },
  (table) => [
    index('bulks_by_connection').on(table.connectionId, table.createdAt),
    index('bulks_at_work')
      .on(table.connectionId, table.startedAt)
      .where(sql`${table.state} in ('starting', 'running')`),
  ],
)

/** The rows of a bulk, as they were given and as the payments were when the list was made. */
export const bulkRows = pgTable(
  'bulk_rows',
  {
    bulkId: uuid('bulk_id')
      .notNull()
      .references(() => bulks.id),
    connectionId: text('connection_id').notNull(),
    /** From 0, in the order in which they were given. */
    position: integer('position').notNull(),
    /** The id or handle as it was given. */
    given: text('given').notNull(),
    /** Null where no payment was found. */
    paymentId: text('payment_id'),
    verdict: text('verdict').$type<BulkVerdict>().notNull(),
    seen: jsonb('seen').$type<SeenPayment>(),
    facts: jsonb('facts').$type<BulkPaymentInfo>(),
    /** The reason given for this row alone. */
    reason: text('reason'),
    /** Set once the list is frozen; null for a row that is not part of what is carried out. */
    cancellationId: uuid('cancellation_id'),
    /** Who had asked for the same payment meanwhile, so that it was left to them. */
    leftTo: text('left_to'),
  },
  (table) => [
    primaryKey({ columns: [table.bulkId, table.position] }),
    uniqueIndex('bulk_rows_by_cancellation').on(table.cancellationId),
  ],
)
