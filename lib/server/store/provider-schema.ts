import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { moment, sessions, users } from './schema'

/** Who somebody is at an OpenID provider: issuer and subject together, never the e-mail. */
export const identities = pgTable(
  'identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] })],
)

/** What the provider gave with a sign-in. The row goes when the sign-in ends. */
export const providerTokens = pgTable('provider_tokens', {
  sessionId: uuid('session_id')
    .primaryKey()
    .references(() => sessions.id, { onDelete: 'cascade' }),
  /** Access, refresh and id token as JSON, sealed (see seal-secret). */
  tokens: text('tokens').notNull(),
  /** When the access token ends. */
  expiresAt: moment('expires_at').notNull(),
  /** Counts renewals: a refresh token that rotates must not be used twice. */
  revision: integer('revision').notNull().default(1),
  /** Until when somebody is renewing it. */
  renewingUntil: moment('renewing_until'),
})
