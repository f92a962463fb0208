import { and, eq } from 'drizzle-orm'
import { findKeptConnection } from '../connection'
import { defaultConnectionId } from '../store/default-connection'
import { cancellations } from '../store/schema'
import { attend } from './attend'
import { openLedger } from './open-ledger'
import { giveUpSending } from './reconcile'

/** Marks what this process was sending as unknown, for whoever goes on. Throws what the store throws. */
export async function giveUpOwn(): Promise<void> {
  for (const [key, memory] of globalThis.debitdeskLedgers ?? []) {
    const [connectionId = '', ownerId] = key.split(' ')
    // Of a merchant that was removed nothing was open any more.
    if (connectionId !== defaultConnectionId && !findKeptConnection(connectionId)) continue
    const ledger = await openLedger(connectionId, ownerId)
    const rows = await ledger.db
      .select()
      .from(cancellations)
      .where(
        and(
          eq(cancellations.connectionId, connectionId),
          eq(cancellations.state, 'sending'),
          eq(cancellations.leaseHolder, memory.holder),
        ),
      )
    for (const row of rows) await attend(ledger, row, () => giveUpSending(ledger, row))
  }
}
