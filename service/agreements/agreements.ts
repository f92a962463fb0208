import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import type { Handler } from '../http/handler'
import { Problem } from '../http/problem'
import { mandateColumns, viewMandates } from '../mandates/mandates'
import { openStates } from '../payments/payment'
import { byIdOrHandle, newHandle, preferId } from '../store/handles'
import { agreements, mandates, payments } from '../store/schema'
import { recordEvents } from '../webhooks/events'

export type AgreementRow = typeof agreements.$inferSelect

/** An agreement as replied (the interface shows no fields): those of the input, id, handle, status and timestamps. */
export function viewAgreement({
  id,
  handle,
  scheme,
  status,
  schemeData,
  test,
  dataSourceHandle,
  createdAt,
  modifiedAt,
}: AgreementRow) {
  return { id, handle, scheme, status, schemeData, test, dataSourceHandle, createdAt, modifiedAt }
}

/** Maximum bytes of schemeData as JSON in an event: no event is larger than 20 KB. */
const MAX_EVENT_DATA_BYTES = 16_384

/** An agreement in an event, without schemeData that is too large. */
export function toAgreementEvent(row: AgreementRow) {
  const { schemeData, ...view } = viewAgreement(row)
  return Buffer.byteLength(JSON.stringify(schemeData)) > MAX_EVENT_DATA_BYTES ? view : { ...view, schemeData }
}

/** Finds a merchant's agreement by id or handle. Throws Problem `not-found`, also for another merchant's agreement. */
export async function findAgreement(db: Database, merchantId: string, idOrHandle: string): Promise<AgreementRow> {
  const found = await db
    .select()
    .from(agreements)
    .where(byIdOrHandle(agreements, merchantId, idOrHandle))
    .limit(2)
  const row = preferId(found, idOrHandle)
  if (!row) throw new Problem('not-found', 'There is no such agreement.')
  return row
}

/** GET /Merchants/agreements/{agreementIdOrHandle}: an id wins over a handle. */
export const getAgreement: Handler<'getAgreement'> = async ({ db, caller, params }) => {
  return { status: 200, body: viewAgreement(await findAgreement(db, caller.merchantId, params.agreementIdOrHandle)) }
}

/** How long a scheme takes to activate an agreement. */
const ACTIVATION_DELAY_MS = 60_000

/** POST /Merchants/agreements: 201 with the agreement, Pending until the scheme activates it. */
export const createAgreement: Handler<'createAgreement'> = async ({ db, caller, body, now }) => {
  const { scheme, schemeData = {}, test = false, dataSourceHandle = null } = body
  const [row] = await db
    .insert(agreements)
    .values({
      id: randomUUID(),
      merchantId: caller.merchantId,
      handle: newHandle('am'),
      scheme: scheme.toLowerCase(),
      schemeData,
      test,
      dataSourceHandle,
      status: 'Pending',
      createdAt: now,
      modifiedAt: now,
      nextAt: new Date(now.getTime() + ACTIVATION_DELAY_MS),
    })
    .returning()
  if (!row) throw new Error('The agreement was not stored')
  return { status: 201, location: `/Merchants/agreements/${row.id}`, body: viewAgreement(row), outcome: 'created' }
}

/** DELETE /Merchants/agreements/{agreementId}: 204. Open payments through it answer 409. */
export const deleteAgreement: Handler<'deleteAgreement'> = async ({ db, caller, params, now }) => {
  const { id } = await findAgreement(db, caller.merchantId, params.agreementId)
  const own = and(eq(mandates.merchantId, caller.merchantId), eq(mandates.agreementId, id))
  // The lock keeps payments from being created after the check below.
  await db.select({ id: mandates.id }).from(mandates).where(own).for('update')
  const open = await db
    .select({ id: payments.id })
    .from(payments)
    .innerJoin(mandates, eq(mandates.id, payments.mandateId))
    .where(and(own, inArray(payments.status, [...openStates])))
    .limit(1)
  if (open.length > 0) throw new Problem('open-payments', 'The agreement has payments that are still to be collected.')
  const ended = await db
    .update(mandates)
    .set({ agreementId: null, status: 'Cancelled', nextAt: null, billAt: null, modifiedAt: now })
    .where(and(own, inArray(mandates.status, ['Created', 'Active'])))
    .returning(mandateColumns)
  await db.update(mandates).set({ agreementId: null }).where(own)
  const views = await viewMandates(db, caller.merchantId, ended)
  await recordEvents(
    db,
    views.map((data) => ({
      merchantId: caller.merchantId,
      objectType: 'mandate' as const,
      eventType: 'cancel',
      at: now,
      data,
    })),
  )
  await db.delete(agreements).where(and(eq(agreements.merchantId, caller.merchantId), eq(agreements.id, id)))
  return { status: 204, outcome: 'deleted' }
}
