import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { sessions, timestampColumn, users } from './schema'

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
    createdAt: timestampColumn('created_at').notNull().defaultNow(),
    expiresAt: timestampColumn('expires_at').notNull(),
    /** When it was used, replaced by a newer one or taken back. */
    endedAt: timestampColumn('ended_at'),
    /** When a password was set with it; null for one that ended otherwise. */
    usedAt: timestampColumn('used_at'),
  },
  (table) => [index('password_links_by_user').on(table.userId)],
)

/** Who somebody is at an OpenID provider: issuer and subject together, never the e-mail. */
export const identities = pgTable(
  'identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    createdAt: timestampColumn('created_at').notNull().defaultNow(),
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
  expiresAt: timestampColumn('expires_at').notNull(),
  /** Counts renewals: a refresh token that rotates must not be used twice. */
  revision: integer('revision').notNull().default(1),
  /** Until when somebody is renewing it. */
  renewingUntil: timestampColumn('renewing_until'),
})
