import { and, eq, isNull } from 'drizzle-orm'
import type { CancellationView } from '@/lib/contract/cancellation'
import { appendActivity } from '../activity/append-activity'
import { Failure } from '../failure'
import { cancellations } from '../store/schema'
import { findRow } from './find-row'
import type { Actor, CancellationRow, Ledger } from './ledger'
import { orStoreUnavailable } from '../store/or-store-unavailable'
import { viewCancellation } from './views'
import * as refusals from '@/lib/words/refusals'

/** Why nothing was written: it is not there, needs nobody, or somebody was quicker. The same word again is no conflict. */
async function explain(ledger: Ledger, actor: Actor, id: string, note: string): Promise<CancellationRow> {
  const row = await findRow(ledger, id)
  const { handled } = row
  if (handled?.userId === actor.userId && handled.note === note) return row
  if (handled) {
    const detail = `${handled.by} has marked it as handled at ${handled.at}.`
    throw new Failure('conflict', { detail, extensions: { cancellation: viewCancellation(row) } })
  }
  throw new Failure('not-possible', { detail: refusals.onlyOneThatNeedsAPerson })
}

/**
 * Notes that a person has dealt with a cancellation that needed one, and what they found. Its outcome stays what
 * it was: the note stands beside it, once, in the ledger and in the activity log. Throws Failure 'not-found',
 * 'not-possible', 'conflict' (somebody was quicker) or 'store-unavailable'.
 */
export function handleCancellation(
  ledger: Ledger,
  actor: Actor,
  { id, note }: { id: string; note: string },
): Promise<CancellationView> {
  const at = ledger.clock.wall()
  const handled = { at: at.toISOString(), by: actor.email, userId: actor.userId, note }
  const write = () =>
    ledger.db.transaction(async (tx) => {
      const [row] = await tx
        .update(cancellations)
        .set({ handled })
        .where(
          and(
            eq(cancellations.id, id),
            eq(cancellations.connectionId, ledger.connectionId),
            eq(cancellations.state, 'needs-person'),
            isNull(cancellations.handled),
          ),
        )
        .returning()
      if (!row) return null
      await appendActivity(tx, {
        connectionId: ledger.connectionId,
        at,
        actor: actor.email,
        action: 'cancellation.handled',
        objectKind: 'payment',
        objectId: row.paymentId,
        details: { cancellationId: id, userId: actor.userId, note },
      })
      return row
    })
  return orStoreUnavailable(async () => viewCancellation((await write()) ?? (await explain(ledger, actor, id, note))))
}
