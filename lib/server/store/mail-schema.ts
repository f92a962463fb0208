import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { NoticeKind, NotificationKind } from '@/lib/domain/notifications'
import type { MailContent } from '../mail/mail-content'
import { connections, timestampColumn, users } from './schema'

/** Mails to be sent and those of recent weeks. The text is written when it is sent, in the recipient's language. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    /** Names the event: a second mail with the same key is not added. */
    key: text('key').notNull().unique(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** The merchant it is about; null for the account's own. */
    connectionId: text('connection_id').references(() => connections.connectionId),
    content: jsonb('content').$type<MailContent>().notNull(),
    /** The address of a one-time link, encrypted (see encryption.ts); null once the mail has ended. */
    link: text('link'),
    state: text('state').$type<'waiting' | 'sent' | 'given-up'>().notNull().default('waiting'),
    tries: integer('tries').notNull().default(0),
    /** Why the last try failed, or why none is made: a code of ours or of the mail server. */
    problem: text('problem'),
    dueAt: timestampColumn('due_at').notNull(),
    /** The desk that sends it, so that two desks on one store don't both. */
    holder: uuid('holder'),
    leaseUntil: timestampColumn('lease_until'),
    createdAt: timestampColumn('created_at').notNull().defaultNow(),
    endedAt: timestampColumn('ended_at'),
  },
  (table) => [
    index('mails_due').on(table.dueAt).where(sql`${table.state} = 'waiting'`),
    index('mails_by_user').on(table.userId, table.createdAt),
  ],
)

/** What happened at a merchant that people may want to be told of. Several of a kind become one mail. */
export const notices = pgTable(
  'notices',
  {
    /** Names the event: it is noted once, however often it is reported. */
    key: text('key').primaryKey(),
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.connectionId),
    kind: text('kind').$type<NotificationKind | NoticeKind>().notNull(),
    /** The id of the payment, the bulk or the export. */
    subject: text('subject').notNull(),
    /** Whom alone it concerns; null for everybody at the merchant who wants to know. */
    userId: uuid('user_id'),
    createdAt: timestampColumn('created_at').notNull().defaultNow(),
    /** When the mails about it were added. */
    handledAt: timestampColumn('handled_at'),
  },
  (table) => [index('notices_open').on(table.connectionId, table.kind).where(sql`${table.handledAt} is null`)],
)

/** Of what a person wants to be told by mail, per merchant. */
export const notificationChoices = pgTable(
  'notification_choices',
  {
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.connectionId),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind').$type<NotificationKind>().notNull(),
    /** The hour of a daily one, 0 to 23 in the business zone, and when it is due next; null for all others. */
    hour: integer('hour'),
    nextAt: timestampColumn('next_at'),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.userId, table.kind] }),
    index('notification_choices_due').on(table.nextAt),
  ],
)

/** E-mails for which a new password was asked, until a worker has looked whether there is such an account. */
export const passwordRequests = pgTable('password_requests', {
  id: uuid('id').primaryKey().defaultRandom(),
  /** In canonical form: see canonicalEmail. */
  email: text('email').notNull(),
  createdAt: timestampColumn('created_at').notNull().defaultNow(),
})
