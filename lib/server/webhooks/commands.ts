import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { type InboxView, parseSigningSecret, parseWebhooks } from '@/lib/domain/webhooks'
import { appendActivity } from '../activity-log/append'
import type { Session } from '../auth/session'
import { AppError } from '../runtime/app-error'
import { inboxes } from '../store/inbox-schema'
import { requireStore } from '../store/store'
import { callEndpoint } from '../upstream/call-endpoint'
import { findInbox, keepSigningSecret, openInbox } from './inbox'
import { viewInbox } from './queries'
import { isSigningSecret } from './receive-message'
import * as refusals from '@/lib/words/refusals'

/**
 * Opens the inbox if there is none and subscribes its address; the signing secret, if the service tells it,
 * stays on the server. Throws what `perform` throws.
 */
export async function subscribeInbox(session: Session): Promise<InboxView> {
  const db = await requireStore()
  const { connectionId } = session.scope
  const { address } = await openInbox(db, connectionId)
  const { reply } = await callEndpoint(session, 'subscribeWebhook', { body: { webhookUrl: address } })
  const secret = parseSigningSecret(reply)
  if (secret !== null && isSigningSecret(secret)) await keepSigningSecret(db, connectionId, secret)
  return viewInbox(session)
}

type Kept = Pick<typeof inboxes.$inferSelect, 'secret' | 'signingSecret'>

async function readKept(db: Database, connectionId: string): Promise<Kept | null> {
  const { secret, signingSecret } = inboxes
  const [row] = await db.select({ secret, signingSecret }).from(inboxes).where(eq(inboxes.connectionId, connectionId))
  return row ?? null
}

/** Puts `next` in the place of `now`; false when somebody else has put another there. */
async function exchange(db: Database, connectionId: string, now: Kept, next: Kept): Promise<boolean> {
  return db.transaction(async (tx) => {
    const changed = await tx
      .update(inboxes)
      .set(next)
      .where(and(eq(inboxes.connectionId, connectionId), eq(inboxes.secret, now.secret)))
      .returning({ connectionId: inboxes.connectionId })
    if (changed.length === 0) return false
    await appendActivity(tx, {
      connectionId,
      action: 'setting.inbox-address',
      objectKind: 'setting',
      objectId: 'inbox address',
      details: {},
    })
    return true
  })
}

/**
 * Gives the inbox another address, for instance when the old one has come to be known; from then on nothing is
 * taken at the old one. Where the service reports to the old address it is told the new one, then made to forget
 * the old; if it does not take the new one, the old one stays. What arrived stays. Throws AppError 'not-found' where
 * there is no inbox, 'conflict' where another renewal came first, and what `perform` throws.
 */
export async function renewInbox(session: Session): Promise<InboxView> {
  const db = await requireStore()
  const { connectionId } = session.scope
  const [inbox, old] = [await findInbox(db, connectionId), await readKept(db, connectionId)]
  if (!inbox || !old) throw new AppError('not-found', { detail: refusals.theInboxHasNoAddressYet })
  const list = parseWebhooks(await callEndpoint(session, 'listWebhooks'))
  if (!list) throw new AppError('upstream-bad-reply')
  const next = { secret: randomBytes(24).toString('base64url'), signingSecret: null }
  if (!(await exchange(db, connectionId, old, next))) {
    throw new AppError('conflict', { detail: refusals.somebodyElseHasRenewedTheAddress })
  }
  if (!list.entries.some(({ address }) => address === inbox.address)) return viewInbox(session)
  try {
    await subscribeInbox(session)
  } catch (error) {
    await exchange(db, connectionId, next, old)
    throw error
  }
  try {
    await callEndpoint(session, 'unsubscribeWebhook', { body: { webhookUrl: inbox.address } })
  } catch (error) {
    // Nothing stands at the old address any more: the list shows it, and it can be removed there.
    if (!(error instanceof AppError)) throw error
  }
  return viewInbox(session)
}
