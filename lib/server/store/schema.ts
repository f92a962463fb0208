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
import type { Role } from '@/lib/api-contract/permission'
import type { ProvenFactor } from '@/lib/domain/second-factor'
import type { ApprovalRule } from '@/lib/domain/cancellations/approval'
import type { OutcomeReason, SeenPayment } from '@/lib/domain/cancellations/cancellation'
import type { ConnectionSettings } from '@/lib/domain/merchant-connection'
import type { TextSalts } from '../activity-log/commitments'
import type { CancellationState, ManualCheck, Evidence, ReviewResolution } from '../cancellations/states'

/** The connection described by the settings. */
export const defaultConnectionId = 'default'

const uuidPattern = sql.raw("'^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$'")

/** `idKey` of lib/domain/ids.ts for a column. Queries must use the same expression as the index. */
export function idKeyOf(column: PgColumn): SQL<string> {
  return sql<string>`(case when ${column} ~ ${uuidPattern} then lower(${column}) else ${column} end)`
}

/*
 * The desk's own store. A connection is a merchant's account at a service; every table refers to one (users and their
 * sessions through memberships). Timestamps are timestamptz.
 */

/** A timestamp column with millisecond precision. */
export const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })

export const connections = pgTable('connections', {
  connectionId: text('connection_id').primaryKey(),
  name: text('name').notNull(),
  /** The service's address and how it is read; null for the connection of the settings. Holds no secret. */
  settings: jsonb('settings').$type<ConnectionSettings>(),
  /** The secret, encrypted (see encryption.ts), and the id of the key. */
  credential: text('credential'),
  credentialKey: text('credential_key'),
  /** Counts changes, so that each process can tell when its cached copy is outdated. */
  revision: integer('revision').notNull().default(1),
  /** When a second person approves cancellations; null for never. */
  approval: jsonb('approval').$type<ApprovalRule>(),
  /** The roles whose people need a second factor. */
  factorRoles: jsonb('factor_roles').$type<Role[]>().notNull().default([]),
  /** Removed for good: it is inaccessible, its rows stay for the record. */
  removedAt: timestampColumn('removed_at'),
  createdAt: timestampColumn('created_at').notNull().defaultNow(),
})

export const users = pgTable('users', {
  id: uuid('id').primaryKey(),
  /** In canonical form: see canonicalEmail. */
  email: text('email').notNull().unique(),
  passwordHash: text('password_hash'),
  disabledAt: timestampColumn('disabled_at'),
  /** A demo sign-in: exists only beside the embedded service and is disabled when the desk starts without it. */
  demo: boolean('demo').notNull().default(false),
  /** The merchant opened last, and the default for pages that name none. */
  lastConnectionId: text('last_connection_id').references(() => connections.connectionId),
  /** The language of the texts; null for the browser's. */
  language: text('language'),
  createdAt: timestampColumn('created_at').notNull().defaultNow(),
})

/** Users' roles at merchants. */
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
    /** Granted by the OpenID provider's claim: updated or removed at each sign-in. */
    fromProvider: boolean('from_provider').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.connectionId, table.userId] })],
)

/** One row per sign-in, checked on every request; ended rows stay until swept. */
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
    /** When the user last authenticated; the most consequential actions require it to be recent (SE-22). */
    provenAt: timestampColumn('proven_at').notNull().defaultNow(),
    /** How the user proved a second factor in it; null if they have not. */
    factor: text('factor').$type<ProvenFactor>(),
    /** For the list of one's own sign-ins; the browser as described by us, never the header. */
    peer: text('peer'),
    browser: text('browser'),
  },
  (table) => [index('sessions_by_user').on(table.userId)],
)

