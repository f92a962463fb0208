import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { Failure } from '../failure'
import { connections } from '../store/schema'
import * as refusals from '@/lib/words/refusals'

/**
 * Keeps a merchant from being removed until the transaction has ended in which something is asked for it: whoever
 * removes it counts what is open, and must see what is not committed yet. Throws Failure 'not-found' where it was removed.
 */
export async function holdConnection(tx: Database, connectionId: string): Promise<void> {
  const held = await tx
    .select({ connectionId: connections.connectionId })
    .from(connections)
    .where(and(eq(connections.connectionId, connectionId), isNull(connections.removedAt)))
    .for('share')
  if (held.length === 0) throw new Failure('not-found', { detail: refusals.thisMerchantWasRemoved })
}
