import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { ExportQuery, ExportSum } from '@/lib/domain/lists/list-export'
import { connections, timestampColumn } from './schema'

/** Exports of lists: each is written part by part along the service's cursor, and kept for KEEP_EXPORTS days. */
export const listExports = pgTable(
  'list_exports',
  {
    id: uuid('id').primaryKey(),
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.connectionId),
    userId: uuid('user_id').notNull(),
    startedBy: text('started_by').notNull(),
    query: jsonb('query').$type<ExportQuery>().notNull(),
    state: text('state').$type<'running' | 'complete' | 'stopped'>().notNull(),
    /** Why it was stopped: a code of a failure, or one of the export's own. */
    reason: text('reason'),
    /** Where it goes on: the service's own word; null at the start. */
    after: text('after'),
    parts: integer('parts').notNull().default(0),
    rows: integer('rows').notNull().default(0),
    /** Rows that were read and did not satisfy the filter. */
    leftOut: integer('left_out').notNull().default(0),
    /** Entries of the service's pages that could not be read as rows, and rows that came more than once. */
    unreadable: integer('unreadable').notNull().default(0),
    sums: jsonb('sums').$type<ExportSum[]>().notNull().default([]),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    /** Of the whole file; null until it ended. */
    sha256: text('sha256'),
    /** Whose turn it is: given anew whenever it begins or goes on, so that two desks never write one file. */
    holder: uuid('holder'),
    /** Until when nobody else may take it up; renewed with each page. */
    leaseUntil: timestampColumn('lease_until'),
    createdAt: timestampColumn('created_at').notNull().defaultNow(),
    changedAt: timestampColumn('changed_at').notNull().defaultNow(),
    endedAt: timestampColumn('ended_at'),
  },
  (table) => [index('list_exports_by_user').on(table.connectionId, table.userId, table.createdAt)],
)

/** The text of an export: part 0 is the header, every other one what came of one page. */
export const listExportParts = pgTable(
  'list_export_parts',
  {
    exportId: uuid('export_id')
      .notNull()
      .references(() => listExports.id, { onDelete: 'cascade' }),
    part: integer('part').notNull(),
    /** Sealed (see seal-secret) where `sealed` says so; earlier versions kept it plain. */
    text: text('text').notNull(),
    sealed: boolean('sealed').notNull().default(false),
    /** Marks of the rows that the page brought (see met-rows), so that one that comes again is known after a pause too. */
    marks: text('marks'),
  },
  (table) => [primaryKey({ columns: [table.exportId, table.part] })],
)
