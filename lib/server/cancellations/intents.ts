import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import * as z from 'zod'
import { hasPermission } from '@/lib/api-contract/permission'
import type { Database } from '@/lib/database/database'
import type { ApprovalRule } from '@/lib/domain/cancellations/approval'
import { exceedsLimits, type OwnRule, ruleFor } from '@/lib/domain/cancellations/needs-approval'
import type { CancellationRequest, SeenPayment } from '@/lib/domain/cancellations/cancellation'
import { idKey, isSameId } from '@/lib/domain/ids'
import type { AmountUnit } from '@/lib/domain/amounts/money'
import { appendActivities, appendActivity } from '../activity-log/append'
import { AppError } from '../runtime/app-error'
import { cancellations, connections, idKeyOf, memberships } from '../store/schema'
import { resolveCommit } from '../store/store'
import { toSeenPayment } from './guard'
import { type Actor, type CancellationRow, describeActor, type Ledger } from './ledger'
import { assertVelocity, lockSingles } from './velocity'
import { toCancellationView } from './queries'
import * as m from '@/lib/messages/m'

/** The role in which somebody acts: a token's, where that is less than the person's own; empty without any. */
async function readRole(tx: Database, connectionId: string, { userId, role }: Actor): Promise<string> {
  const [row] = await tx
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.connectionId, connectionId), eq(memberships.userId, userId)))
  const isLess = role !== undefined && !hasPermission(role, 'administer')
  return isLess ? role : (row?.role ?? '')
}

/**
 * Locks the merchant account against removal until the transaction ends: removal counts open work and must not miss
 * uncommitted rows, and its four-eyes rule against change. Returns that rule as it applies to the person, whose role is
 * read here too. Throws AppError 'not-found' if it was removed.
 */
export async function lockConnection(tx: Database, connectionId: string, actor: Actor): Promise<OwnRule | null> {
  const [locked] = await tx
    .select({ approval: connections.approval })
    .from(connections)
    .where(and(eq(connections.connectionId, connectionId), isNull(connections.removedAt)))
    .for('share')
  if (!locked) throw new AppError('not-found', { detail: m.refusals_thisMerchantWasRemoved() })
  return locked.approval && ruleFor(locked.approval, await readRole(tx, connectionId, actor))
}

/** A merchant's four-eyes rule; null for none. */
export async function readApprovalRule(
  db: Database,
  { connectionId }: Pick<Ledger, 'connectionId'>,
): Promise<ApprovalRule | null> {
  const [row] = await db
    .select({ approval: connections.approval })
    .from(connections)
    .where(eq(connections.connectionId, connectionId))
  return row?.approval ?? null
}

/** A cancellation request. `seen` is null if the caller did not read the payment first (the documented route). */
export type Instruction = Omit<CancellationRequest, 'seen'> & { seen: SeenPayment | null }

/** `known`: an earlier submission used the same key. */
export type WriteResult = { kind: 'written' | 'known'; row: CancellationRow }

/** The id is chosen before the insert, so that a retry recognises a row whose commit was reported as failed. */
type IdentifiedInstruction = Instruction & { id: string }

/** Throws AppError 'approval-needed' unless one person may cancel a payment of this amount. */
function assertAlone(rule: OwnRule, { seen, unread }: Pick<Instruction, 'seen' | 'unread'>, unit: AmountUnit) {
  const payment = { currency: seen?.currency ?? null, amount: seen && !unread ? seen.amount : null }
  if (exceedsLimits([payment], rule, unit))
    throw new AppError('approval-needed', { detail: m.refusals_aSecondPersonMustApprove() })
}

