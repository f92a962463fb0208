import { and, eq, isNull, lte, or } from 'drizzle-orm'
import { cancellations } from '../store/schema'
import { isNotBulkTurn } from './bulk-turn'
import type { CancellationRow, Ledger } from './ledger'
import { giveUpSending } from './reconcile'
import { closeUnsent, isStale } from './resume-intent'

/** Open cancellations that no living process works on: all of them when no other process can be. */
function findOrphans({ db, connectionId, ownerId, clock, isAlone }: Ledger): Promise<CancellationRow[]> {
  const isFree = isAlone ? undefined : or(isNull(cancellations.leaseUntil), lte(cancellations.leaseUntil, clock.now()))
  const isOwn = ownerId === undefined ? undefined : eq(cancellations.userId, ownerId)
  const isHere = eq(cancellations.connectionId, connectionId)
  return db
    .select()
    .from(cancellations)
    .where(and(isHere, isOwn, isNull(cancellations.closedAt), isNotBulkTurn, isFree))
}

/** Makes one due at once, whatever clock its times were written under. */
async function makeDue({ db, clock }: Ledger, row: CancellationRow): Promise<void> {
  const now = clock.now()
  await db
    .update(cancellations)
    .set({
      // A wait that the service asked for is kept.
      ...(row.state !== 'waiting' && { dueAt: now }),
      // Nobody could look while no desk ran: how long it has been missing counts from now.
      ...(row.lastFoundAt && { lastFoundAt: now }),
      ...(row.state !== 'waiting' && { undecidedSince: now }),
      leaseHolder: null,
      leaseUntil: null,
    })
    .where(and(eq(cancellations.id, row.id), eq(cancellations.state, row.state)))
}

/**
 * Step 7, before anything is served: what an earlier process left behind. An interrupted request becomes
 * unknown and is read; an intent never sent is closed as not sent when it is too old, else left for the
 * worker, which sends it through the guard. Throws what the store throws.
 */
export async function recover(ledger: Ledger): Promise<void> {
  for (const row of await findOrphans(ledger)) {
    await ledger.step('during-recovery')
    if (row.state === 'sending') await giveUpSending(ledger, row, { undecidedSince: ledger.clock.now() })
    else if (row.state === 'intended' && isStale(ledger, row)) await closeUnsent(ledger, row)
    else await makeDue(ledger, row)
  }
}
