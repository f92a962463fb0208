import { and, eq } from 'drizzle-orm'
import type { CancellationView } from '@/lib/contract/cancellation'
import { appendActivity } from '../activity/append-activity'
import { Failure } from '../failure'
import { cancellations } from '../store/schema'
import type { CheckedFacts } from './evidence'
import { findRow } from './find-row'
import { describePayment } from './guard'
import { hastenRead } from './hasten-read'
import type { Actor, CancellationRow, Ledger } from './ledger'
import { orStoreUnavailable } from '../store/or-store-unavailable'
import { readPayment } from './read-payment'
import { viewCancellation } from './views'
import * as refusals from '@/lib/words/refusals'

async function look(ledger: Ledger, actor: Actor, row: CancellationRow): Promise<CancellationRow> {
  const reading = await readPayment(ledger, row.paymentId)
  const read = reading.kind === 'found' ? describePayment(reading.payment) : reading
  const at = ledger.clock.wall()
  const checked: CheckedFacts = { ...read, at: at.toISOString(), by: actor.email }
  return ledger.db.transaction(async (tx) => {
    const [looked] = await tx
      .update(cancellations)
      .set({ checked })
      .where(and(eq(cancellations.id, row.id), eq(cancellations.connectionId, ledger.connectionId)))
      .returning()
    await appendActivity(tx, {
      connectionId: row.connectionId,
      at,
      actor: actor.email,
      action: 'cancellation.checked',
      objectKind: 'payment',
      objectId: row.paymentId,
      details: { cancellationId: row.id, userId: actor.userId, read },
    })
    return looked ?? row
  })
}

async function check(ledger: Ledger, actor: Actor, id: string): Promise<CancellationView> {
  const row = await findRow(ledger, id)
  if (row.closedAt === null) {
    await hastenRead(ledger, row.paymentId)
    return viewCancellation(row)
  }
  if (row.state !== 'needs-person') throw new Failure('not-possible', { detail: refusals.thisCancellationHasEnded })
  return viewCancellation(await look(ledger, actor, row))
}

/**
 * Reads the payment of a cancellation now, because a person wants to know. One that is open is read out of turn
 * by the worker, under the same rules as ever; of one that needs a person, what was read is kept beside it:
 * what is closed stays as it closed. Throws Failure 'not-found', 'not-possible' (it ended) or 'store-unavailable'.
 */
export function checkCancellation(ledger: Ledger, actor: Actor, id: string): Promise<CancellationView> {
  return orStoreUnavailable(() => check(ledger, actor, id))
}