async function insertIntent(
  ledger: Ledger,
  actor: Actor,
  instruction: IdentifiedInstruction,
): Promise<CancellationRow | null> {
  const { id, key, paymentId, reason, unread = false } = instruction
  const seen = instruction.seen && toSeenPayment(instruction.seen)
  const { store } = ledger.clock
  return ledger.db.transaction(async (tx) => {
    const approval = await lockConnection(tx, ledger.connectionId, actor)
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
        ...(actor.apiToken && { evidence: { apiToken: actor.apiToken.id } }),
        state: 'intended',
        stateSince: store.sql(),
        undecidedSince: store.sql(),
        createdAt: store.stamp(),
        leaseHolder: ledger.memory.holder,
        leaseUntil: store.sql(ledger.rules.leaseMs),
      })
      // Conflicts with either unique index: the same key, or another open cancellation of the payment.
      .onConflictDoNothing()
      .returning()
    if (!row) return null
    if (approval) assertAlone(approval, { seen, unread }, ledger.rules.amounts)
    await assertVelocity(tx, ledger, actor)
    await appendActivity(tx, {
      connectionId: ledger.connectionId,
      at: ledger.clock.wall(),
      actor: actor.email,
      action: 'cancellation.intended',
      objectKind: 'payment',
      objectId: paymentId,
      details: { cancellationId: row.id, ...describeActor(actor), text: reason, seen, unread },
    })
    return row
  })
}

/** An earlier submission of the same key. Throws what the store throws. */
export async function findByKey({ db, connectionId }: Ledger, key: string): Promise<CancellationRow | undefined> {
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

function assertSameRequest(row: CancellationRow, actor: Actor, instruction: Instruction): void {
  const isSame =
    isSameId(row.paymentId, instruction.paymentId) && row.reason === instruction.reason && row.userId === actor.userId
  if (!isSame) throw new AppError('key-reused', { detail: m.refusals_theKeyWasUsedForAnotherRequest() })
}

async function insertOrFind(ledger: Ledger, actor: Actor, instruction: IdentifiedInstruction): Promise<WriteResult> {
  // The conflicting cancellation may close between the insert and the lookup; then the insert is tried again.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const written = await insertIntent(ledger, actor, instruction)
    if (written) return { kind: 'written', row: written }
    const known = await findByKey(ledger, instruction.key)
    if (known) {
      // Our own insert: its commit succeeded although the reply was lost. Past `intended`, another process took it up.
      if (known.id === instruction.id && known.state === 'intended') return { kind: 'written', row: known }
      assertSameRequest(known, actor, instruction)
      return { kind: 'known', row: known }
    }
    const open = await findOpen(ledger, instruction.paymentId)
    if (open) {
      const detail = m.refusals_alreadyRequestedBy({ email: open.userEmail, time: open.createdAt.toISOString() })
      throw new AppError('conflict', { detail, extensions: { cancellation: toCancellationView(open) } })
    }
  }
  throw new AppError('conflict', { detail: m.refusals_changedMeanwhile(), retryAfter: 1 })
}

/**
 * Step 2 of a cancellation (docs/architecture.md): commits the intent and its activity-log entry, leased to this
 * process. At most one per key, and one open per payment.
 *
 * Throws AppError 'key-reused', 'step-up' (see assertVelocity), 'approval-needed' (see assertAlone), 'conflict' (names the open cancellation), 'not-found'
 * (merchant account removed), 'store-unavailable' (not committed; nothing may be sent) or 'outcome-unknown' (the commit
 * may have succeeded and be sent later; the same key finds it).
 */
export async function writeIntent(ledger: Ledger, actor: Actor, instruction: Instruction): Promise<WriteResult> {
  const identified = { ...instruction, id: randomUUID() }
  try {
    return await resolveCommit(() => insertOrFind(ledger, actor, identified), m.refusals_theCancellationMayBeOnItsWay())
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError(
      'store-unavailable',
      { detail: m.refusals_nothingHasBeenSent(), retryAfter: 5 },
      { cause: error },
    )
  }
}

/** One payment of a bulk. `seen` is what the list showed when the bulk was confirmed. */
export type IntentOfBulk = { paymentId: string; reason: string; seen: SeenPayment }

