import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { OutcomeReason, SeenPayment } from '@/lib/contract/cancellation'
import type { InboxVerdict } from '@/lib/contract/inbox'
import type { Evidence } from '../cancellations/evidence'
import type { CancellationState } from '../cancellations/states'

/*
 * The desk's own store. A connection is one merchant at one service; every table names it (users and
 * their sign-in sessions through their memberships). Moments are timestamptz.
 */

/** A column that holds a moment, to the millisecond. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })

export const connections = pgTable('connections', {
  connectionId: text('connection_id').primaryKey(),
  name: text('name').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
})

export const users = pgTable('users', {
  id: uuid('id').primaryKey(),
  /** Canonical form: see canonicalEmail. */
  email: text('email').notNull().unique(),
  passwordHash: text('password_hash'),
  disabledAt: moment('disabled_at'),
  /** A demo sign-in: exists only beside the embedded service, and is disabled at a start without it. */
  demo: boolean('demo').notNull().default(false),
  createdAt: moment('created_at').notNull().defaultNow(),
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
    createdAt: moment('created_at').notNull().defaultNow(),
    lastSeenAt: moment('last_seen_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
  },
  (table) => [index('sessions_by_user').on(table.userId)],
)

/** Guesses at a password, per account and per peer, for throttling; a right one takes its rows away again. */
export const attempts = pgTable(
  'attempts',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    key: text('key').notNull(),
    at: moment('at').notNull().defaultNow(),
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
    userId: uuid('user_id').notNull(),
    userEmail: text('user_email').notNull(),
    reason: text('reason').notNull(),
    /** The user's second word: to be sent although the payment could not be read again. */
    unread: boolean('unread').notNull().default(false),
    /** What the user saw when deciding: amount, currency, status, modifiedAt. Null until the first read for those who did not say. */
    seen: jsonb('seen').$type<SeenPayment>(),
    state: text('state').$type<CancellationState>().notNull(),
    stateSince: moment('state_since').notNull().defaultNow(),
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
    lastFoundAt: moment('last_found_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    sentAt: moment('sent_at'),
    dueAt: moment('due_at'),
    closedAt: moment('closed_at'),
    /** Who works on it until when, so that two desks on one store never do it twice. */
    leaseHolder: text('lease_holder'),
    leaseUntil: moment('lease_until'),
  },
  (table) => [
    uniqueIndex('cancellations_by_key').on(table.connectionId, table.clientKey),
    // Without regard to case: a UUID written in capitals is the same payment.
    uniqueIndex('cancellations_one_open')
      .on(table.connectionId, sql`lower(${table.paymentId})`)
      .where(sql`${table.closedAt} is null`),
    index('cancellations_by_payment').on(table.connectionId, sql`lower(${table.paymentId})`, table.createdAt),
    index('cancellations_due').on(table.dueAt).where(sql`${table.closedAt} is null`),
  ],
)

/** Append-only and chained: each row's hash covers the row and the hash before it. */
export const activity = pgTable(
  'activity',
  {
    sequence: bigint('sequence', { mode: 'number' }).primaryKey(),
    connectionId: text('connection_id').notNull(),
    at: moment('at').notNull(),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    objectKind: text('object_kind').notNull(),
    objectId: text('object_id').notNull(),
    details: jsonb('details').notNull(),
    previousHash: text('previous_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [index('activity_by_object').on(table.connectionId, table.objectKind, table.objectId, table.sequence)],
)

/** What a service was proven to do with filter, order and paging; kept for a day. */
export const capabilities = pgTable(
  'capabilities',
  {
    connectionId: text('connection_id').notNull(),
    endpointId: text('endpoint_id').notNull(),
    proof: text('proof').notNull(),
    holds: boolean('holds').notNull(),
    provenAt: moment('proven_at').notNull().defaultNow(),
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
    rememberedAt: moment('remembered_at').notNull().defaultNow(),
    /** When the service last said the above. */
    readAt: moment('read_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.connectionId, table.agreementId] })],
)

/** The desk's own callback address of a connection, and what its signatures are checked with. */
export const inboxes = pgTable('inboxes', {
  connectionId: text('connection_id')
    .primaryKey()
    .references(() => connections.connectionId),
  /** The last segment of the address: whoever knows it may deliver. */
  secret: text('secret').notNull().unique(),
  /** The signing secret as the service told it, sealed (see seal-secret); null while it is not known. */
  signingSecret: text('signing_secret'),
  createdAt: moment('created_at').notNull().defaultNow(),
})

/** What arrived at the inbox: bounded in size and number, newest kept. */
export const inboxMessages = pgTable(
  'inbox_messages',
  {
    sequence: bigint('sequence', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.connectionId),
    receivedAt: moment('received_at').notNull().defaultNow(),
    /** The headers of the allow-list, names in lower case. */
    headers: jsonb('headers').$type<Record<string, string>>().notNull(),
    body: text('body').notNull(),
    verdict: text('verdict').$type<InboxVerdict>().notNull(),
    /** The `webhook-id`, of messages whose signature was right: a repeated delivery finds its first. */
    webhookId: text('webhook_id'),
    /** How often it was delivered. */
    times: integer('times').notNull().default(1),
  },
  (table) => [
    index('inbox_messages_by_connection').on(table.connectionId, table.sequence),
    uniqueIndex('inbox_messages_once').on(table.connectionId, table.webhookId),
  ],
)
