import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import type { Handler } from '../http/handler'
import { Problem } from '../http/problem'
import { openStates } from '../payments/payment'
import { listShapes } from '../query/list-fields'
import { planList } from '../query/list-plan'
import { foldText } from '@/lib/api-contract/fold-text'
import { grams } from '../query/text-search'
import { byIdOrHandle, newHandle, preferId } from '../store/handles'
import { customers, mandates, payments } from '../store/schema'

/** The columns needed for replies and cursors. */
export const customerColumns = {
  id: customers.id,
  merchantId: customers.merchantId,
  handle: customers.handle,
  name: customers.name,
  nameSearch: customers.nameSearch,
  number: customers.number,
  numberSearch: customers.numberSearch,
  addressLine1: customers.addressLine1,
  addressLine2: customers.addressLine2,
  city: customers.city,
  country: customers.country,
  postalCode: customers.postalCode,
  createdAt: customers.createdAt,
  modifiedAt: customers.modifiedAt,
}

export type CustomerRow = Omit<typeof customers.$inferSelect, 'grams'>

type MandateSummary = { handle: string; scheme: string; state: string }

async function readSummaries(db: Database, merchantId: string, ids: string[]): Promise<Map<string, MandateSummary[]>> {
  const summaries = new Map(ids.map((id): [string, MandateSummary[]] => [id, []]))
  if (ids.length === 0) return summaries
  const rows = await db
    .select({
      customerId: mandates.customerId,
      handle: mandates.handle,
      scheme: mandates.scheme,
      state: mandates.status,
    })
    .from(mandates)
    .where(and(eq(mandates.merchantId, merchantId), inArray(mandates.customerId, ids)))
    .orderBy(mandates.createdAt, mandates.id)
  for (const { customerId, ...summary } of rows) summaries.get(customerId)?.push(summary)
  return summaries
}

/** Customers as list items (docs/upstream-api.md, section 2), with summaries of their mandates. */
export async function viewCustomers(db: Database, merchantId: string, rows: readonly CustomerRow[]) {
  const summaries = await readSummaries(
    db,
    merchantId,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, name, handle, number, createdAt, modifiedAt }) => ({
    id,
    name,
    handle,
    number,
    createdAt,
    modifiedAt,
    mandates: summaries.get(id) ?? [],
  }))
}

/** A single customer: the fields of the list item and of the input (the interface does not show this reply). */
export async function viewCustomer(db: Database, merchantId: string, row: CustomerRow) {
  const [listed] = await viewCustomers(db, merchantId, [row])
  const { addressLine1, addressLine2, city, country, postalCode } = row
  return { ...listed, addressLine1, addressLine2, city, country, postalCode }
}

/**
 * Finds a merchant's customer by id or handle. `lock` locks the row until the transaction ends. Throws Problem
 * `not-found`, also for another merchant's customer.
 */
export async function findCustomer(
  db: Database,
  merchantId: string,
  idOrHandle: string,
  { lock = false } = {},
): Promise<CustomerRow> {
  const found = db
    .select(customerColumns)
    .from(customers)
    .where(byIdOrHandle(customers, merchantId, idOrHandle))
    .limit(2)
  const rows = await (lock ? found.for('no key update') : found)
  const row = preferId(rows, idOrHandle)
  if (!row) throw new Problem('not-found', 'There is no such customer.')
  return row
}

/** GET /Customers: one keyset page. */
export const listCustomers: Handler<'listCustomers'> = async ({ db, caller, query, settings }) => {
  const plan = planList(listShapes.listCustomers, caller.merchantId, query, settings.cursorSecret)
  const rows = await db
    .select(customerColumns)
    .from(customers)
    .where(plan.where)
    .orderBy(...plan.orderBy)
    .limit(plan.limit)
  const { results, ...continuation } = plan.finish(rows)
  return { status: 200, body: { results: await viewCustomers(db, caller.merchantId, results), ...continuation } }
}

/** GET /Customers/{customerIdOrHandle}: an id wins over a handle. */
export const getCustomer: Handler<'getCustomer'> = async ({ db, caller, params }) => {
  const row = await findCustomer(db, caller.merchantId, params.customerIdOrHandle)
  return { status: 200, body: await viewCustomer(db, caller.merchantId, row) }
}

