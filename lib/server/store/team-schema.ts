import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment, users } from './schema'

/** One-time links with which somebody sets a password: an invitation, or a reset. Only a hash of the link's secret is kept. */
export const passwordLinks = pgTable(
  'password_links',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind').$type<'invitation' | 'reset'>().notNull(),
    /** SHA-256 of the secret, in base64url. */
    secretHash: text('secret_hash').notNull().unique(),
    /** The e-mail of the admin, or `command line`. */
    madeBy: text('made_by').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    /** When it was used, replaced by a newer one or taken back. */
    endedAt: moment('ended_at'),
    /** When a password was set with it; null for one that ended otherwise. */
    usedAt: moment('used_at'),
  },
  (table) => [index('password_links_by_user').on(table.userId)],
)
