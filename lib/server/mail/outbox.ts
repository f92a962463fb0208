import { randomUUID } from 'node:crypto'
import { and, asc, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { databaseTime, isOlderThan } from '@/lib/database/clock'
import { hasPermission } from '@/lib/api-contract/permission'
import type { Database } from '@/lib/database/database'
import { choiceFor, notificationPermissions } from '@/lib/domain/notifications'
import { findLanguage } from '@/lib/language/runtime'
import { canonicalEmail } from '../auth/users'
import { log } from '../runtime/log'
import { runWithContext } from '../runtime/request-context'
import { startTrace } from '../runtime/trace'
import { passwordLinks } from '../store/auth-schema'
import { decryptSecret } from '../store/encryption'
import { isPast } from '../store/leases'
import { mails, notices } from '../store/mail-schema'
import { connections, memberships, users } from '../store/schema'
import { compose, type MailContext } from './compose'
import { layOut } from './layout'
import { mailLinkPurpose } from './queue-mail'
import { describeMailFailure, isMailSet, sendMail } from './transport'

type MailRow = typeof mails.$inferSelect

/** Longer than a send can last. */
const LEASE_MS = 5 * 60_000
/** With the pauses between them, for some 18 hours. */
const MAX_TRIES = 9
const FIRST_PAUSE_MS = 60_000
const MAX_PAUSE_MS = 6 * 60 * 60_000
/** Mails handed over in one pass. */
const MAX_PER_PASS = 50
/** As long as an event may be reported again. */
const KEPT_DAYS = 30
/** What is older when the desk starts is not mailed any more, as where mail was off for months. Longer than a mail is tried for. */
const LATEST_DAYS = 2
/** A digest of today is of no use tomorrow. */
const DIGEST_LIFETIME_MS = 6 * 60 * 60_000

/** Whether an account gets mail: some of a provider's accounts have a name in place of an address. */
export function isMailable(email: string): boolean {
  return isMailSet() && canonicalEmail(email) === email
}

/** Leases the next due mail; null without one. */
async function takeDue(db: Database): Promise<MailRow | null> {
  // What is due later than after its pause was put off by a clock that was ahead.
  const pause = sql`least(${FIRST_PAUSE_MS}::float8 * power(3, ${mails.tries} - 1), ${MAX_PAUSE_MS}::float8)`
  const isDue = or(
    lte(mails.dueAt, databaseTime()),
    sql`${mails.dueAt} > ${databaseTime()} + ${pause} * interval '1 millisecond'`,
  )
  const due = db
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.state, 'waiting'), isDue, isPast(mails.leaseUntil)))
    .orderBy(asc(mails.dueAt))
    .limit(1)
    .for('update', { skipLocked: true })
  const [taken] = await db
    .update(mails)
    .set({ holder: randomUUID(), leaseUntil: databaseTime(LEASE_MS) })
    .where(inArray(mails.id, due))
    .returning()
  return taken ?? null
}

const isHeld = ({ id, holder }: MailRow) =>
  and(eq(mails.id, id), holder === null ? isNull(mails.holder) : eq(mails.holder, holder))

async function end(db: Database, mail: MailRow, state: 'sent' | 'given-up', problem: string | null): Promise<void> {
  await db
    .update(mails)
    .set({ state, problem, tries: mail.tries + 1, link: null, endedAt: databaseTime(), holder: null, leaseUntil: null })
    .where(isHeld(mail))
}

async function postpone(db: Database, mail: MailRow, problem: string): Promise<void> {
  const pause = Math.min(FIRST_PAUSE_MS * 3 ** mail.tries, MAX_PAUSE_MS)
  await db
    .update(mails)
    .set({ problem, tries: mail.tries + 1, dueAt: databaseTime(pause), holder: null, leaseUntil: null })
    .where(isHeld(mail))
}

/** Merchants' news are for who may read there now what they are about; an account's own for its owner, as long as it isn't disabled. */
async function findRecipient(db: Database, { userId, connectionId, content }: MailRow) {
  const [found] = await db
    .select({
      email: users.email,
      language: users.language,
      role: memberships.role,
      merchant: { connectionId: connections.connectionId, name: connections.name },
    })
    .from(users)
    .leftJoin(memberships, and(eq(memberships.userId, users.id), eq(memberships.connectionId, connectionId ?? '')))
    .leftJoin(connections, and(eq(connections.connectionId, memberships.connectionId), isNull(connections.removedAt)))
    .where(
      and(
        eq(users.id, userId),
        isNull(users.disabledAt),
        'count' in content ? isNotNull(connections.connectionId) : undefined,
      ),
    )
  if (!found || !isMailable(found.email)) return null
  const mayRead =
    !('count' in content) || hasPermission(found.role ?? '', notificationPermissions[choiceFor(content.kind)])
  return mayRead ? found : null
}

