import { and, eq, getTableColumns, inArray } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { customers, payments } from '../store/schema'

/** The states of a payment (deployment facts; Cancelled is ours, the interface shows only Pending). */
export const paymentStates = ['Pending', 'Scheduled', 'Settled', 'Rejected', 'Chargeback', 'Cancelled'] as const
export type PaymentState = (typeof paymentStates)[number]

/** The states of payments that are still to be collected. */
export const openStates = ['Pending', 'Scheduled'] as const satisfies readonly PaymentState[]

/** The value by which payments without a settlement date are sorted. */
export const unsettledSortDate = new Date(Date.UTC(9999, 11, 31))

const months = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** The description of a payment: "Gold membership, November 2026". */
export function describePayment(product: string, paymentDate: Date): string {
  return `${product}, ${months.format(paymentDate)}`
}

const { grams: _grams, cancelText: _cancelText, ...columns } = getTableColumns(payments)

/** The columns needed for replies and cursors. */
export const paymentColumns = columns

export type PaymentRow = Omit<typeof payments.$inferSelect, 'grams' | 'cancelText'>

async function readNames(db: Database, merchantId: string, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: customers.id, name: customers.name })
    .from(customers)
    .where(and(eq(customers.merchantId, merchantId), inArray(customers.id, ids)))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Payments as replied (docs/upstream-api.md, section 2). `amount` is in minor units; dates are midnight UTC. */
export async function viewPayments(db: Database, merchantId: string, rows: readonly PaymentRow[]) {
  const names = await readNames(db, merchantId, [...new Set(rows.map(({ customerId }) => customerId))])
  return rows.map((row) => ({
    id: row.id,
    paymentDate: row.paymentDate,
    scheduleDate: row.scheduleDate,
    handle: row.handle,
    description: row.description,
    reference: row.reference,
    amount: row.amount,
    currency: row.currency,
    test: row.test,
    status: row.status,
    settlementDate: row.settlementDate,
    createdAt: row.createdAt,
    modifiedAt: row.modifiedAt,
    customer: { id: row.customerId, name: names.get(row.customerId) ?? '' },
    mandate: { id: row.mandateId, handle: row.mandateHandle, scheme: row.scheme },
  }))
}
