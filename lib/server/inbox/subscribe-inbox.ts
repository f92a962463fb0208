import type { InboxView } from '@/lib/contract/inbox'
import { readSigningSecret } from '@/lib/contract/read-signing-secret'
import { perform } from '../perform'
import type { Session } from '../session'
import { requireStore } from '../store/require-store'
import { keepSigningSecret, openInbox } from './find-inbox'
import { isSigningSecret } from './judge-signature'
import { viewInbox } from './view-inbox'

/**
 * Opens the inbox if there is none and subscribes its address; the signing secret, if the service tells it,
 * stays on the server. Throws what `perform` throws.
 */
export async function subscribeInbox(session: Session): Promise<InboxView> {
  const db = await requireStore()
  const { connectionId } = session.scope
  const { address } = await openInbox(db, connectionId)
  const { reply } = await perform(session, 'subscribeWebhook', { body: { webhookUrl: address } })
  const secret = readSigningSecret(reply)
  if (secret !== null && isSigningSecret(secret)) await keepSigningSecret(db, connectionId, secret)
  return viewInbox(session)
}
