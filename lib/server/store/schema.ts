import { type SQL, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  type PgColumn,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { OutcomeReason, SeenPayment } from '@/lib/domain/cancellations/cancellation'
import type { ConnectionSettings } from '@/lib/domain/merchant-connection'
import type { CancellationState, ManualCheck, Evidence, ReviewResolution } from '../cancellations/states'

/** The one connection there is today; every row of the store names it. */
export const defaultConnectionId = 'default'

const uuidPattern = sql.raw("'^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$'")

/** `idKey` of lib/domain/ids.ts for a column: in an index and in a query alike, for only then is the index used. */
export function idKeyOf(column: PgColumn): SQL<string> {
  return sql<string>`(case when ${column} ~ ${uuidPattern} then lower(${column}) else ${column} end)`
}

/*
 * The desk's own store. A connection is one merchant at one service; every table names it (users and
 * their sign-in sessions through their memberships). Moments are timestamptz.
 */

/** A column that holds a moment, to the millisecond. */
export const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })

export const connections = pgTable('connections', {
  connectionId: text('connection_id').primaryKey(),
  name: text('name').notNull(),
  /** Where the service is and how it is read; null for the connection that the settings describe. No secret. */
  settings: jsonb('settings').$type<ConnectionSettings>(),
  /** The secret, sealed (see seal-secret), and which key it was sealed with. */
  credential: text('credential'),
  credentialKey: text('credential_key'),
  /** Counts changes, so that each process knows when what it keeps is out of date. */
  revision: integer('revision').notNull().default(1),
  /** Closed for good: nobody reaches it any more, its rows stay for the record. */
  removedAt: timestampColumn('removed_at'),
  createdAt: timestampColumn('created_at').notNull().defaultNow(),
})

export const users = pgTable('users', {
  id: uuid('id').primaryKey(),
  /** Canonical form: see canonicalEmail. */
  email: text('email').notNull().unique(),
  passwordHash: text('password_hash'),
  disabledAt: timestampColumn('disabled_at'),
  /** A demo sign-in: exists only beside the embedded service, and is disabled at a start without it. */
  demo: boolean('demo').notNull().default(false),
  /** The merchant whose page was opened last: a page that names none opens there. */
  lastConnectionId: text('last_connection_id').references(() => connections.connectionId),
  createdAt: timestampColumn('created_at').notNull().defaultNow(),
})

/** Who may do what for which merchant. */
export const memberships = pgTable(
  'memberships',
  {
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.connectionId),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    role: text('role').notNull(),
    /** Given by the OpenID provider's claim: read again, and taken away, at each sign-in. */
    fromProvider: boolean('from_provider').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.connectionId, table.userId] })],
)

/** One row per sign-in, checked on every request; ended rows stay until they are swept. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    createdAt: timestampColumn('created_at').notNull().defaultNow(),
    lastSeenAt: timestampColumn('last_seen_at').notNull().defaultNow(),
    endedAt: timestampColumn('ended_at'),
    /** When the password (or the provider) last proved who it is: what weighs most asks for it again (SE-22). */
    provenAt: timestampColumn('proven_at').notNull().defaultNow(),
    /** Where from and with what, for the list of one's own sign-ins; the browser in our words, never the header. */
    peer: text('peer'),
    browser: text('browser'),
  },
  (table) => [index('sessions_by_user').on(table.userId)],
)

/** Guesses at a password, per account and per peer, for throttling; a right one takes its rows away again. */
export const attempts = pgTable(
  'attempts',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    key: text('key').notNull(),
    at: timestampColumn('at').notNull().defaultNow(),
  },
  (table) => [index('attempts_by_key').on(table.key, table.at)],
)

