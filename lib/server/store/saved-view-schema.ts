import { sql } from 'drizzle-orm'
import { boolean, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { connections, timestampColumn } from './schema'

/** A user's columns of a list, with order and widths, in the format of the list's address. */
export const columnChoices = pgTable(
  'column_choices',
  {
    connectionId: text('connection_id').notNull(),
    userId: uuid('user_id').notNull(),
    /** The list, such as `payments`. */
    list: text('list').notNull(),
    columns: text('columns').notNull(),
  },
  (table) => [primaryKey({ columns: [table.connectionId, table.userId, table.list] })],
)

/** Saved views: the query of a list's address under a name, shared by a merchant's team or for one user. */
export const savedViews = pgTable(
  'saved_views',
  {
    id: uuid('id').primaryKey(),
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.connectionId),
    /** The list, such as `payments`. */
    list: text('list').notNull(),
    name: text('name').notNull(),
    /** The address's query without `?`; empty for the plain list. */
    query: text('query').notNull(),
    isShared: boolean('is_shared').notNull(),
    userId: uuid('user_id').notNull(),
    savedBy: text('saved_by').notNull(),
    createdAt: timestampColumn('created_at').notNull().defaultNow(),
    changedAt: timestampColumn('changed_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('saved_views_shared_name')
      .on(table.connectionId, table.list, sql`lower(${table.name})`)
      .where(sql`${table.isShared}`),
    uniqueIndex('saved_views_own_name')
      .on(table.connectionId, table.list, table.userId, sql`lower(${table.name})`)
      .where(sql`not ${table.isShared}`),
  ],
)

/** The view with which a user's list opens. */
export const defaultViews = pgTable(
  'default_views',
  {
    connectionId: text('connection_id').notNull(),
    userId: uuid('user_id').notNull(),
    list: text('list').notNull(),
    viewId: uuid('view_id')
      .notNull()
      .references(() => savedViews.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.connectionId, table.userId, table.list] })],
)
