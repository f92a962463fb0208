import { and, eq, inArray, isNull, ne, sql, type SQL } from 'drizzle-orm'
import { isPast } from '../store/lease'
import { cancellations } from '../store/schema'
import { isNotBulkTurn } from './bulk-turn'
import type { Ledger } from './ledger'
import { giveUpSending } from './reconcile'
import { closeUnsent, isStale } from './resume-intent'

/** Open cancellations that no living process works on: all of them when no other process can be. */
function isOrphan({ connectionId, ownerId, clock, isAlone }: Ledger): SQL | undefined {
  return and(
    eq(cancellations.connectionId, connectionId),
    ownerId === undefined ? undefined : eq(cancellations.userId, ownerId),
    isNull(cancellations.closedAt),
    isNotBulkTurn,
    isAlone ? undefined : isPast(cancellations.leaseUntil, clock.store.sql),
  )
}

/** Makes all others due at once, and free; a wait that the service asked for is kept. One statement, however many. */
async function makeDue(ledger: Ledger): Promise<void> {
  const dueAt = sql`case when ${cancellations.state} = 'waiting' then ${cancellations.dueAt} else ${ledger.clock.store.sql()} end`
  await ledger.db
    .update(cancellations)
    .set({ dueAt, leaseHolder: null, leaseUntil: null })
    .where(and(isOrphan(ledger), ne(cancellations.state, 'sending')))
}

/**
 * Step 7, before anything is served: what an earlier process left behind. An interrupted request becomes
 * unknown and is read; an intent never sent is closed as not sent when it is too old, else left for the
 * worker, which sends it through the guard. Renews nothing (see signLife). Throws what the store throws.
 */
export async function recover(ledger: Ledger): Promise<void> {
  await ledger.clock.store.refresh()
  const begun = await ledger.db
    .select()
    .from(cancellations)
    .where(and(isOrphan(ledger), inArray(cancellations.state, ['sending', 'intended'])))
  // Together they share transactions.
  await Promise.all(
    begun.map(async (row) => {
      await ledger.step('during-recovery')
      if (row.state === 'sending') await giveUpSending(ledger, row)
      else if (isStale(ledger, row)) await closeUnsent(ledger, row)
    }),
  )
  await makeDue(ledger)
}
