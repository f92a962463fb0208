import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { ApiTokenReference } from '@/lib/domain/api-tokens'
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

/** The confirmed reasons, and the sign-in or API token that confirmed them. */
export type ConfirmedReasons = Pick<BulkConfirmation, 'reason' | 'reasons'> & {
  sessionId: string
  apiToken?: ApiTokenReference | undefined
}

/** Bulk cancellations: a list that is read, frozen when confirmed and then carried out as ordinary cancellations. */
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
    /** SHA-256 of the request that made it, by which a repeat is known; null in bulks of earlier releases and once a person is erased. */
    requestDigest: text('request_digest'),
    state: text('state').$type<BulkState>().notNull(),
    /** Why it failed, paused itself or was stopped, as a code. */
    problem: text('problem'),
    /** Payments read so far while the list is prepared. */
    read: integer('read').notNull().default(0),
    /** The frozen list: number of payments, sums, and the SHA-256 of the sorted ids in hex. */
    count: integer('count').notNull().default(0),
    sums: jsonb('sums').$type<BulkSum[]>().notNull().default([]),
    digest: text('digest'),
    /** The confirmed reasons until the intents are written; then each intent has its own, and only an API token is kept. */
    confirmed: jsonb('confirmed').$type<ConfirmedReasons>(),
    createdAt: timestampColumn('created_at').notNull().defaultNow(),
    /** While the list is prepared, the time of the latest progress; then of the last change of state. */
    changedAt: timestampColumn('changed_at').notNull().defaultNow(),
    /** When a second person was asked to approve it, and until when they may; null if none was asked. */
    requestedAt: timestampColumn('requested_at'),
    expiresAt: timestampColumn('expires_at'),
    /** Who approved or declined it. */
    decidedAt: timestampColumn('decided_at'),
    decidedBy: text('decided_by'),
    decisionNote: text('decision_note'),
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

/** The rows of a bulk: the input, and the payments as they were when the list was prepared. */
export const bulkRows = pgTable(
  'bulk_rows',
  {
    bulkId: uuid('bulk_id')
      .notNull()
      .references(() => bulks.id),
    connectionId: text('connection_id').notNull(),
    /** From 0, in input order. */
    position: integer('position').notNull(),
    /** The id or handle as entered. */
    given: text('given').notNull(),
    /** Null when no payment was found. */
    paymentId: text('payment_id'),
    verdict: text('verdict').$type<BulkVerdict>().notNull(),
    seen: jsonb('seen').$type<SeenPayment>(),
    facts: jsonb('facts').$type<BulkPaymentInfo>(),
    /** A reason entered for this row only. */
    reason: text('reason'),
    /** Set when the list is frozen; null for rows that are not carried out. */
    cancellationId: uuid('cancellation_id'),
    /** Who had requested the same payment meanwhile, so that it was left to them. */
    leftTo: text('left_to'),
    /** When it was last taken out of the list or back in, or rid of a person; null if never. Open pages read it again. */
    changedAt: timestampColumn('changed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.bulkId, table.position] }),
    uniqueIndex('bulk_rows_by_cancellation').on(table.cancellationId),
  ],
)
