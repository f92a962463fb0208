import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { connections, sessions, timestampColumn, users } from './schema'

/** Apps (`totp`) and passkeys: the second factors of accounts. */
export const authenticators = pgTable(
  'authenticators',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind').$type<'totp' | 'passkey'>().notNull(),
    name: text('name').notNull(),
    /** An app's secret, encrypted (see encryption.ts). */
    secret: text('secret'),
    /** The time step of an app's last accepted code, so that none is accepted twice. */
    lastStep: bigint('last_step', { mode: 'number' }),
    /** A passkey's id, public key (base64url), signature counter and transports. */
    credentialId: text('credential_id'),
    publicKey: text('public_key'),
    counter: bigint('counter', { mode: 'number' }).notNull().default(0),
    transports: jsonb('transports').$type<string[]>(),
    createdAt: timestampColumn('created_at').notNull(),
    /** An app counts once a first code was entered; passkeys at once. */
    confirmedAt: timestampColumn('confirmed_at'),
    lastUsedAt: timestampColumn('last_used_at'),
  },
  (table) => [
    index('authenticators_by_user').on(table.userId),
    uniqueIndex('authenticators_by_credential').on(table.credentialId),
  ],
)

/**
 * Whether a row of `users` has an app or a passkey. Written out, because Drizzle leaves table names out of a query on one
 * table, where `id` would be the authenticator's.
 */
export const hasFactor = sql<boolean>`exists (
  select 1 from authenticators where authenticators.user_id = users.id and authenticators.confirmed_at is not null
)`

/**
 * Whether a row of `sessions` counts as a sign-in of its row of `users` (0135): a second factor was proven in it, or the
 * account neither has one nor needs one. As getFactorDue says of a sign-in that was read.
 */
export const lacksNoFactor = sql<boolean>`(sessions.factor is not null or not (${hasFactor} or exists (
  select 1 from memberships join connections on connections.connection_id = memberships.connection_id
  where memberships.user_id = users.id and connections.removed_at is null
    and connections.factor_roles @> to_jsonb(memberships.role)
)))`

/**
 * When a row of `users`, joined with its rows of `sessions`, was last seen; null for never. A sign-in that lacks its second
 * factor is never seen after it began; one from before the factor, which was, still says when.
 */
export const lastSeen = sql<Date | null>`max(${sessions.lastSeenAt}) filter (
  where ${lacksNoFactor} or ${sessions.lastSeenAt} > ${sessions.createdAt}
)`.mapWith(sessions.lastSeenAt)

/** Codes for those who lost their authenticator. Only hashes are stored. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** SHA-256 of user id and code, in base64url. */
    hash: text('hash').notNull().unique(),
    usedAt: timestampColumn('used_at'),
  },
  (table) => [index('recovery_codes_by_user').on(table.userId)],
)

/** Passkey challenges that were answered, so that none is answered twice. Those that nobody answers leave no row. */
export const usedChallenges = pgTable('used_challenges', {
  challenge: text('challenge').primaryKey(),
  expiresAt: timestampColumn('expires_at').notNull(),
})

/** Requests to reset somebody's factors, until a second admin approves. */
export const factorResets = pgTable('factor_resets', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id),
  connectionId: text('connection_id')
    .notNull()
    .references(() => connections.connectionId),
  requestedBy: uuid('requested_by')
    .notNull()
    .references(() => users.id),
  expiresAt: timestampColumn('expires_at').notNull(),
})