async function isLinkLive(db: Database, linkId: string): Promise<boolean> {
  const [found] = await db
    .select({ expiresAt: passwordLinks.expiresAt })
    .from(passwordLinks)
    .where(and(eq(passwordLinks.id, linkId), isNull(passwordLinks.endedAt)))
  return found !== undefined && found.expiresAt.getTime() > Date.now()
}

type Ready = { to: string; context: MailContext; language: string | null }

/** What a mail needs to be written, or why it must not be sent any more. */
async function prepare(db: Database, mail: MailRow): Promise<Ready | string> {
  const recipient = await findRecipient(db, mail)
  if (!recipient) return 'recipient-left'
  const { content, id } = mail
  const link = mail.link === null ? null : decryptSecret(mail.link, mailLinkPurpose(id))
  if (content.kind === 'password-link') {
    if (!(await isLinkLive(db, content.linkId))) return 'link-ended'
    if (link === null) return 'secret-changed'
  }
  if (content.kind === 'closing-today' && Date.now() - mail.createdAt.getTime() > DIGEST_LIFETIME_MS) return 'too-late'
  const { email, merchant, language } = recipient
  return { to: email, context: { email, merchant, link }, language }
}

/** Sends a leased mail and records what became of it. Returns whether the mail server could be used at all. */
async function deliver(db: Database, mail: MailRow): Promise<boolean> {
  const ready = await prepare(db, mail)
  if (typeof ready === 'string') {
    await end(db, mail, 'given-up', ready)
    return true
  }
  try {
    const language = findLanguage(ready.language ?? '') ?? 'en'
    const written = runWithContext({ ...startTrace(), language }, () => {
      const text = compose(mail.content, ready.context)
      return text && layOut(text)
    })
    if (written) await sendMail({ id: mail.id, to: ready.to, ...written })
    await end(db, mail, written ? 'sent' : 'given-up', written ? null : 'recipient-left')
    return true
  } catch (error) {
    const { problem, isFinal, isServerDown } = describeMailFailure(error)
    const isOver = isFinal || mail.tries + 1 >= MAX_TRIES
    log.warn({ event: isOver ? 'mail-given-up' : 'mail-not-sent', mailId: mail.id, kind: mail.content.kind, problem })
    await (isOver ? end(db, mail, 'given-up', problem) : postpone(db, mail, problem))
    return !isServerDown
  }
}

/**
 * Sends what is due, one after the other. A refused recipient keeps up nobody else; where the mail server itself fails,
 * the rest waits for the next pass. Throws store errors.
 */
export async function sendDueMails(db: Database): Promise<void> {
  for (let count = 0; count < MAX_PER_PASS && !globalThis.debitdeskStopping; count += 1) {
    const mail = await takeDue(db)
    if (!mail || !(await deliver(db, mail))) return
  }
}

/**
 * Gives up what is days old. Only when the desk starts, for mail is not switched on before: done at any time, a clock that is
 * days ahead for a moment would give up all that waits. Throws store errors.
 */
export async function giveUpOldMails(db: Database): Promise<void> {
  if (!isMailSet()) return
  await db
    .update(mails)
    .set({
      state: 'given-up',
      problem: 'too-late',
      link: null,
      endedAt: databaseTime(),
      holder: null,
      leaseUntil: null,
    })
    .where(and(eq(mails.state, 'waiting'), isPast(mails.leaseUntil), isOlderThan(mails.createdAt, LATEST_DAYS)))
  await db
    .update(notices)
    .set({ handledAt: databaseTime() })
    .where(and(isNull(notices.handledAt), isOlderThan(notices.createdAt, LATEST_DAYS)))
}

/** Deletes what ended so long ago that its event can't be reported again. */
export async function deleteOldMails(db: Database): Promise<void> {
  await db.delete(mails).where(isOlderThan(mails.endedAt, KEPT_DAYS))
  await db.delete(notices).where(isOlderThan(notices.handledAt, KEPT_DAYS))
}
