import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '@/lib/database/database'
import { newHandle } from '../store/handles'
import { insertRows } from '../store/insert-rows'
import { agreements, customers, mandates, merchants, payments } from '../store/schema'
import { makeCustomer, makeMandates, type SeedAgreement, type SeedMandate } from './make-customers'
import { makePayment } from './make-payment'
import { makeRandom, type Random } from './random'

/** Memory for building an index, more than the default. */
const SORT_MEMORY = '128MB'

const rebuildRows = z.object({ rows: z.array(z.object({ drop: z.string(), make: z.string() })) })

/** The statements that drop a table's non-unique indexes and foreign keys, and those that recreate them. */
async function findRebuildStatements(db: Database, table: string): Promise<{ drop: string; make: string }[]> {
  const found: unknown = await db.execute(sql`
    select format('alter table %I drop constraint %I', ${table}::text, conname) as drop,
      format('alter table %I add constraint %I %s', ${table}::text, conname, pg_get_constraintdef(oid)) as make
    from pg_constraint where conrelid = ${table}::text::regclass and contype = 'f'
    union all
    select format('drop index %I', indexname), indexdef
    from pg_indexes where tablename = ${table}::text and schemaname = current_schema() and indexdef like 'CREATE INDEX %'`)
  return rebuildRows.parse(found).rows
}

/**
 * Runs `work`, which fills an empty table, without the table's non-unique indexes and foreign keys, and recreates them
 * afterwards: building an index once is several times faster than updating it for each row. `db` is a transaction, so
 * that nobody sees the table without them.
 */
export async function withoutIndexes(db: Database, table: string, work: () => Promise<void>): Promise<void> {
  const statements = await findRebuildStatements(db, table)
  for (const { drop } of statements) await db.execute(sql.raw(drop))
  await work()
  // A million rows take longer than the usual statement timeout.
  await db.execute(sql`set local statement_timeout = 0`)
  await db.execute(sql.raw(`set local maintenance_work_mem = '${SORT_MEMORY}'`))
  for (const { make } of statements) await db.execute(sql.raw(make))
}

/** Payments per statement, and in memory at once. */
const BATCH_SIZE = 5_000
const MAX_CUSTOMERS = 60_000
/** From this many payments on, building the indexes afterwards is faster. */
const BULK_LOAD_PAYMENTS = 20_000

function makeAgreements(random: Random, merchantId: string, today: Date): SeedAgreement[] {
  const kinds = [
    ['nets-bs', false, { cvrNumber: '31415926', pbsNumber: '06543210', agreementType: 'standard' }],
    ['nets-bs', true, { cvrNumber: '31415926', pbsNumber: '06543211', agreementType: 'total' }],
    ['nets-ls', false, { cvrNumber: '31415926', creditorNumber: '0123456' }],
    ['mastercard-bs', false, { cvrNumber: '31415926', pbsNumber: '06543212', agreementType: 'standard' }],
    ['sepa-core', false, { creditorIdentifier: 'DE98ZZZ09999999999' }],
    ['sepa-core', true, { creditorIdentifier: 'DE98ZZZ09999999999' }],
    ['sepa-b2b', false, { creditorIdentifier: 'DE98ZZZ09999999999' }],
  ] as const
  const createdAt = new Date(today.getTime() - 1_200 * 86_400_000)
  return kinds.map(([scheme, test, schemeData]) => ({
    id: random.uuid(),
    merchantId,
    handle: newHandle('am', random.below),
    scheme,
    schemeData,
    test,
    dataSourceHandle: 'billing',
    status: 'Active',
    createdAt,
    modifiedAt: createdAt,
  }))
}

/**
 * Fills an empty database with one merchant, its agreements, and customers, mandates and `count` payments like those of
 * a Danish utility with customers all over Europe. The same `count` on the same day gives the same rows. Returns the
 * merchant's id. Throws the reason of `signal` soon after it is aborted.
 */
export async function seedDatabase(db: Database, count: number, now: Date, signal?: AbortSignal): Promise<string> {
  const random = makeRandom(20_261_120)
  const today = new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000)
  const merchantId = random.uuid()
  const createdAt = new Date(today.getTime() - 1_300 * 86_400_000)
  await db.insert(merchants).values({
    id: merchantId,
    handle: newHandle('me', random.below),
    name: 'Nordkyst Forsyning A/S',
    metaData: { vatNumber: 'DK31415926', segment: 'utilities' },
    createdAt,
    modifiedAt: createdAt,
  })
  const owned = makeAgreements(random, merchantId, today)
  await insertRows(db, agreements, owned)
  const people = Array.from({ length: Math.min(Math.max(20, Math.ceil(count / 8)), MAX_CUSTOMERS) }, (_, index) =>
    makeCustomer(random, merchantId, index, today),
  )
  await insertRows(db, customers, people, signal)
  const permits = people.flatMap((customer) => makeMandates(random, customer, owned, today))
  await insertRows(db, mandates, permits, signal)
  const usable = permits.filter(({ status }) => status !== 'Created')
  const collect = () => fillPayments(db, random, usable, { count, today, signal })
  await (count < BULK_LOAD_PAYMENTS ? collect() : withoutIndexes(db, 'payments', collect))
  return merchantId
}

async function fillPayments(
  db: Database,
  random: Random,
  usable: SeedMandate[],
  { count, today, signal }: { count: number; today: Date; signal: AbortSignal | undefined },
): Promise<void> {
  for (let start = 0; start < count; start += BATCH_SIZE) {
    const rows = Array.from({ length: Math.min(BATCH_SIZE, count - start) }, (_, offset) => {
      const index = start + offset
      // The first payments go to the first mandates in turn, so that the remarkable names have some; the others are random.
      const mandate = usable[index < 40 ? index % usable.length : random.below(usable.length)]
      if (!mandate) throw new Error('There is no mandate to collect on')
      return makePayment(random, mandate, index, today)
    })
    await insertRows(db, payments, rows, signal)
  }
}
