import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { findInboxAddresses, type InboxView, namesAll, parseSigningSecret, parseWebhooks } from '@/lib/domain/webhooks'
import { appendActivity } from '../activity-log/append'
import type { Session } from '../auth/session'
import { AppError } from '../runtime/app-error'
import { inboxes } from '../store/inbox-schema'
import { requireStore } from '../store/store'
import { callEndpoint } from '../upstream/call-endpoint'
import { adoptSigningSecret, makeAddress, openInbox } from './inbox'
import { viewInbox } from './queries'
import { isSigningSecret } from './receive-message'
import * as m from '@/lib/messages/m'

/**
 * Opens the inbox if needed and subscribes its address; what may be a signing secret in the reply is stored on the server.
 * Throws what `callEndpoint` throws.
 */
export async function subscribeInbox(session: Session): Promise<InboxView> {
  const db = await requireStore()
  const { connectionId } = session.scope
  const { address } = await openInbox(db, connectionId)
  const { reply } = await callEndpoint(session, 'subscribeWebhook', { body: { webhookUrl: address } })
  const secret = parseSigningSecret(reply)
  if (secret !== null && isSigningSecret(secret)) await adoptSigningSecret(db, connectionId, secret)
  return viewInbox(session)
}

/** Gives the inbox another end of its address; false when it has changed meanwhile. */
async function replaceAddress(db: Database, connectionId: string, old: string, next: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const changed = await tx
      .update(inboxes)
      .set({ secret: next })
      .where(and(eq(inboxes.connectionId, connectionId), eq(inboxes.secret, old)))
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
 * Gives the inbox a new address, for instance when the old one leaked; the old one stops working at once. If the
 * service is subscribed to the old address, also as it was before the desk moved, or may be, as its list can't be read
 * wholly, the new one is subscribed and the old one unsubscribed; if subscribing fails, the old one is restored. A
 * process that is killed before it has subscribed the new one leaves the inbox cut off, until somebody presses
 * "Subscribe the inbox". The signing secret stays in force: one that comes with the new subscription is kept beside it
 * (0148). Stored messages stay. Throws AppError 'not-found' without an inbox, 'conflict' after a concurrent renewal, and
 * what `callEndpoint` throws.
 */
export async function renewInbox(session: Session): Promise<InboxView> {
  const db = await requireStore()
  const { connectionId } = session.scope
  const [old] = await db.select({ secret: inboxes.secret }).from(inboxes).where(eq(inboxes.connectionId, connectionId))
  if (!old) throw new AppError('not-found', { detail: m.refusals_theInboxHasNoAddressYet() })
  const list = parseWebhooks(await callEndpoint(session, 'listWebhooks'))
  if (!list) throw new AppError('upstream-bad-reply')
  const secret = randomBytes(24).toString('base64url')
  if (!(await replaceAddress(db, connectionId, old.secret, secret))) {
    throw new AppError('conflict', { detail: m.refusals_somebodyElseHasRenewedTheAddress() })
  }
  const before = new Set(findInboxAddresses(list, makeAddress(old.secret)))
  // The rest of the list can't be read: a subscription too many is better than none.
  if (before.size === 0 && !namesAll(list)) before.add(makeAddress(old.secret))
  if (before.size === 0) return viewInbox(session)
  try {
    await subscribeInbox(session)
  } catch (error) {
    await replaceAddress(db, connectionId, secret, old.secret)
    throw error
  }
  for (const webhookUrl of before)
    try {
      await callEndpoint(session, 'unsubscribeWebhook', { body: { webhookUrl } })
    } catch (error) {
      // The old address no longer works: it stays in the list of webhooks, where it can be removed.
      if (!(error instanceof AppError)) throw error
    }
  return viewInbox(session)
}
