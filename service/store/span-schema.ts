import { pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { moment, plainText } from './columns'
import { merchants } from './schema'

/**
 * Between which moments the payments of one business date were created, by the date's field. Kept by a trigger
 * as payments are inserted (neither date nor creation ever changes), and so never narrower than the truth.
 */
export const creationSpans = pgTable(
  'creation_spans',
  {
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    /** `scheduleDate` or `paymentDate`. */
    field: plainText('field').notNull(),
    day: moment('day').notNull(),
    firstAt: moment('first_at').notNull(),
    lastAt: moment('last_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.merchantId, table.field, table.day] })],
)
