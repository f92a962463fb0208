import { randomUUID } from 'node:crypto'
import { and, gt, eq, sql } from 'drizzle-orm'
import { databaseTime } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import { mails } from '../store/mail-schema'
import type { FactorChange } from './mail-content'
import { queueMail } from './queue-mail'

const HOUR_MS = 60 * 60_000
/** Whoever signs in again and again can't fill a mailbox. */
const MAX_NEW_DEVICES_PER_HOUR = 5

type SignIn = { userId: string; sessionId: string; browser: string | null; peer: string; at: Date }

/** Tells an account's owner of a sign-in with a browser that isn't known for it. Call it in the sign-in's transaction. */
export async function queueNewDeviceMail(
  tx: Database,
  { userId, sessionId, browser, peer, at }: SignIn,
): Promise<void> {
  const recent = await tx.$count(
    mails,
    and(
      eq(mails.userId, userId),
      gt(mails.createdAt, databaseTime(-HOUR_MS)),
      sql`${mails.content} ->> 'kind' = 'new-device'`,
    ),
  )
  if (recent >= MAX_NEW_DEVICES_PER_HOUR) return
  const content = { kind: 'new-device', browser, peer, at: at.toISOString() } as const
  await queueMail(tx, { key: `new-device ${sessionId}`, userId, content })
}

/** Tells an account's owner that its password was set. Call it in the transaction that sets it. */
export function queuePasswordMail(tx: Database, userId: string, at: Date): Promise<void> {
  const content = { kind: 'password-changed', at: at.toISOString() } as const
  return queueMail(tx, { key: `password-changed ${randomUUID()}`, userId, content })
}

/** Tells an account's owner that its second factor changed. Call it in the transaction that changes it. */
export function queueFactorMail(tx: Database, userId: string, change: FactorChange, at: Date): Promise<void> {
  const content = { kind: 'factor-changed', change, at: at.toISOString() } as const
  return queueMail(tx, { key: `factor-changed ${randomUUID()}`, userId, content })
}

/** Tells an account's owner that an API token was made in its name. Call it in the transaction that makes it. */
export function queueTokenMail(
  tx: Database,
  { tokenId, userId, name, at }: { tokenId: string; userId: string; name: string; at: Date },
): Promise<void> {
  const content = { kind: 'token-made', name, at: at.toISOString() } as const
  return queueMail(tx, { key: `token-made ${tokenId}`, userId, content })
}
