import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { DoubtReason, ImportCandidate } from '@/lib/domain/customers/customer-import'
import { connections, timestampColumn } from './schema'

/**
 * Listed customers resembling an import line before it was sent. `whole`: the list was read to its end. `newest` is the
 * latest creation time in the list, by the service's clock.
 */
export type KnownBefore = { ids: string[]; newest: string | null; whole: boolean }

/** Imports of customers: one per file, identified by its hash, so that a second run continues the first. */
export const customerImports = pgTable(
  'customer_imports',
  {
    id: uuid('id').primaryKey(),
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.connectionId),
    /** SHA-256 of the file's text, in hex. */
    fileHash: text('file_hash').notNull(),
    fileName: text('file_name').notNull(),
    startedBy: text('started_by').notNull(),
    state: text('state').$type<'running' | 'stopped' | 'held' | 'done'>().notNull(),
    /** Why it is on hold, as an error code. */
    problem: text('problem'),
    /** Until when the service asked to wait. */
    waitUntil: timestampColumn('wait_until'),
    /** The desk that sends its lines, and its lease, so that two desks never work on one import. */
    holder: uuid('holder'),
    leaseUntil: timestampColumn('lease_until'),
    createdAt: timestampColumn('created_at').notNull().defaultNow(),
    changedAt: timestampColumn('changed_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('customer_imports_by_file').on(table.connectionId, table.fileHash)],
)

/**
 * The lines of an import. A line sent without a certain outcome is `unknown` and never resent unless a person decides so:
 * the desk looks for it among the customers and, if that is inconclusive, holds it for a person.
 */
export const customerImportRows = pgTable(
  'customer_import_rows',
  {
    importId: uuid('import_id')
      .notNull()
      .references(() => customerImports.id),
    connectionId: text('connection_id').notNull(),
    /** The line of the file where the row begins, from 1. */
    line: integer('line').notNull(),
    body: jsonb('body').$type<Record<string, string>>().notNull(),
    state: text('state')
      .$type<'waiting' | 'created' | 'refused' | 'left-out' | 'unknown'>()
      .notNull()
      .default('waiting'),
    /** Certain refusals by the service; part of the key, so that a corrected row is a new request. */
    refusals: integer('refusals').notNull().default(0),
    customerId: text('customer_id'),
    handle: text('handle'),
    message: text('message'),
    /** Times it was sent; an outcome is written only if it belongs to the latest sending. */
    sendings: integer('sendings').notNull().default(0),
    /** Start of the first sending with unknown outcome; null if all were refused for certain. */
    sentAt: timestampColumn('sent_at'),
    /** Why the outcome of the latest sending is unknown, as an error code; null when the desk ended meanwhile. */
    failure: text('failure'),
    knownBefore: jsonb('known_before').$type<KnownBefore>(),
    /** Searches for the customer, and those of them that read the whole list without a result. */
    looks: integer('looks').notNull().default(0),
    misses: integer('misses').notNull().default(0),
    lookedAt: timestampColumn('looked_at'),
    /** Since when it is held for a person, and why. */
    heldAt: timestampColumn('held_at'),
    heldFor: text('held_for').$type<DoubtReason>(),
    /** Listed customers that may be this line's. */
    candidates: jsonb('candidates').$type<ImportCandidate[]>(),
    /** Who resolved a line in doubt: `desk`, if found in the list, or a person's e-mail. */
    settledBy: text('settled_by'),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.line] }),
    index('customer_import_rows_by_state').on(table.importId, table.state, table.line),
  ],
)
