import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

/** Which columns a user's list shows, in which order and how wide, as its address would write them. */
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
