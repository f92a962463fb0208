import { and, desc, eq } from 'drizzle-orm'
import { idKey } from '@/lib/domain/ids'
import type { InboxView, PaymentEvents, SigningSecretState } from '@/lib/domain/webhooks'
import { hasPermission } from '@/lib/api-contract/permission'
import type { Session } from '../auth/session'
import { inboxMessages } from '../store/inbox-schema'
import { idKeyOf } from '../store/schema'
import { requireStore } from '../store/store'
import { decryptStored } from '../store/encryption'
import { bodyPurpose, findInbox, hideSecret, type Inbox } from './inbox'
import { MAX_STORED_MESSAGES } from './receive-message'

const MAX_SHOWN = 50

function describeSecret(inbox: Inbox | null): SigningSecretState {
  if (inbox?.isLocked) return 'locked'
  if (!inbox || inbox.signingSecret === null) return 'none'
  return inbox.isProven ? 'proven' : 'unproven'
}

/**
 * The inbox for its page: address, signature check and the newest 50 deliveries, or all that are stored. The secret end
 * of the address is shown only to those who may manage webhooks.
 */
export async function viewInbox(
  { role, scope }: Pick<Session, 'role' | 'scope'>,
  { all = false }: { all?: boolean } = {},
): Promise<InboxView> {
  const { connectionId } = scope
  const db = await requireStore()
  const inbox = await findInbox(db, connectionId)
  const rows = await db
    .select()
    .from(inboxMessages)
    .where(eq(inboxMessages.connectionId, connectionId))
    .orderBy(desc(inboxMessages.sequence))
    .limit(all ? 2 * MAX_STORED_MESSAGES : MAX_SHOWN + 1)
  const shown = all ? rows : rows.slice(0, MAX_SHOWN)
  return {
    address: inbox && (hasPermission(role, 'manage') ? inbox.address : hideSecret(inbox.address)),
    signingSecret: describeSecret(inbox),
    kept: MAX_STORED_MESSAGES,
    refused: inbox?.refused ?? null,
    isWhole: shown.length === rows.length,
    messages: shown.map(({ sequence, receivedAt, verdict, headers, body, sealed, times }) => ({
      sequence,
      receivedAt: receivedAt.toISOString(),
      verdict,
      headers,
      body: decryptStored(body, sealed, bodyPurpose(connectionId)),
      times,
    })),
  }
}

/** The newest 50 events that named a payment, by its id. Their content is what the sender said, checked or not. */
export async function listPaymentEvents({ scope }: Pick<Session, 'scope'>, paymentId: string): Promise<PaymentEvents> {
  const db = await requireStore()
  const rows = await db
    .select()
    .from(inboxMessages)
    .where(
      and(eq(inboxMessages.connectionId, scope.connectionId), eq(idKeyOf(inboxMessages.paymentId), idKey(paymentId))),
    )
    .orderBy(desc(inboxMessages.sequence))
    .limit(MAX_SHOWN + 1)
  return {
    events: rows.slice(0, MAX_SHOWN).map(({ sequence, receivedAt, eventType, verdict, times }) => ({
      sequence,
      receivedAt: receivedAt.toISOString(),
      eventType,
      verdict,
      times,
    })),
    isWhole: rows.length <= MAX_SHOWN,
  }
}
