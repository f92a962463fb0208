import { randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import type { CancellationRequest, SeenPayment } from '@/lib/contract/cancellation'
import { idKey, isSameId } from '@/lib/contract/ids'
import { appendActivity } from '../activity/append-activity'
import { Failure } from '../failure'
import { settleCommit } from '../settle-commit'
import { idKeyOf } from '../store/id-key'
import { cancellations } from '../store/schema'
import { seePayment } from './guard'
import type { Actor, CancellationRow, Ledger } from './ledger'
import { holdConnection } from './hold-connection'
import { assertVelocity, lockSingles } from './velocity'
import { viewCancellation } from './views'
import * as refusals from '@/lib/words/refusals'

/** A request to cancel; `seen` is null for a caller that did not look (the documented route). */
export type Instruction = Omit<CancellationRequest, 'seen'> & { seen: SeenPayment | null }

/** `known` is a submission that came before, under the same key. */
export type Written = { kind: 'written' | 'known'; row: CancellationRow }

/** An instruction with the id that its intent will have: by it a later attempt recognises what an earlier one wrote. */
type Named = Instruction & { id: string }

async function insertIntent(ledger: Ledger, actor: Actor, instruction: Named): Promise<CancellationRow | null> {
  const { id, key, paymentId, reason, unread = false } = instruction
  const seen = instruction.seen && seePayment(instruction.seen)
  const { store } = ledger.clock
  return ledger.db.transaction(async (tx) => {
    await holdConnection(tx, ledger.connectionId)
    await lockSingles(tx, ledger, actor)
    const [row] = await tx
      .insert(cancellations)
      .values({
        id,
        connectionId: ledger.connectionId,
        paymentId,
        clientKey: key,
        userId: actor.userId,
        userEmail: actor.email,
        reason,
        seen,
        unread,
        state: 'intended',
        stateSince: store.sql(),
        undecidedSince: store.sql(),
        createdAt: store.stamp(),
        leaseHolder: ledger.memory.holder,
        leaseUntil: store.sql(ledger.rules.lease),
      })
      // Either unique index: the same key again, or another open cancellation of the payment.
      .onConflictDoNothing()
      .returning()
    if (!row) return null
    await assertVelocity(tx, ledger, actor)
    await appendActivity(tx, {
      connectionId: ledger.connectionId,
      at: ledger.clock.wall(),
      actor: actor.email,
      action: 'cancellation.intended',
      objectKind: 'payment',
      objectId: paymentId,
      details: { cancellationId: row.id, userId: actor.userId, sessionId: actor.sessionId, text: reason, seen, unread },
    })
    return row
  })
}

async function findByKey({ db, connectionId }: Ledger, key: string): Promise<CancellationRow | undefined> {
  const [row] = await db
    .select()
    .from(cancellations)
    .where(and(eq(cancellations.connectionId, connectionId), eq(cancellations.clientKey, key)))
  return row
}

async function findOpen({ db, connectionId }: Ledger, paymentId: string): Promise<CancellationRow | undefined> {
  const samePayment = eq(idKeyOf(cancellations.paymentId), idKey(paymentId))
  const [row] = await db
    .select()
    .from(cancellations)
    .where(and(eq(cancellations.connectionId, connectionId), samePayment, isNull(cancellations.closedAt)))
  return row
}

function assertSame(row: CancellationRow, actor: Actor, instruction: Instruction): void {
  const isSame =
    isSameId(row.paymentId, instruction.paymentId) && row.reason === instruction.reason && row.userId === actor.userId
  if (!isSame) throw new Failure('key-reused', { detail: refusals.theKeyWasUsedForAnotherRequest })
}

async function write(ledger: Ledger, actor: Actor, instruction: Named): Promise<Written> {
  // The open one that stood in the way may close before it can be named: then the way is free.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const written = await insertIntent(ledger, actor, instruction)
    if (written) return { kind: 'written', row: written }
    const known = await findByKey(ledger, instruction.key)
    if (known) {
      // Its commit took effect, though the answer to it was lost. Meanwhile somebody else may have sent it.
      if (known.id === instruction.id && known.state === 'intended') return { kind: 'written', row: known }
      assertSame(known, actor, instruction)
      return { kind: 'known', row: known }
    }
    const open = await findOpen(ledger, instruction.paymentId)
    if (open) {
      const detail = `${open.userEmail} has asked for this payment to be cancelled at ${open.createdAt.toISOString()}.`
      throw new Failure('conflict', { detail, extensions: { cancellation: viewCancellation(open) } })
    }
  }
  throw new Failure('conflict', { retryAfter: 1 })
}

/**
 * Step 2 of a cancellation (docs/architecture.md): commits the intent, with its row of the activity log, leased to this
 * process. One per key, one open per payment. Throws Failure 'key-reused', 'step-up' (see assertVelocity), 'conflict'
 * (naming the open one), 'not-found' (the merchant was removed), 'store-unavailable' when it was surely not committed:
 * then nothing may be sent; or 'outcome-unknown' when nobody can say: then it may be sent later, and the same key finds
 * it.
 */
export async function writeIntent(ledger: Ledger, actor: Actor, instruction: Instruction): Promise<Written> {
  const named = { ...instruction, id: randomUUID() }
  try {
    return await settleCommit(() => write(ledger, actor, named), refusals.theCancellationMayBeOnItsWay)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('store-unavailable', { detail: refusals.nothingHasBeenSent, retryAfter: 5 }, { cause: error })
  }
}
