import { setTimeout as wait } from 'node:timers/promises'
import { and, eq, isNull } from 'drizzle-orm'
import type { CancellationRow, Ledger } from '../cancellations/ledger'
import { reconcile } from '../cancellations/reconcile'
import { cancellations } from '../store/schema'

/** The row of one cancellation. */
export async function readRow({ db }: Ledger, id: string): Promise<CancellationRow> {
  const [row] = await db.select().from(cancellations).where(eq(cancellations.id, id))
  if (!row) throw new Error(`there is no cancellation ${id}`)
  return row
}

/** Runs pass after pass, as the worker does, until a cancellation is closed (or `until` holds); at most 45 s. */
export async function settleLedger(
  ledger: Ledger,
  id: string,
  until = (row: CancellationRow) => row.closedAt !== null,
): Promise<CancellationRow> {
  for (const start = Date.now(); Date.now() - start < 45_000; ) {
    const { work } = await reconcile(ledger)
    await work
    const row = await readRow(ledger, id)
    if (until(row)) return row
    await wait(ledger.rules.readEvery / 2)
  }
  throw new Error(`still ${(await readRow(ledger, id)).state} after 45 s`)
}

/** How many cancellations are open. */
export async function countOpen({ db, connectionId }: Ledger): Promise<number> {
  const open = and(eq(cancellations.connectionId, connectionId), isNull(cancellations.closedAt))
  return db.$count(cancellations, open)
}
