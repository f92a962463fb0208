import { and, eq, gt, inArray, isNull } from 'drizzle-orm'
import { idKey } from '@/lib/contract/ids'
import { idKeyOf } from '../store/id-key'
import { cancellations } from '../store/schema'
import type { Ledger } from './ledger'
import { readingStates } from './states'

/**
 * Has the open cancellation of a payment, if there is one that waits for a read, read now instead of later.
 * It decides nothing: the rules of reading and of sending again stay as they are.
 */
export async function hastenRead({ db, connectionId, clock, rules, memory }: Ledger, paymentId: string): Promise<void> {
  const hastened = await db
    .update(cancellations)
    .set({ dueAt: clock.store.sql() })
    .where(
      and(
        eq(cancellations.connectionId, connectionId),
        eq(idKeyOf(cancellations.paymentId), idKey(paymentId)),
        isNull(cancellations.closedAt),
        inArray(cancellations.state, [...readingStates]),
        gt(cancellations.dueAt, clock.store.sql(rules.readEvery)),
      ),
    )
    .returning({ id: cancellations.id })
  if (hastened.length > 0) memory.wake()
}
