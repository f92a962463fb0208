import { and, eq, type SQL } from 'drizzle-orm'
import type { Json } from '../activity/canonical-json'
import { getRequestFacts } from '../request-facts'
import { isSameTime } from '../store/lease'
import { cancellations } from '../store/schema'
import { commitTogether } from './commit-together'
import type { CancellationRow, Ledger } from './ledger'
import { type CancellationState, isClosed, mayBecome } from './states'

/** What changes with the state. Unless it says so, the lease is given back and reason and detail are forgotten. */
export type Change = Partial<
  Pick<
    CancellationRow,
    'seen' | 'outcomeReason' | 'detail' | 'evidence' | 'attempts' | 'lastRead' | 'agreeingReads' | 'leaseHolder'
  > & { [Time in 'lastFoundAt' | 'sentAt' | 'undecidedSince' | 'dueAt' | 'leaseUntil']: SQL<Date> | Date | null }
>

type Facts = { readonly [name: string]: Json | undefined }

/**
 * Moves a cancellation along one arrow of `states` and writes the row of the activity log, in one
 * transaction. Answers the row as it is now, or null when it is no longer as the caller knew it (state
 * and attempts) or does not meet the condition: somebody was quicker and nothing was changed. Throws what the store throws.
 */
export async function changeState(
  ledger: Ledger,
  row: CancellationRow,
  state: CancellationState,
  change: Change,
  condition?: SQL,
): Promise<CancellationRow | null> {
  if (!mayBecome(row.state, state)) throw new Error(`a cancellation cannot go from ${row.state} to ${state}`)
  const { store } = ledger.clock
  const closing = isClosed(state) ? { closedAt: store.stamp(), dueAt: null } : {}
  const facts = getRequestFacts()
  return commitTogether(ledger.db, {
    make: async (tx) => {
      const [changed] = await tx
        .update(cancellations)
        .set({
          leaseHolder: null,
          leaseUntil: null,
          outcomeReason: null,
          detail: null,
          ...change,
          state,
          stateSince: store.sql(),
          ...closing,
        })
        .where(
          and(
            eq(cancellations.id, row.id),
            eq(cancellations.state, row.state),
            eq(cancellations.attempts, row.attempts),
            // One that came back into line and was sent anew is another request.
            isSameTime(cancellations.sentAt, row.sentAt),
            condition,
          ),
        )
        .returning()
      return changed ?? null
    },
    describe: (changed) => ({
      connectionId: row.connectionId,
      at: ledger.clock.wall(),
      actor: 'desk',
      action: `cancellation.${state}`,
      objectKind: 'payment',
      objectId: row.paymentId,
      facts,
      details: describeChange(changed),
    }),
  })
}

/** The facts of a cancellation that go into its rows of the activity log. */
export function describeChange(row: CancellationRow): Facts {
  return {
    cancellationId: row.id,
    ...(row.bulkId && { bulkId: row.bulkId }),
    attempts: row.attempts,
    ...(row.outcomeReason && { reason: row.outcomeReason }),
    ...(row.detail !== null && { detail: row.detail }),
    evidence: { ...row.evidence },
  }
}