/** By `idKey` of the payment: the new cancellation's id, or the e-mail of whoever requested the one already open. */
export type WrittenIntents = { written: Map<string, string>; left: Map<string, string> }

const insertedRows = z.object({ rows: z.array(z.object({ id: z.string() })) })

async function findRequesters(
  tx: Database,
  connectionId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
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
  return new Map(rows.map(({ paymentId, userEmail }) => [idKey(paymentId), userEmail]))
}

const MAX_INSERTS = 3

type IdentifiedIntent = IntentOfBulk & { id: string; key: string }

/** Inserts those of these intents whose payment has no open cancellation; returns their ids. */
async function insertIntents(
  tx: Database,
  { connectionId, clock }: Pick<Ledger, 'connectionId' | 'clock'>,
  { actor, bulkId, intents }: { actor: Actor; bulkId: string; intents: readonly IdentifiedIntent[] },
): Promise<string[]> {
  // One JSON parameter is several times faster than a dozen parameters per row.
  const result = await tx.execute(sql`
    insert into ${cancellations}
      (id, connection_id, payment_id, client_key, bulk_id, user_id, user_email, reason, seen, state, state_since, created_at)
    select id, ${connectionId}, "paymentId", key, ${bulkId}, ${actor.userId}, ${actor.email}, reason, seen, 'intended',
      ${clock.store.sql()}, ${clock.store.stamp()}
    from jsonb_to_recordset(${JSON.stringify(intents)}::jsonb)
      as intent(id uuid, key uuid, "paymentId" text, reason text, seen jsonb)
    on conflict do nothing
    returning id`)
  return insertedRows.parse(result).rows.map(({ id }) => id)
}

/**
 * Inserts intents of a bulk and their activity-log entries within the caller's transaction. Skips payments that have an
 * open cancellation. Pass a few hundred rows at most: PGlite blocks the thread meanwhile. Throws if
 * conflicting cancellations begin and end all the time: the transaction may be tried again.
 */
export async function writeIntents(
  tx: Database,
  ledger: Pick<Ledger, 'connectionId' | 'clock'>,
  { actor, bulkId, rows }: { actor: Actor; bulkId: string; rows: readonly IntentOfBulk[] },
): Promise<WrittenIntents> {
  // A fixed lock order prevents deadlocks between overlapping bulks.
  const intents = rows
    .map((row) => ({ ...row, id: randomUUID(), key: randomUUID(), seen: toSeenPayment(row.seen) }))
    .toSorted((one, other) => (idKey(one.paymentId) < idKey(other.paymentId) ? -1 : 1))
  const { connectionId, clock } = ledger
  const inserted = new Set<string>()
  const left = new Map<string, string>()
  const isOpen = ({ id, paymentId }: IdentifiedIntent) => !inserted.has(id) && !left.has(idKey(paymentId))
  // What it conflicted with may have ended before it is looked up: each statement sees what was committed meanwhile.
  for (let others = intents, tries = 0; others.length > 0; others = others.filter(isOpen), tries += 1) {
    if (tries === MAX_INSERTS) throw new Error('open cancellations come and end meanwhile')
    for (const id of await insertIntents(tx, ledger, { actor, bulkId, intents: others })) inserted.add(id)
    const met = others.filter(isOpen).map(({ paymentId }) => idKey(paymentId))
    for (const [key, email] of await findRequesters(tx, connectionId, met)) left.set(key, email)
  }
  const written = intents.filter(({ id }) => inserted.has(id))
  const at = clock.wall()
  await appendActivities(
    tx,
    written.map(({ id, paymentId, reason, seen }) => ({
      connectionId,
      at,
      actor: actor.email,
      action: 'cancellation.intended',
      objectKind: 'payment',
      objectId: paymentId,
      details: { cancellationId: id, bulkId, ...describeActor(actor), text: reason, seen },
    })),
  )
  return { written: new Map(written.map(({ id, paymentId }) => [idKey(paymentId), id])), left }
}
