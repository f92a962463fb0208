import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { sessions, timestampColumn, users } from './schema'

/** One-time links for setting a password, as an invitation or a reset. Only a hash of the secret is stored. */
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
    /** When it was used, replaced or revoked. */
    endedAt: timestampColumn('ended_at'),
    /** When a password was set with it; null if it ended otherwise. */
    usedAt: timestampColumn('used_at'),
  },
  (table) => [index('password_links_by_user').on(table.userId)],
)

/** A user's identity at an OpenID provider: issuer and subject together, never the e-mail. */
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

/** The provider's tokens of a sign-in. The row is deleted when the sign-in ends. */
export const providerTokens = pgTable('provider_tokens', {
  sessionId: uuid('session_id')
    .primaryKey()
    .references(() => sessions.id, { onDelete: 'cascade' }),
  /** Access, refresh and id token as JSON, encrypted (see encryption.ts). */
  tokens: text('tokens').notNull(),
  /** When the access token expires. */
  expiresAt: timestampColumn('expires_at').notNull(),
  /** Counts renewals: a rotating refresh token must not be used twice. */
  revision: integer('revision').notNull().default(1),
  /** The lease of a running renewal. */
  renewingUntil: timestampColumn('renewing_until'),
})
