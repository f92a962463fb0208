import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { desc } from 'drizzle-orm'
import { openDatabase } from '@/lib/database/open-database'
import { verifyChain } from '../../activity-log/hash-chain'
import { type BulkRow, viewBulk } from '../../bulk-cancellations/queries'
import { createBulk, prepareBulk } from '../../bulk-cancellations/prepare-bulk'
import { runWorkers } from '../../bulk-cancellations/worker'
import { startBulk } from '../../bulk-cancellations/start-bulk'
import type { Actor, Ledger, LedgerRules } from '../../cancellations/ledger'
import { cancellations, connections, defaultConnectionId, memberships, users } from '../../store/schema'
import { storeMigrations } from '../../store/store'
import { bulks } from '../../store/bulk-schema'
import { listOf } from '../bulk-fixture'
import { type Death, dieAt } from './die-at'
import { makeTestLedger } from '../test-ledger'

/** One process that carries out a bulk; its configuration, as JSON on standard input. */
export type BulkLife = {
  folder: string
  url: string
  rules: Partial<LedgerRules>
  /** The payments of the bulk, which is started unless it already was. */
  ids: readonly string[]
  die?: Death
}

/** Its messages on standard output, one line of JSON each. */
export type BulkMessage =
  | { kind: 'progress'; settled: number; count: number; state: string }
  | { kind: 'done'; rows: { paymentId: string; state: string; isClosed: boolean }[]; chain: boolean }

function send(word: BulkMessage): void {
  process.stdout.write(`${JSON.stringify(word)}\n`)
}

async function findStarted({ db }: Ledger): Promise<BulkRow | undefined> {
  const rows = await db.select().from(bulks).orderBy(desc(bulks.createdAt))
  return rows.find(({ startedAt }) => startedAt !== null)
}

async function startOrResume(ledger: Ledger, ids: readonly string[]): Promise<BulkRow> {
  const actor: Actor = { userId: randomUUID(), email: 'support@debitdesk.example', sessionId: randomUUID() }
  const [user] = await ledger.db.select().from(users)
  if (user) actor.userId = user.id
  else {
    await ledger.db.transaction(async (tx) => {
      await tx.insert(users).values({ id: actor.userId, email: actor.email })
      await tx.insert(memberships).values({ connectionId: defaultConnectionId, userId: actor.userId, role: 'support' })
    })
  }
  const request = listOf(ids.map((id) => ({ id })))
  const bulk = await createBulk(ledger, actor, request)
  await prepareBulk(ledger, bulk, { request, proofs: {} })
  const { count, digest, sums } = (await ledger.db.select().from(bulks).orderBy(desc(bulks.createdAt)))[0] ?? bulk
  const given = { count, digest: digest ?? '', sums, reason: 'Ordered twice' }
  return startBulk(ledger, actor, { bulkId: bulk.id, given })
}

async function run({ folder, url, rules, ids, die }: BulkLife): Promise<void> {
  const store = await openDatabase({ folder, migrationsFolder: storeMigrations })
  await store.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test' }).onConflictDoNothing()
  const ledger = makeTestLedger(store, url, { rules, parts: { step: dieAt(die) } })
  const worker = await runWorkers(ledger)
  const bulk = (await findStarted(ledger)) ?? (await startOrResume(ledger, ids))
  for (;;) {
    const [row = bulk] = (await store.db.select().from(bulks)).filter(({ id }) => id === bulk.id)
    const { settled, count, state } = await viewBulk(store.db, row)
    send({ kind: 'progress', settled, count, state })
    if (state === 'finished') break
    await wait(50)
  }
  const rows = await store.db.select().from(cancellations)
  send({
    kind: 'done',
    chain: (await verifyChain(store.db)).holds,
    rows: rows.map(({ paymentId, state, closedAt }) => ({ paymentId, state, isClosed: closedAt !== null })),
  })
  await worker.stop()
  await store.close()
}

await run(JSON.parse(await text(process.stdin)))
