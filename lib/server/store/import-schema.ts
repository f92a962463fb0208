import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { connections, moment } from './schema'

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
    waitUntil: moment('wait_until'),
    /** Who sends its lines, and until when nobody else may: of two desks one alone works on it. */
    holder: uuid('holder'),
    leaseUntil: moment('lease_until'),
    createdAt: moment('created_at').notNull().defaultNow(),
    changedAt: moment('changed_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('customer_imports_by_file').on(table.connectionId, table.fileHash)],
)

/** The lines of an import. A line is sent under a key of its own until the service has answered it. */
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
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.line] }),
    index('customer_import_rows_by_state').on(table.importId, table.state, table.line),
  ],
)
