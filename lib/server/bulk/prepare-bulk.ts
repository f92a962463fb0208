import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Proofs } from '@/lib/contract/ability'
import type { BulkRequest } from '@/lib/contract/bulk'
import { idKey } from '@/lib/contract/ids'
import { sumBulk } from '@/lib/format/sum-bulk'
import { appendActivity } from '../activity/append-activity'
import type { Actor, Ledger } from '../cancellations/ledger'
import { bulkRows, bulks } from '../store/bulk-schema'
import { idKeyOf } from '../store/id-key'
import { cancellations } from '../store/schema'
import type { BulkRow } from './bulk-row'
import { hashList } from './hash-list'
import { keepText, type ListRow } from './judge-payment'
import { makeRows } from './make-rows'

const batch = 500
/** How often at most the count of what was read is written down, in milliseconds. */
const noteEvery = 700

function describeSource(request: BulkRequest): BulkRow['source'] {
  if (request.kind === 'list') return { kind: 'list', name: keepText(request.name) }
  return { kind: 'filter', filter: request.filter, words: keepText(request.words) ?? '' }
}

/** Writes a new bulk down, whose list is yet to be made, with its row of the activity log. Throws what the store throws. */
export async function createBulk(ledger: Ledger, actor: Actor, request: BulkRequest): Promise<BulkRow> {
  const { connectionId, clock } = ledger
  const source = describeSource(request)
  return ledger.db.transaction(async (tx) => {
    const [row] = await tx
      .insert(bulks)
      .values({
        id: randomUUID(),
        connectionId,
        userId: actor.userId,
        userEmail: actor.email,
        source,
        state: 'preparing',
        createdAt: clock.wall(),
        changedAt: clock.wall(),
      })
      .returning()
    if (!row) throw new Error('the bulk was not stored')
    await appendActivity(tx, {
      connectionId,
      at: clock.wall(),
      actor: actor.email,
      action: 'bulk.created',
      objectKind: 'bulk',
      objectId: row.id,
      details: { source: source.kind, ...(source.kind === 'filter' && { words: source.words }) },
    })
    return row
  })
}

/** Marks the rows whose payment somebody is cancelling already. */
async function markInHand({ db, connectionId }: Ledger, rows: readonly ListRow[]): Promise<ListRow[]> {
  const ids = rows.flatMap(({ paymentId }) => (paymentId === null ? [] : [idKey(paymentId)]))
  const open = new Set<string>()
  const paymentKey = idKeyOf(cancellations.paymentId)
  for (let at = 0; at < ids.length; at += batch) {
    const found = await db
      .select({ id: paymentKey })
      .from(cancellations)
      .where(
        and(
          eq(cancellations.connectionId, connectionId),
          isNull(cancellations.closedAt),
          inArray(paymentKey, ids.slice(at, at + batch)),
        ),
      )
    for (const { id } of found) open.add(id)
  }
  return rows.map((row) => (row.paymentId && open.has(idKey(row.paymentId)) ? { ...row, verdict: 'in-hand' } : row))
}

async function keepList(ledger: Ledger, bulk: BulkRow, rows: readonly ListRow[], doubt: string | null): Promise<void> {
  const sendable = rows.filter(({ verdict }) => verdict === 'cancellable')
  const sums = sumBulk(sendable.flatMap(({ seen, facts }) => (seen ? [{ ...seen, test: facts?.test ?? null }] : [])))
  await ledger.db.transaction(async (tx) => {
    for (let at = 0; at < rows.length; at += batch) {
      const part = rows.slice(at, at + batch).map((row, index) => ({
        ...row,
        bulkId: bulk.id,
        connectionId: bulk.connectionId,
        position: at + index,
      }))
      await tx.insert(bulkRows).values(part)
    }
    await tx
      .update(bulks)
      .set({
        state: 'ready',
        problem: doubt,
        count: sendable.length,
        sums,
        digest: hashList(sendable.flatMap(({ paymentId }) => paymentId ?? [])),
        changedAt: ledger.clock.wall(),
      })
      .where(and(eq(bulks.id, bulk.id), eq(bulks.state, 'preparing')))
  })
}

/**
 * Makes the list of a bulk, so that it can be confirmed: reads the payments, says of each row what it is, and
 * keeps counts, sums and the hash of those that can be cancelled. Resolves at the end; throws what the store throws.
 */
export async function prepareBulk(
  ledger: Ledger,
  bulk: BulkRow,
  { request, proofs }: { request: BulkRequest; proofs: Proofs },
): Promise<void> {
  const { db, clock } = ledger
  const mine = and(eq(bulks.id, bulk.id), eq(bulks.state, 'preparing'))
  let read = 0
  let notedAt = 0
  const onRead = async (count: number) => {
    read += count
    if (performance.now() - notedAt < noteEvery) return
    notedAt = performance.now()
    await db.update(bulks).set({ read, changedAt: clock.wall() }).where(mine)
  }
  const { rows, failure, doubt } = await makeRows(ledger, request, { proofs, onRead })
  if (failure !== null) {
    await db.update(bulks).set({ state: 'failed', problem: failure, read, changedAt: clock.wall() }).where(mine)
    return
  }
  await db.update(bulks).set({ read, changedAt: clock.wall() }).where(mine)
  await keepList(ledger, bulk, await markInHand(ledger, rows), doubt)
}
