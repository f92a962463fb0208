import { randomUUID } from 'node:crypto'
import { databaseTime } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import { encryptSecret } from '../store/encryption'
import { mails } from '../store/mail-schema'
import type { MailContent } from './mail-content'
import { isMailSet } from './transport'

/** What is older is not mailed any more, as where mail was off for months. Longer than a mail is tried for. */
export const LATEST_DAYS = 2

/** Binds the encrypted link to its mail. */
export const mailLinkPurpose = (id: string) => `mail ${id}`

type NewMail = {
  /** Names the event, so that it makes one mail. */
  key: string
  userId: string
  /** The merchant it is about. */
  connectionId?: string
  content: MailContent
  /** The address of a one-time link. */
  link?: string
}

/** Queues a mail in the transaction of what it reports; nothing without a mail server. */
export async function queueMail(tx: Database, { link, ...mail }: NewMail): Promise<void> {
  if (!isMailSet()) return
  const id = randomUUID()
  const sealed = link === undefined ? null : encryptSecret(link, mailLinkPurpose(id))
  await tx
    .insert(mails)
    .values({ id, ...mail, link: sealed, dueAt: databaseTime() })
    .onConflictDoNothing()
}