/** POST /Customers: 201 with the customer. Two customers may share a name or a number. */
export const createCustomer: Handler<'createCustomer'> = async ({ db, caller, body, now }) => {
  const { name, number = '', addressLine1 = '', addressLine2 = '', city = '', country = '', postalCode = '' } = body
  const [nameSearch, numberSearch] = [foldText(name), foldText(number)]
  const [row] = await db
    .insert(customers)
    .values({
      id: randomUUID(),
      merchantId: caller.merchantId,
      handle: newHandle('cu'),
      name,
      nameSearch,
      number,
      numberSearch,
      grams: grams(nameSearch, numberSearch),
      addressLine1,
      addressLine2,
      city,
      country,
      postalCode,
      createdAt: now,
      modifiedAt: now,
    })
    .returning(customerColumns)
  if (!row) throw new Error('The customer was not stored')
  return {
    status: 201,
    location: `/Customers/${row.id}`,
    body: await viewCustomer(db, caller.merchantId, row),
    outcome: 'created',
  }
}

type UpdateCall = Parameters<Handler<'updateCustomer'>>[0]

/** Updates the copies of the customer's name and number that lists sort and search by. */
async function updateSearchCopies(
  { db, caller }: UpdateCall,
  { id, nameSearch, numberSearch }: CustomerRow,
): Promise<void> {
  await db
    .update(mandates)
    .set({ customerSearch: nameSearch, customerNumberSearch: numberSearch, grams: grams(nameSearch, numberSearch) })
    .where(and(eq(mandates.merchantId, caller.merchantId), eq(mandates.customerId, id)))
  const own = and(eq(payments.merchantId, caller.merchantId), eq(payments.customerId, id))
  const rows = await db
    .select({ id: payments.id, reference: payments.reference, description: payments.description })
    .from(payments)
    .where(own)
  for (const row of rows) {
    await db
      .update(payments)
      .set({ customerSearch: nameSearch, grams: grams(nameSearch, row.reference, row.description) })
      .where(and(own, eq(payments.id, row.id)))
  }
}

/** PUT /Customers/{customerIdOrHandle}: changes the given fields and keeps the others (decision 0002). */
export const updateCustomer: Handler<'updateCustomer'> = async (call) => {
  const { db, caller, params, body, now } = call
  const before = await findCustomer(db, caller.merchantId, params.customerIdOrHandle, { lock: true })
  const [nameSearch, numberSearch] = [foldText(body.name ?? before.name), foldText(body.number ?? before.number)]
  const [row] = await db
    .update(customers)
    .set({ ...body, nameSearch, numberSearch, grams: grams(nameSearch, numberSearch), modifiedAt: now })
    .where(and(eq(customers.merchantId, caller.merchantId), eq(customers.id, before.id)))
    .returning(customerColumns)
  if (!row) throw new Error('The customer was not stored')
  if (nameSearch !== before.nameSearch || numberSearch !== before.numberSearch) await updateSearchCopies(call, row)
  return { status: 200, body: await viewCustomer(db, caller.merchantId, row), outcome: 'changed' }
}

/**
 * DELETE /Customers/{customerId}: 204. Open payments answer 409; ended payments and the mandates are deleted with the
 * customer.
 */
export const deleteCustomer: Handler<'deleteCustomer'> = async ({ db, caller, params }) => {
  const { id } = await findCustomer(db, caller.merchantId, params.customerId)
  const ownMandates = and(eq(mandates.merchantId, caller.merchantId), eq(mandates.customerId, id))
  // The lock keeps payments from being created after the check below.
  await db.select({ id: mandates.id }).from(mandates).where(ownMandates).for('update')
  const own = and(eq(payments.merchantId, caller.merchantId), eq(payments.customerId, id))
  const open = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(own, inArray(payments.status, [...openStates])))
    .limit(1)
  if (open.length > 0) throw new Problem('open-payments', 'The customer has payments that are still to be collected.')
  await db.delete(payments).where(own)
  await db.delete(mandates).where(ownMandates)
  await db.delete(customers).where(and(eq(customers.merchantId, caller.merchantId), eq(customers.id, id)))
  return { status: 204, outcome: 'deleted' }
}
