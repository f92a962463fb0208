import { desc, eq } from 'drizzle-orm'
import type { InboxView } from '@/lib/contract/inbox'
import type { Scope } from '../scope'
import { inboxMessages } from '../store/schema'
import { requireStore } from '../store/require-store'
import { findInbox } from './find-inbox'
import { keptMessages } from './receive-message'

const shownAtMost = 50

/** The inbox as people see it: its address, whether signatures are checked, and the newest 50 deliveries. */
export async function viewInbox({ connectionId }: Scope): Promise<InboxView> {
  const db = await requireStore()
  const inbox = await findInbox(db, connectionId)
  const rows = await db
    .select()
    .from(inboxMessages)
    .where(eq(inboxMessages.connectionId, connectionId))
    .orderBy(desc(inboxMessages.sequence))
    .limit(shownAtMost)
  return {
    address: inbox?.address ?? null,
    hasSigningSecret: inbox?.signingSecret != null,
    kept: keptMessages,
    messages: rows.map(({ sequence, receivedAt, verdict, headers, body, times }) => ({
      sequence,
      receivedAt: receivedAt.toISOString(),
      verdict,
      headers,
      body,
      times,
    })),
  }
}
