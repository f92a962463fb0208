import { setImmediate as letOthersIn } from 'node:timers/promises'
import { and, asc, eq, gt, inArray, isNull, ne, sql, type SQL } from 'drizzle-orm'
import { isPast } from '../store/lease'
import { cancellations } from '../store/schema'
import { isNotBulkTurn } from './bulk-turn'
import type { CancellationRow, Ledger } from './ledger'
import { giveUpSending } from './reconcile'
import { closeUnsent, isStale } from './resume-intent'
import { type CancellationState, readingStates } from './states'

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

/** Rows that one statement reads or changes: PGlite runs each in this thread, and nobody else is served meanwhile. */
const rowsAtOnce = 250

/** The orphans of these states, some at a time; others are let in before each part. */
async function* findOrphans(
  ledger: Ledger,
  states: readonly CancellationState[],
): AsyncGenerator<CancellationRow[], void, void> {
  for (let last: CancellationRow | undefined; ; ) {
    await letOthersIn()
    const rows: CancellationRow[] = await ledger.db
      .select()
      .from(cancellations)
      .where(
        and(
          isOrphan(ledger),
          inArray(cancellations.state, [...states]),
          last ? gt(cancellations.id, last.id) : undefined,
        ),
      )
      .orderBy(asc(cancellations.id))
      .limit(rowsAtOnce)
    if (rows.length > 0) yield rows
    if (rows.length < rowsAtOnce) return
    last = rows.at(-1)
  }
}

async function giveUpBegun(ledger: Ledger): Promise<void> {
  for await (const rows of findOrphans(ledger, ['sending', 'intended'])) {
    // Together they share transactions.
    await Promise.all(
      rows.map(async (row) => {
        await ledger.step('during-recovery')
        if (row.state === 'sending') await giveUpSending(ledger, row)
        else if (isStale(ledger, row)) await closeUnsent(ledger, row)
      }),
    )
  }
}

/** Makes all others due at once, and free; a wait that the service asked for is kept. */
async function makeDue(ledger: Ledger): Promise<void> {
  const dueAt = sql`case when ${cancellations.state} = 'waiting' then ${cancellations.dueAt} else ${ledger.clock.store.sql()} end`
  for await (const rows of findOrphans(ledger, ['intended', 'waiting', ...readingStates])) {
    const ids = rows.map(({ id }) => id)
    await ledger.db
      .update(cancellations)
      .set({ dueAt, leaseHolder: null, leaseUntil: null })
      .where(and(isOrphan(ledger), ne(cancellations.state, 'sending'), inArray(cancellations.id, ids)))
  }
}

/**
 * Step 7 of a cancellation (docs/architecture.md), before anything is served: what an earlier process left behind. An
 * interrupted request becomes unknown and is read; an intent never sent is closed as not sent when it is too old, else
 * left for the worker, which sends it through the guard. Renews nothing (see signLife). Throws what the store throws.
 */
export async function recover(ledger: Ledger): Promise<void> {
  await ledger.clock.store.refresh()
  await giveUpBegun(ledger)
  await makeDue(ledger)
}
