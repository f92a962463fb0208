import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { DoubtReason, ImportCandidate } from '@/lib/domain/customer-import'
import { connections, timestampColumn } from './schema'

/**
 * Which customers like a line's the service listed before the line was sent. `whole`: the list was read to its end.
 * `newest` is the latest creation that the list told of, by the service's own clock.
 */
export type KnownBefore = { ids: string[]; newest: string | null; whole: boolean }

/** Imports of customers from files: one per file, known by its hash, so that a second run goes on with the first. */
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
    /** Why it is held, as a code of a failure. */
    problem: text('problem'),
    /** The service asked to wait until then. */
    waitUntil: timestampColumn('wait_until'),
    /** Who sends its lines, and until when nobody else may: of two desks one alone works on it. */
    holder: uuid('holder'),
    leaseUntil: timestampColumn('lease_until'),
    createdAt: timestampColumn('created_at').notNull().defaultNow(),
    changedAt: timestampColumn('changed_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('customer_imports_by_file').on(table.connectionId, table.fileHash)],
)

/**
 * The lines of an import. A line that was sent and not answered for certain is `unknown`, and never sent again unless a
 * person says so: the desk looks for it among the customers, and holds it for a person where that does not tell.
 */
export const customerImportRows = pgTable(
  'customer_import_rows',
  {
    importId: uuid('import_id')
      .notNull()
      .references(() => customerImports.id),
    connectionId: text('connection_id').notNull(),
    /** The line of the file where the row begins; the first is 1. */
    line: integer('line').notNull(),
    body: jsonb('body').$type<Record<string, string>>().notNull(),
    state: text('state')
      .$type<'waiting' | 'created' | 'refused' | 'left-out' | 'unknown'>()
      .notNull()
      .default('waiting'),
    /** How often the service has refused it for certain: part of the key, so that a mended row is a new request. */
    refusals: integer('refusals').notNull().default(0),
    customerId: text('customer_id'),
    handle: text('handle'),
    message: text('message'),
    /** How often it was sent: what a sending comes to is written only while it is the latest. */
    sendings: integer('sendings').notNull().default(0),
    /** When the first sending began of which the outcome is not known; null where every one was refused for certain. */
    sentAt: timestampColumn('sent_at'),
    /** Why the outcome of the latest sending is not known, as a code of a failure; null where the desk ended meanwhile. */
    failure: text('failure'),
    knownBefore: jsonb('known_before').$type<KnownBefore>(),
    /** How often it was looked for, and how often a list that was read whole did not tell. */
    looks: integer('looks').notNull().default(0),
    misses: integer('misses').notNull().default(0),
    lookedAt: timestampColumn('looked_at'),
    /** Since when it waits for a person, and why. */
    heldAt: timestampColumn('held_at'),
    heldFor: text('held_for').$type<DoubtReason>(),
    /** Listed customers that may be the line's. */
    candidates: jsonb('candidates').$type<ImportCandidate[]>(),
    /** Who settled a line in doubt: `desk`, which found it in the list, or the e-mail of a person. */
    settledBy: text('settled_by'),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.line] }),
    index('customer_import_rows_by_state').on(table.importId, table.state, table.line),
  ],
)
