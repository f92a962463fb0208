import { and, asc, eq, gt, inArray, or, sql } from 'drizzle-orm'
import { idKey } from '@/lib/domain/ids'
import type { BulkState } from '@/lib/domain/cancellations/bulk-cancellation'
import { erasedText, type OpenWork } from '@/lib/domain/people'
import { bulkRows, bulks } from '../store/bulk-schema'
import { cancellations } from '../store/schema'
import { eraseFrom, isOwnId, mentionsPerson, namesPerson, type Person, redactText, someText } from './person'
import { definePlace, followKey } from './place'

type CancellationRow = typeof cancellations.$inferSelect
type CancellationTexts = Pick<CancellationRow, 'reason' | 'detail' | 'evidence' | 'handled'>

function eraseCancellation(row: CancellationRow, person: Person): CancellationTexts {
  const isOwn = isOwnId(person, row.paymentId)
  const { reason, detail, evidence, handled } = row
  return {
    reason: isOwn ? erasedText : redactText(person, reason),
    detail: detail && (isOwn ? erasedText : redactText(person, detail)),
    // Lists fall back to the payment's id as its name.
    evidence: { ...eraseFrom(person, isOwn, evidence), ...(isOwn && { named: undefined }) },
    handled: eraseFrom(person, isOwn, handled),
  }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The ledger: that a payment's cancellation was asked for, when, by whom and how it ended stays. */
export const cancellationPlace = definePlace<CancellationRow, CancellationTexts>({
  kind: 'cancellation',
  pages: (db, { connectionId }) =>
    followKey(
      (after: string | null, limit) =>
        db
          .select()
          .from(cancellations)
          .where(
            and(eq(cancellations.connectionId, connectionId), after === null ? undefined : gt(cancellations.id, after)),
          )
          .orderBy(asc(cancellations.id))
          .limit(limit),
      ({ id }) => id,
    ),
  inspect: (row, person) => {
    const { reason, detail, evidence, handled, ...facts } = row
    const change = eraseCancellation(row, person)
    const isChanged = !isSame(change, { reason, detail, evidence, handled })
    if (!isChanged && !isOwnId(person, row.paymentId)) return null
    const { id, paymentId, bulkId, userEmail, state, seen, createdAt, sentAt, closedAt, checked } = facts
    const shown = { id, paymentId, bulkId, requestedBy: userEmail, state, seen, createdAt, sentAt, closedAt, checked }
    return {
      shown: { ...shown, reason, detail, evidence, handled },
      change: isChanged ? change : null,
      open: row.closedAt === null ? { kind: 'cancellation', id: row.paymentId } : null,
    }
  },
  lock: (tx, rows) =>
    tx
      .select()
      .from(cancellations)
      .where(
        inArray(
          cancellations.id,
          rows.map(({ id }) => id),
        ),
      )
      .orderBy(asc(cancellations.id))
      .for('update'),
  store: async (tx, changes, { clock }) => {
    for (const { row, change } of changes)
      await tx.update(cancellations).set(change).where(eq(cancellations.id, row.id))
    await tx
      .update(bulkRows)
      .set({ changedAt: clock.sql() })
      .where(
        inArray(
          bulkRows.cancellationId,
          changes.map(({ row }) => row.id),
        ),
      )
  },
})

/** Lists whose rows nobody needs any more. */
const overStates: readonly BulkState[] = ['failed', 'declined', 'stopped', 'finished']

const openBulk = (id: string, state: BulkState): OpenWork | null =>
  overStates.includes(state) ? null : { kind: 'bulk', id }

type BulkRow = typeof bulkRows.$inferSelect & { state: BulkState }
type BulkTexts = Pick<BulkRow, 'given' | 'facts' | 'reason'>

function eraseBulkRow({ paymentId, given, facts, reason }: BulkRow, person: Person): BulkTexts {
  const isOwn =
    isOwnId(person, paymentId) || isOwnId(person, given) || (facts?.payer ? namesPerson(person, facts.payer) : false)
  const isId = paymentId !== null && idKey(paymentId) === idKey(given)
  return {
    given: isId ? given : redactText(person, given),
    facts: facts && { ...eraseFrom(person, false, facts), ...(isOwn && facts.payer !== null && { payer: erasedText }) },
    reason: reason && (isOwn ? erasedText : redactText(person, reason)),
  }
}

const { bulkId, position } = bulkRows

/** Rows of bulk cancellations. */
export const bulkRowPlace = definePlace<BulkRow, BulkTexts>({
  kind: 'bulk',
  pages: (db, { connectionId }) =>
    followKey(
      (after: BulkRow | null, limit) =>
        db
          .select({ row: bulkRows, state: bulks.state })
          .from(bulkRows)
          .innerJoin(bulks, eq(bulks.id, bulkId))
          .where(
            and(
              eq(bulks.connectionId, connectionId),
              after
                ? or(gt(bulkId, after.bulkId), and(eq(bulkId, after.bulkId), gt(position, after.position)))
                : undefined,
            ),
          )
          .orderBy(asc(bulkId), asc(position))
          .limit(limit)
          .then((rows) => rows.map(({ row, state }) => ({ ...row, state }))),
      (row) => row,
    ),
  inspect: (row, person) => {
    const { state, given, facts, reason, ...rest } = row
    const change = eraseBulkRow(row, person)
    const isChanged = !isSame(change, { given, facts, reason })
    if (!isChanged && !isOwnId(person, row.paymentId)) return null
    return {
      shown: { ...rest, given, facts, reason },
      change: isChanged ? change : null,
      open: openBulk(row.bulkId, state),
    }
  },
  lock: async (tx, rows) => {
    const [first] = rows
    if (!first) return []
    const isMeant = or(...rows.map((row) => and(eq(bulkId, row.bulkId), eq(position, row.position))))
    const locked = await tx
      .select({ row: bulkRows, state: bulks.state })
      .from(bulkRows)
      .innerJoin(bulks, eq(bulks.id, bulkId))
      .where(isMeant)
      .orderBy(asc(bulkId), asc(position))
      .for('update')
    return locked.map(({ row, state }) => ({ ...row, state }))
  },
  store: async (tx, changes, { clock }) => {
    for (const { row, change } of changes)
      await tx
        .update(bulkRows)
        .set({ ...change, changedAt: clock.sql() })
        .where(and(eq(bulkId, row.bulkId), eq(position, row.position)))
    const isTheirs = inArray(
      bulks.id,
      changes.map(({ row }) => row.bulkId),
    )
    await tx.update(bulks).set({ requestDigest: null }).where(isTheirs)
    // Lists used to be stored under cut names of payments, in which half a person's name isn't found.
    await tx
      .update(bulks)
      .set({ source: sql`jsonb_set(${bulks.source}, '{name}', 'null')` })
      .where(and(isTheirs, sql`${bulks.source} ->> 'name' ~ '.{30}…'`))
  },
})

type Bulk = typeof bulks.$inferSelect
type BulkHead = Pick<Bulk, 'source' | 'confirmed' | 'decisionNote'>

/** Bulk cancellations themselves: the name of the list or its filter, and what an approver wrote. */
export const bulkPlace = definePlace<Bulk, BulkHead>({
  kind: 'bulk',
  pages: (db, { connectionId }) =>
    followKey(
      (after: string | null, limit) =>
        db
          .select()
          .from(bulks)
          .where(and(eq(bulks.connectionId, connectionId), after === null ? undefined : gt(bulks.id, after)))
          .orderBy(asc(bulks.id))
          .limit(limit),
      ({ id }) => id,
    ),
  inspect: (row, person) => {
    const { id, source, confirmed, decisionNote, state, userEmail, createdAt } = row
    // The reasons of rows stand under their positions, which are no texts.
    const written = [source, { ...confirmed, reasons: Object.values(confirmed?.reasons ?? {}) }, decisionNote]
    const isAbout = someText(written, (text) => mentionsPerson(person, text))
    if (!isAbout) return null
    const change = {
      source: eraseFrom(person, false, source),
      confirmed: eraseFrom(person, false, confirmed),
      decisionNote: decisionNote && redactText(person, decisionNote),
    }
    const isChanged = !isSame(change, { source, confirmed, decisionNote })
    return {
      shown: { id, source, confirmed, decisionNote, state, requestedBy: userEmail, createdAt },
      change: isChanged ? change : null,
      open: openBulk(id, state),
    }
  },
  lock: (tx, rows) =>
    tx
      .select()
      .from(bulks)
      .where(
        inArray(
          bulks.id,
          rows.map(({ id }) => id),
        ),
      )
      .orderBy(asc(bulks.id))
      .for('update'),
  store: async (tx, changes, { clock }) => {
    for (const { row, change } of changes)
      await tx
        .update(bulks)
        .set({ ...change, requestDigest: null })
        .where(eq(bulks.id, row.id))
    // The reasons that were confirmed are shown with the rows.
    await tx
      .update(bulkRows)
      .set({ changedAt: clock.sql() })
      .where(
        inArray(
          bulkId,
          changes.flatMap(({ row, change }) => (isSame(row.confirmed, change.confirmed) ? [] : row.id)),
        ),
      )
  },
})
