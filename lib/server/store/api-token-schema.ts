import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { Role } from '@/lib/api-contract/permission'
import { connections, timestampColumn, users } from './schema'

/** How many days expired and revoked tokens are listed; then they are deleted. */
export const ENDED_TOKEN_DAYS = 30

/** Tokens with which scripts act for a person at one merchant. The text of a token is not stored. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.connectionId),
    name: text('name').notNull(),
    /** The most that it may do; less where its person's role is less. */
    role: text('role').$type<Role>().notNull(),
    /** The public beginning of the token, by which it is found. */
    prefix: text('prefix').notNull().unique(),
    /** SHA-256 of the whole token, in base64url. */
    hash: text('hash').notNull(),
    /** Whether its person had proven a second factor when making it. */
    withFactor: boolean('with_factor').notNull(),
    createdAt: timestampColumn('created_at').notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
    lastUsedAt: timestampColumn('last_used_at'),
    revokedAt: timestampColumn('revoked_at'),
    /** The e-mail of whoever revoked it. */
    revokedBy: text('revoked_by'),
  },
  (table) => [
    index('api_tokens_by_user').on(table.userId, table.connectionId),
    index('api_tokens_by_connection').on(table.connectionId, table.createdAt),
  ],
)
