import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { ListQuery } from '@/lib/api-contract/pagination'
import { openDatabase } from '@/lib/database/open-database'
import type { Database } from '@/lib/database/database'
import { longWork } from '@/lib/database/open-postgres'
import { findPaymentPage } from '../payments/list-payments'
import { paymentColumns } from '../payments/payment'
import { listShapes } from '../query/list-fields'
import { planList } from '../query/list-plan'
import { parseOrder } from '../query/parser'
import { seedDatabase } from '../seed/seed-database'
import { payments } from '../store/schema'

/** A measured page: its query, and whether it is the first or the last page of the list. */
export type BenchCase = {
  name: string
  query: ListQuery
  page: 'first' | 'last'
  /** A sort order without an index: measured, but exempt from the limit (decision 0004). */
  sorts?: boolean
}

const both = (name: string, query: ListQuery): BenchCase[] => [
  { name: `${name}, first page`, query, page: 'first' },
  { name: `${name}, last page`, query, page: 'last' },
]

const sorting = (name: string, query: ListQuery): BenchCase[] =>
  both(name, query).map((one) => ({ ...one, sorts: true }))

/** `today` is a date of the seed's calendar, such as 2026-11-20. */
export function benchCases(today: string): BenchCase[] {
  const coming = `status eq 'Pending' and scheduleDate ge ${today}`
  const month = `status eq 'Settled' and scheduleDate ge 2026-10-01 and scheduleDate lt 2026-11-01`
  const paid = `status eq 'Settled' and paymentDate ge 2026-10-01 and paymentDate lt 2026-11-01`
  const contains = (text: string) => `contains(customer/name,'${text}')`
  return [
    ...both('newest first', {}),
    ...both('by scheduleDate desc', { orderby: 'scheduleDate desc' }),
    ...both('by amount desc', { orderby: 'amount desc' }),
    ...both('by customer/name', { orderby: 'customer/name' }),
    ...both('by status', { orderby: 'status' }),
    ...both('by currency desc', { orderby: 'currency desc' }),
    ...both('by mandate/handle', { orderby: 'mandate/handle' }),
    ...both('by customer/id', { orderby: 'customer/id' }),
    ...both('by status, scheduleDate', { orderby: 'status,scheduleDate' }),
    ...sorting('by status desc, amount, newest first', { orderby: 'status desc,amount,createdAt desc' }),
    ...both('by currency, amount desc', { orderby: 'currency,amount desc' }),
    ...both('by customer/name, scheduleDate desc', { orderby: 'customer/name,scheduleDate desc' }),
    ...sorting('by test, mandate/scheme, paymentDate', { orderby: 'test,mandate/scheme,paymentDate' }),
    ...both('Pending to come, newest first', { filter: coming }),
    ...both('Pending to come, by scheduleDate', { filter: coming, orderby: 'scheduleDate' }),
    ...both('Settled in October, newest first', { filter: month }),
    ...both('Settled in October, by scheduleDate', { filter: month, orderby: 'scheduleDate' }),
    ...both('Settled, to be paid in October, newest first', { filter: paid }),
    ...both("contains 'sen', in half of all names", { filter: contains('sen') }),
    ...both("contains 'bjerregaard', in one of forty", { filter: contains('bjerregaard') }),
    ...both("contains 'skovgård', and Pending", { filter: `${contains('skovgård')} and ${coming}` }),
    ...both("contains 'ægir', one customer", { filter: contains('ægir') }),
    { name: "contains 'qqq', nobody", query: { filter: contains('qqq') }, page: 'first' },
    ...both("contains 'sen', by amount", { filter: contains('sen'), orderby: 'amount desc' }),
  ]
}

const migrationsFolder = join(process.cwd(), 'service/store/migrations')
const cursorSecret = 'bench'
const now = new Date('2026-11-20T10:00:00Z')
const PAGE_SIZE = 20

/** A seeded database that is read by the service's own query code, without HTTP. */
export type BenchDatabase = {
  rows: number
  /** Milliseconds that seeding took. */
  filled: number
  /** Prepares the request of a case: for its first page, or for its last one with the cursor that leads there. */
  prepare: (one: BenchCase) => Promise<() => Promise<unknown>>
  close: () => Promise<void>
}

/** The reverse of a sort order. */
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
    .limit(PAGE_SIZE + 1)
  const [before, after] = [rows[PAGE_SIZE], rows[PAGE_SIZE - 1]]
  if (!before || !after) return undefined
  const forward = planList(listShapes.listPayments, merchantId, { ...query, limit: 1 }, cursorSecret)
  return forward.finish([before, after]).nextOffset ?? undefined
}

function attachBench(opened: {
  db: Database
  close: () => Promise<void>
  merchantId: string
  rows: number
  filled: number
}): BenchDatabase {
  const { db, close, merchantId, rows, filled } = opened
  return {
    rows,
    filled,
    close,
    prepare: async (one) => {
      const after = one.page === 'last' ? await findLastOffset(db, merchantId, one) : undefined
      const query = { ...one.query, after, limit: PAGE_SIZE }
      return () => findPaymentPage(db, merchantId, query, cursorSecret)
    },
  }
}

/** Opens a database (PGlite in memory without `url`), seeds it with `rows` payments and analyzes it. */
export async function openBenchDatabase(rows: number, url?: string): Promise<BenchDatabase> {
  const { db, close } = await openDatabase({ url, migrationsFolder, timeouts: longWork })
  const began = performance.now()
  const merchantId = await db.transaction((transaction) => seedDatabase(transaction, rows, now))
  await db.execute(sql`vacuum analyze`)
  return attachBench({ db, close, merchantId, rows, filled: performance.now() - began })
}