/**
 * Password attempts, per account and per peer, for throttling; a successful one deletes its rows. Beside them, what people
 * may do only so often in an hour.
 */
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
    /** Also the Idempotency-Key sent to the service. */
    id: uuid('id').primaryKey(),
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.connectionId),
    paymentId: text('payment_id').notNull(),
    /** A UUID from the dialog: a repeated submission finds the first one. */
    clientKey: uuid('client_key').notNull(),
    /** The bulk it belongs to; null for an individual cancellation. */
    bulkId: uuid('bulk_id'),
    userId: uuid('user_id').notNull(),
    userEmail: text('user_email').notNull(),
    reason: text('reason').notNull(),
    /** Whether the user confirmed sending it although the payment could not be read again. */
    unread: boolean('unread').notNull().default(false),
    /** What the user saw when deciding: amount, currency, status, modifiedAt. Null until the first read if not submitted. */
    seen: jsonb('seen').$type<SeenPayment>(),
    state: text('state').$type<CancellationState>().notNull(),
    stateSince: timestampColumn('state_since').notNull().defaultNow(),
    /** Why it is in that state, from which the browser chooses a text; null when the state says enough. */
    outcomeReason: text('outcome_reason').$type<OutcomeReason>(),
    /** The service's own text or the state that was read, at most 300 characters. */
    detail: text('detail'),
    /** The service's reply and the latest read. */
    evidence: jsonb('evidence').$type<Evidence>().notNull().default({}),
    /** Requests the service may have received; one that certainly never reached it is subtracted. */
    attempts: integer('attempts').notNull().default(0),
    /** The result of the last read after the last send, and how many reads in a row agree. */
    lastRead: text('last_read'),
    agreeingReads: integer('agreeing_reads').notNull().default(0),
    lastFoundAt: timestampColumn('last_found_at'),
    createdAt: timestampColumn('created_at').notNull().defaultNow(),
    sentAt: timestampColumn('sent_at'),
    /** Since when its outcome is undecided: the first send, or the intent while unsent. Not renewed by further sends. */
    undecidedSince: timestampColumn('undecided_since'),
    dueAt: timestampColumn('due_at'),
    closedAt: timestampColumn('closed_at'),
    /** The lease of its worker, so that two desks on one store never process it twice. */
    leaseHolder: text('lease_holder'),
    leaseUntil: timestampColumn('lease_until'),
    /** The result of the latest check by a person. The state of a closed cancellation stays. */
    checked: jsonb('checked').$type<ManualCheck>(),
    /** Who resolved a cancellation that needed review, and what they found. Written once. */
    handled: jsonb('handled').$type<ReviewResolution>(),
  },
  (table) => [
    uniqueIndex('cancellations_by_key').on(table.connectionId, table.clientKey),
    uniqueIndex('cancellations_one_open')
      .on(table.connectionId, idKeyOf(table.paymentId))
      .where(sql`${table.closedAt} is null`),
    index('cancellations_by_payment').on(table.connectionId, idKeyOf(table.paymentId), table.createdAt),
    // The worker's due rows; excludes the thousands that may be queued in a bulk.
    index('cancellations_to_tend')
      .on(table.connectionId, table.dueAt)
      .where(
        sql`${table.closedAt} is null and (${table.bulkId} is null or ${table.state} not in ('intended', 'waiting'))`,
      ),
    // Individual cancellations by recency (see assertVelocity).
    index('cancellations_by_person').on(table.userId, table.createdAt).where(sql`${table.bulkId} is null`),
    index('cancellations_by_bulk').on(table.bulkId, table.state),
    // Cancellations that still need review, among all of them.
    index('cancellations_unhandled')
      .on(table.connectionId, table.createdAt)
      .where(sql`${table.state} = 'needs-person' and ${table.handled} is null`),
  ],
)

/** The latest heartbeat of a desk on this store, in one row. */
export const deskPresence = pgTable('desk_presence', {
  one: boolean('one').primaryKey().default(true),
  seenAt: timestampColumn('seen_at').notNull(),
})

/** Append-only and chained: each row's hash covers the row and the previous hash. Only texts of people can be erased. */
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
    /** See commitments.ts; null in rows of earlier versions. */
    salts: jsonb('salts').$type<TextSalts>(),
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

/** A service's proven support for filter, order and paging; kept for a day. */
export const capabilities = pgTable(
  'capabilities',
  {
    connectionId: text('connection_id').notNull(),
    /** The list's endpoint and the address where it was asked. */
    endpointId: text('endpoint_id').notNull(),
    proof: text('proof').notNull(),
    holds: boolean('holds').notNull(),
    provenAt: timestampColumn('proven_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.connectionId, table.endpointId, table.proof] })],
)

/** Agreements created or opened here, or named by the merchant record: the API has no list of them. */
export const agreements = pgTable(
  'agreements',
  {
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.connectionId),
    /** The service's id, or the handle if there is none. */
    agreementId: text('agreement_id').notNull(),
    handle: text('handle'),
    scheme: text('scheme'),
    status: text('status'),
    test: boolean('test'),
    /** How the desk first learned of it. */
    source: text('source').$type<'made' | 'opened' | 'merchant'>().notNull(),
    /** A person's e-mail, or `desk` for one named by the merchant record. */
    rememberedBy: text('remembered_by').notNull(),
    rememberedAt: timestampColumn('remembered_at').notNull().defaultNow(),
    /** When the service last returned the above. */
    readAt: timestampColumn('read_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.connectionId, table.agreementId] })],
)
