import { and, eq } from 'drizzle-orm'
import { Failure } from '../failure'
import { cancellations } from '../store/schema'
import type { CancellationRow, Ledger } from './ledger'

/** One cancellation of the ledger's connection. Throws Failure 'not-found' and what the store throws. */
export async function findRow({ db, connectionId }: Ledger, id: string): Promise<CancellationRow> {
  const [row] = await db
    .select()
    .from(cancellations)
    .where(and(eq(cancellations.connectionId, connectionId), eq(cancellations.id, id)))
  if (!row) throw new Failure('not-found')
  return row
}
