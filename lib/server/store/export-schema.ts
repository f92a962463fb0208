import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Language } from '@/lib/language/runtime'
import type { ExportTimes, MovingDays } from '@/lib/domain/lists/export-schedule'
import type { ExportQuery, ExportSum } from '@/lib/domain/lists/list-export'
import { connections, timestampColumn } from './schema'

/** Exports of lists, written part by part along the service's cursor and kept for KEEP_EXPORTS days. */
export const listExports = pgTable(
  'list_exports',
  {
    id: uuid('id').primaryKey(),
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.connectionId),
    userId: uuid('user_id').notNull(),
    startedBy: text('started_by').notNull(),
    /** The schedule that it is a run of, which may be deleted since. */
    scheduleId: uuid('schedule_id'),
    /** How often the desk has continued it unasked since a person last did. */
    resumptions: integer('resumptions').notNull().default(0),
    query: jsonb('query').$type<ExportQuery>().notNull(),
    state: text('state').$type<'running' | 'complete' | 'stopped'>().notNull(),
    /** Why it was stopped: an error code, or one of the export's own. */
    reason: text('reason'),
    /** The service's cursor to continue with; null at the start. */
    after: text('after'),
    parts: integer('parts').notNull().default(0),
    rows: integer('rows').notNull().default(0),
    /** Rows that were read but don't satisfy the filter. */
    leftOut: integer('left_out').notNull().default(0),
    /** Page entries that could not be read as rows. */
    unreadable: integer('unreadable').notNull().default(0),
    sums: jsonb('sums').$type<ExportSum[]>().notNull().default([]),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    /** Of the whole file; null until it is complete. */
    sha256: text('sha256'),
    /** The current writer, new at each start and resumption, so that two desks never write one file. */
    holder: uuid('holder'),
    /** Until then nobody else may resume it; renewed with each page, and while stored parts are read again. Null once its end is stored. */
    leaseUntil: timestampColumn('lease_until'),
    createdAt: timestampColumn('created_at').notNull().defaultNow(),
    changedAt: timestampColumn('changed_at').notNull().defaultNow(),
    endedAt: timestampColumn('ended_at'),
  },
  (table) => [index('list_exports_by_user').on(table.connectionId, table.userId, table.createdAt)],
)

/** The text of an export: part 0 is the header, each other part the rows of one page. */
export const listExportParts = pgTable(
  'list_export_parts',
  {
    exportId: uuid('export_id')
      .notNull()
      .references(() => listExports.id, { onDelete: 'cascade' }),
    part: integer('part').notNull(),
    /** Encrypted (see encryption.ts) if `sealed`; earlier versions stored it plain. */
    text: text('text').notNull(),
    sealed: boolean('sealed').notNull().default(false),
    /** Marks of the page's rows (see seen-rows.ts), to recognise repeated rows even after a pause. */
    marks: text('marks'),
  },
  (table) => [primaryKey({ columns: [table.exportId, table.part] })],
)

/** Exports to be made again and again, in the name of who scheduled them. */
export const exportSchedules = pgTable(
  'export_schedules',
  {
    id: uuid('id').primaryKey(),
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.connectionId),
    userId: uuid('user_id').notNull(),
    query: jsonb('query').$type<ExportQuery>().notNull(),
    moving: jsonb('moving').$type<MovingDays[]>().notNull(),
    times: jsonb('times').$type<ExportTimes>().notNull(),
    /** Of the column headings. */
    language: text('language').$type<Language>().notNull(),
    nextAt: timestampColumn('next_at').notNull(),
    /** The code of the error that kept the last one from starting, or why it broke off. */
    problem: text('problem'),
    createdAt: timestampColumn('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('export_schedules_due').on(table.nextAt),
    index('export_schedules_by_user').on(table.connectionId, table.userId),
  ],
)
