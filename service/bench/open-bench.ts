import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type Database, openDatabase } from '@/lib/database/open-database'
import { longWork } from '@/lib/database/open-postgres'
import { parseOrder } from '../query/parse-order'
import { listShapes } from '../query/list-fields'
import { planList } from '../query/list-plan'
import { findPaymentPage } from '../payments/find-payment-page'
import { paymentColumns } from '../payments/payment-view'
import { fill } from '../seed/fill'
import { payments } from '../store/schema'
import type { BenchCase } from './bench-cases'

const migrationsFolder = join(process.cwd(), 'service/store/migrations')
const cursorSecret = 'bench'
const now = new Date('2026-11-20T10:00:00Z')
const pageSize = 20

/** A filled database that answers pages through the service's own verb, without HTTP around it. */
export type Bench = {
  rows: number
  /** Milliseconds that filling took. */
  filled: number
  /** Makes the request of a case: its first page, or its last one by the keyset that leads there. */
  prepare: (one: BenchCase) => Promise<() => Promise<unknown>>
  close: () => Promise<void>
}

/** The same order read from its end. */
function reverse(orderby: string): string {
  const orders = parseOrder(orderby, Object.keys(listShapes.listPayments.kinds))
  const last = orders.at(-1)?.direction ?? 'asc'
  return [...orders, { field: 'id', direction: last }]
    .map(({ field, direction }) => `${field} ${direction === 'desc' ? 'asc' : 'desc'}`)
    .join(',')
}

async function findLastOffset(db: Database, merchantId: string, { query }: BenchCase): Promise<string | undefined> {
  const plan = planList(
    listShapes.listPayments,
    merchantId,
    { ...query, orderby: reverse(query.orderby ?? 'createdAt desc'), limit: 100 },
    cursorSecret,
  )
  const rows = await db
    .select(paymentColumns)
    .from(payments)
    .where(plan.where)
    .orderBy(...plan.orderBy)
    .limit(pageSize + 1)
  const [before, after] = [rows[pageSize], rows[pageSize - 1]]
  if (!before || !after) return undefined
  const forward = planList(listShapes.listPayments, merchantId, { ...query, limit: 1 }, cursorSecret)
  return forward.finish([before, after]).nextOffset ?? undefined
}

/** A database that was filled already, as a bench. */
function attachBench(opened: {
  db: Database
  close: () => Promise<void>
  merchantId: string
  rows: number
  filled: number
}): Bench {
  const { db, close, merchantId, rows, filled } = opened
  return {
    rows,
    filled,
    close,
    prepare: async (one) => {
      const after = one.page === 'last' ? await findLastOffset(db, merchantId, one) : undefined
      const query = { ...one.query, after, limit: pageSize }
      return () => findPaymentPage(db, merchantId, query, cursorSecret)
    },
  }
}

/** Opens a database (PGlite in memory without an address), fills it with `rows` payments and counts it for the planner. */
export async function openBench(rows: number, url?: string): Promise<Bench> {
  const { db, close } = await openDatabase({ url, migrationsFolder, timeouts: longWork })
  const began = performance.now()
  const merchantId = await db.transaction((transaction) => fill(transaction, rows, now))
  await db.execute(sql`vacuum analyze`)
  return attachBench({ db, close, merchantId, rows, filled: performance.now() - began })
}