/** The cancellation ledger: one intent per row. Its history is in `activity`. */
export const cancellations = pgTable(
  'cancellations',
  {
    /** Also the Idempotency-Key that the service sees. */
    id: uuid('id').primaryKey(),
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.connectionId),
    paymentId: text('payment_id').notNull(),
    /** The UUID that the dialog minted: a repeated submission finds its first. */
    clientKey: uuid('client_key').notNull(),
    /** The bulk that it is a row of; null for one that was asked for by itself. */
    bulkId: uuid('bulk_id'),
    userId: uuid('user_id').notNull(),
    userEmail: text('user_email').notNull(),
    reason: text('reason').notNull(),
    /** The user's second word: to be sent although the payment could not be read again. */
    unread: boolean('unread').notNull().default(false),
    /** What the user saw when deciding: amount, currency, status, modifiedAt. Null until the first read for those who did not say. */
    seen: jsonb('seen').$type<SeenPayment>(),
    state: text('state').$type<CancellationState>().notNull(),
    stateSince: timestampColumn('state_since').notNull().defaultNow(),
    /** Why it is in that state, for words in the browser; null where the state says enough. */
    outcomeReason: text('outcome_reason').$type<OutcomeReason>(),
    /** The service's own words or the state that was read, at most 300 characters. */
    detail: text('detail'),
    /** Facts: what the service answered and what was read last. */
    evidence: jsonb('evidence').$type<Evidence>().notNull().default({}),
    /** Requests that the service may have received. One that surely never reached it is taken off again. */
    attempts: integer('attempts').notNull().default(0),
    /** What the last read after the last send said, and how many in a row have said so. */
    lastRead: text('last_read'),
    agreeingReads: integer('agreeing_reads').notNull().default(0),
    lastFoundAt: timestampColumn('last_found_at'),
    createdAt: timestampColumn('created_at').notNull().defaultNow(),
    sentAt: timestampColumn('sent_at'),
    /** Since when it may have been done or not: the first send, or the intent while nothing was sent. A further send does not renew it. */
    undecidedSince: timestampColumn('undecided_since'),
    dueAt: timestampColumn('due_at'),
    closedAt: timestampColumn('closed_at'),
    /** Who works on it until when, so that two desks on one store never do it twice. */
    leaseHolder: text('lease_holder'),
    leaseUntil: timestampColumn('lease_until'),
    /** What a person's later look showed, the latest alone. What is closed stays as it closed. */
    checked: jsonb('checked').$type<ManualCheck>(),
    /** Who took a cancellation that needed a person off the list, and what they found. Written once. */
    handled: jsonb('handled').$type<ReviewResolution>(),
  },
  (table) => [
    uniqueIndex('cancellations_by_key').on(table.connectionId, table.clientKey),
    uniqueIndex('cancellations_one_open')
      .on(table.connectionId, idKeyOf(table.paymentId))
      .where(sql`${table.closedAt} is null`),
    index('cancellations_by_payment').on(table.connectionId, idKeyOf(table.paymentId), table.createdAt),
    // What the worker looks through again and again: thousands that stand in line in a bulk cost it nothing.
    index('cancellations_to_tend')
      .on(table.connectionId, table.dueAt)
      .where(
        sql`${table.closedAt} is null and (${table.bulkId} is null or ${table.state} not in ('intended', 'waiting'))`,
      ),
    // How many somebody has asked for one by one of late (see assertVelocity).
    index('cancellations_by_person').on(table.userId, table.createdAt).where(sql`${table.bulkId} is null`),
    index('cancellations_by_bulk').on(table.bulkId, table.state),
    // What people still have to look into, among all that was ever asked for.
    index('cancellations_unhandled')
      .on(table.connectionId, table.createdAt)
      .where(sql`${table.state} = 'needs-person' and ${table.handled} is null`),
  ],
)

/** When a desk on this store was last alive: one row. */
export const deskPresence = pgTable('desk_presence', {
  one: boolean('one').primaryKey().default(true),
  seenAt: timestampColumn('seen_at').notNull(),
})

/** Append-only and chained: each row's hash covers the row and the hash before it. */
export const activity = pgTable(
  'activity',
  {
    sequence: bigint('sequence', { mode: 'number' }).primaryKey(),
    connectionId: text('connection_id').notNull(),
    at: timestampColumn('at').notNull(),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    objectKind: text('object_kind').notNull(),
    objectId: text('object_id').notNull(),
    details: jsonb('details').notNull(),
    previousHash: text('previous_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [
    index('activity_by_object').on(table.connectionId, table.objectKind, table.objectId, table.sequence),
    index('activity_by_sequence').on(table.connectionId, table.sequence),
    index('activity_by_kind').on(table.connectionId, table.objectKind, table.sequence),
    index('activity_by_action').on(table.connectionId, table.action, table.sequence),
    index('activity_by_actor').on(table.connectionId, table.actor, table.sequence),
    index('activity_by_outcome').on(table.connectionId, sql`(${table.details} ->> 'outcome')`, table.sequence),
    index('activity_by_day').on(table.connectionId, table.at),
  ],
)

/** What a service was proven to do with filter, order and paging; kept for a day. */
export const capabilities = pgTable(
  'capabilities',
  {
    connectionId: text('connection_id').notNull(),
    endpointId: text('endpoint_id').notNull(),
    proof: text('proof').notNull(),
    holds: boolean('holds').notNull(),
    provenAt: timestampColumn('proven_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.connectionId, table.endpointId, table.proof] })],
)

/** Agreements that were made or opened here, or that the merchant record names: the interface has no list of them. */
export const agreements = pgTable(
  'agreements',
  {
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.connectionId),
    /** As the service says it; the handle where it says no id. */
    agreementId: text('agreement_id').notNull(),
    handle: text('handle'),
    scheme: text('scheme'),
    status: text('status'),
    test: boolean('test'),
    /** How the desk came to know it first. */
    source: text('source').$type<'made' | 'opened' | 'merchant'>().notNull(),
    /** The e-mail of the person, or `desk` for what the merchant record named. */
    rememberedBy: text('remembered_by').notNull(),
    rememberedAt: timestampColumn('remembered_at').notNull().defaultNow(),
    /** When the service last said the above. */
    readAt: timestampColumn('read_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.connectionId, table.agreementId] })],
)
