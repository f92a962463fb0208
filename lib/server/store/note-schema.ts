import { sql } from 'drizzle-orm'
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { NoteKind } from '@/lib/domain/notes'
import { connections, timestampColumn } from './schema'

/** Notes of the team on payments and customers, which may be somebody's task until a day. */
export const notes = pgTable(
  'notes',
  {
    id: uuid('id').primaryKey(),
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.connectionId),
    objectKind: text('object_kind').$type<NoteKind>().notNull(),
    objectId: text('object_id').notNull(),
    /** What people call it, such as an invoice number. */
    objectName: text('object_name').notNull(),
    text: text('text').notNull(),
    authorId: uuid('author_id').notNull(),
    author: text('author').notNull(),
    /** Whose task it is; null for a mere note. */
    assigneeId: uuid('assignee_id'),
    assignee: text('assignee'),
    /** A day in the business zone, such as `2026-11-30`. */
    dueDay: text('due_day'),
    createdAt: timestampColumn('created_at').notNull().defaultNow(),
    doneAt: timestampColumn('done_at'),
    doneBy: text('done_by'),
  },
  (table) => [
    index('notes_by_object').on(table.connectionId, table.objectKind, table.objectId),
    index('notes_to_do')
      .on(table.connectionId, table.assigneeId)
      .where(sql`${table.doneAt} is null and ${table.assigneeId} is not null`),
  ],
)
