import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '@/lib/database/database'
import type { CancellationRequest, SeenPayment } from '@/lib/domain/cancellations/cancellation'
import { idKey, isSameId } from '@/lib/domain/ids'
import { appendActivities, appendActivity } from '../activity-log/append'
import { AppError } from '../runtime/app-error'
import { cancellations, connections, idKeyOf } from '../store/schema'
import { resolveCommit } from '../store/store'
import { toSeenPayment } from './guard'
import { type Actor, assertVelocity, type CancellationRow, type Ledger, lockSingles } from './ledger'
import { toCancellationView } from './queries'
import * as refusals from '@/lib/words/refusals'

/**
 * Keeps a merchant from being removed until the transaction has ended in which something is asked for it: whoever
 * removes it counts what is open, and must see what is not committed yet. Throws AppError 'not-found' where it was removed.
 */
export async function lockConnection(tx: Database, connectionId: string): Promise<void> {
  const held = await tx
    .select({ connectionId: connections.connectionId })
    .from(connections)
    .where(and(eq(connections.connectionId, connectionId), isNull(connections.removedAt)))
    .for('share')
  if (held.length === 0) throw new AppError('not-found', { detail: refusals.thisMerchantWasRemoved })
}

/** A request to cancel; `seen` is null for a caller that did not look (the documented route). */
export type Instruction = Omit<CancellationRequest, 'seen'> & { seen: SeenPayment | null }

/** `known` is a submission that came before, under the same key. */
export type Written = { kind: 'written' | 'known'; row: CancellationRow }

/** An instruction with the id that its intent will have: by it a later attempt recognises what an earlier one wrote. */
type Named = Instruction & { id: string }

async function insertIntent(ledger: Ledger, actor: Actor, instruction: Named): Promise<CancellationRow | null> {
  const { id, key, paymentId, reason, unread = false } = instruction
  const seen = instruction.seen && toSeenPayment(instruction.seen)
  const { store } = ledger.clock
  return ledger.db.transaction(async (tx) => {
    await lockConnection(tx, ledger.connectionId)
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
  if (!isSame) throw new AppError('key-reused', { detail: refusals.theKeyWasUsedForAnotherRequest })
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
      throw new AppError('conflict', { detail, extensions: { cancellation: toCancellationView(open) } })
    }
  }
  throw new AppError('conflict', { retryAfter: 1 })
}

/**
 * Step 2 of a cancellation (docs/architecture.md): commits the intent, with its row of the activity log, leased to this
 * process. One per key, one open per payment. Throws AppError 'key-reused', 'step-up' (see assertVelocity), 'conflict'
 * (naming the open one), 'not-found' (the merchant was removed), 'store-unavailable' when it was surely not committed:
 * then nothing may be sent; or 'outcome-unknown' when nobody can say: then it may be sent later, and the same key finds
 * it.
 */
export async function writeIntent(ledger: Ledger, actor: Actor, instruction: Instruction): Promise<Written> {
  const named = { ...instruction, id: randomUUID() }
  try {
    return await resolveCommit(() => write(ledger, actor, named), refusals.theCancellationMayBeOnItsWay)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('store-unavailable', { detail: refusals.nothingHasBeenSent, retryAfter: 5 }, { cause: error })
  }
}

/** One payment of a bulk; `seen` is what the list showed when it was confirmed. */
export type IntentOfBulk = { paymentId: string; reason: string; seen: SeenPayment }

/** Both by `idKey` of the payment: the cancellation of its own, or who had asked for the one that is open. */
export type WrittenIntents = { written: Map<string, string>; left: Map<string, string> }

const insertedRows = z.object({ rows: z.array(z.object({ id: z.string() })) })

async function findWhoAsked(tx: Database, connectionId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .select({ paymentId: cancellations.paymentId, userEmail: cancellations.userEmail })
    .from(cancellations)
    .where(
      and(
        eq(cancellations.connectionId, connectionId),
        isNull(cancellations.closedAt),
        inArray(idKeyOf(cancellations.paymentId), [...ids]),
      ),
    )
  const asked = new Map(rows.map(({ paymentId, userEmail }) => [idKey(paymentId), userEmail]))
  return new Map(ids.map((id) => [id, asked.get(id) ?? '']))
}

/**
 * Writes intents of a bulk, each with its row of the activity log, within a transaction: all of them or none. A payment
 * with an open cancellation gets no second one. At most some hundreds at once: on PGlite nobody else is served
 * meanwhile. Throws what the store throws.
 */
export async function writeIntents(
  tx: Database,
  { connectionId, clock }: Pick<Ledger, 'connectionId' | 'clock'>,
  { actor, bulkId, rows }: { actor: Actor; bulkId: string; rows: readonly IntentOfBulk[] },
): Promise<WrittenIntents> {
  // In one order for all: two bulks that overlap must not wait for each other in a circle.
  const intents = rows
    .map((row) => ({ ...row, id: randomUUID(), key: randomUUID(), seen: toSeenPayment(row.seen) }))
    .toSorted((one, other) => (idKey(one.paymentId) < idKey(other.paymentId) ? -1 : 1))
  // One document in place of a dozen parameters for each row, which took several times as long.
  const answer = await tx.execute(sql`
    insert into ${cancellations}
      (id, connection_id, payment_id, client_key, bulk_id, user_id, user_email, reason, seen, state, state_since, created_at)
    select id, ${connectionId}, "paymentId", key, ${bulkId}, ${actor.userId}, ${actor.email}, reason, seen, 'intended',
      ${clock.store.sql()}, ${clock.store.stamp()}
    from jsonb_to_recordset(${JSON.stringify(intents)}::jsonb)
      as intent(id uuid, key uuid, "paymentId" text, reason text, seen jsonb)
    on conflict do nothing
    returning id`)
  const inserted = new Set(insertedRows.parse(answer).rows.map(({ id }) => id))
  const written = intents.filter(({ id }) => inserted.has(id))
  const others = intents.filter(({ id }) => !inserted.has(id)).map(({ paymentId }) => idKey(paymentId))
  const left = await findWhoAsked(tx, connectionId, others)
  const at = clock.wall()
  const { userId, email, sessionId } = actor
  await appendActivities(
    tx,
    written.map(({ id, paymentId, reason, seen }) => ({
      connectionId,
      at,
      actor: email,
      action: 'cancellation.intended',
      objectKind: 'payment',
      objectId: paymentId,
      details: { cancellationId: id, bulkId, userId, sessionId, text: reason, seen },
    })),
  )
  return { written: new Map(written.map(({ id, paymentId }) => [idKey(paymentId), id])), left }
}
