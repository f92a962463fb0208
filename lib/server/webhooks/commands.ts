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
import { adoptSigningSecret, openInbox } from './inbox'
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

type InboxSecrets = Pick<
  typeof inboxes.$inferSelect,
  'secret' | 'signingSecret' | 'signingSecretProven' | 'signingSecretCandidate'
>

async function readSecrets(db: Database, connectionId: string): Promise<InboxSecrets | null> {
  const { secret, signingSecret, signingSecretProven, signingSecretCandidate } = inboxes
  const [row] = await db
    .select({ secret, signingSecret, signingSecretProven, signingSecretCandidate })
    .from(inboxes)
    .where(eq(inboxes.connectionId, connectionId))
  return row ?? null
}

/** Replaces the secrets `now` by `next`; false when they have changed meanwhile. */
async function replaceSecrets(
  db: Database,
  connectionId: string,
  now: InboxSecrets,
  next: InboxSecrets,
): Promise<boolean> {
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
 * Gives the inbox a new address, for instance when the old one leaked; the old one stops working at once. If the
 * service is subscribed to the old address, also as it was before the desk moved, the new one is subscribed and the old
 * one unsubscribed; if subscribing fails, the old one is restored. Stored messages stay. Throws AppError 'not-found' without an inbox, 'conflict' after
 * a concurrent renewal, and what `callEndpoint` throws.
 */
export async function renewInbox(session: Session): Promise<InboxView> {
  const db = await requireStore()
  const { connectionId } = session.scope
  const old = await readSecrets(db, connectionId)
  if (!old) throw new AppError('not-found', { detail: m.refusals_theInboxHasNoAddressYet() })
  const list = parseWebhooks(await callEndpoint(session, 'listWebhooks'))
  if (!list) throw new AppError('upstream-bad-reply')
  const secret = randomBytes(24).toString('base64url')
  const next = { secret, signingSecret: null, signingSecretProven: true, signingSecretCandidate: null }
  if (!(await replaceSecrets(db, connectionId, old, next))) {
    throw new AppError('conflict', { detail: m.refusals_somebodyElseHasRenewedTheAddress() })
  }
  const before = new Set(list.entries.map(({ address }) => address).filter((address) => address.includes(old.secret)))
  if (before.size === 0) return viewInbox(session)
  try {
    await subscribeInbox(session)
  } catch (error) {
    await replaceSecrets(db, connectionId, next, old)
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
