import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { asc } from 'drizzle-orm'
import { openDatabase } from '@/lib/database/open-database'
import { verifyChain } from '../activity/verify-chain'
import { findBulk } from '../bulk/bulk-row'
import { createBulk, prepareBulk } from '../bulk/prepare-bulk'
import { runAll } from '../bulk/run-all'
import { startBulk } from '../bulk/start-bulk'
import { viewBulk } from '../bulk/view-bulk'
import type { Actor } from '../cancellations/ledger'
import { requestCancellation } from '../cancellations/request-cancellation'
import { viewCancellation } from '../cancellations/views'
import type { Instruction } from '../cancellations/write-intent'
import { Failure } from '../failure'
import { defaultConnectionId } from '../store/default-connection'
import { storeMigrations } from '../store/open-store'
import { cancellations, connections } from '../store/schema'
import { addActor, confirm, listOf } from './bulk-bench'
import { type Death, dieAt } from './die-at'
import { countOpen } from './settle-ledger'
import { makeTestLedger } from './test-ledger'

/** One life of the desk under the nemesis; the only argument of the process, as JSON. */
export type NemesisLife = {
  folder: string
  service: string
  /** Dies by its own hand the so-many-th time that it comes to this step; else somebody kills it. */
  die?: Death
}

/** One line to its standard input. `settle` has it work until nothing is open, and tell all that it keeps. */
export type NemesisOrder =
  | { kind: 'cancel'; actor: Actor; instruction: Instruction }
  | { kind: 'bulk'; payments: { id: string }[] }
  | { kind: 'settle' }

export type NemesisRow = {
  id: string
  paymentId: string
  bulk: boolean
  state: string
  /** How often it was sent. */
  attempts: number
  createdAt: string
}

/** One line from its standard output: what people are told, and in the end what is kept. */
export type NemesisWord =
  | { kind: 'ready' }
  | { kind: 'told'; id: string; paymentId: string; outcome: string }
  | { kind: 'refused'; paymentId: string; code: string }
  | { kind: 'started'; count: number }
  | { kind: 'settled'; rows: NemesisRow[]; chain: boolean }

const reading = { grace: 400, readEvery: 40, listEvery: 1, personAfter: 60_000, personBy: 61_000 }
const rules = { ...reading, sendDeadline: 800, lease: 3_000 }
const lookEvery = 50

function say(word: NemesisWord): void {
  process.stdout.write(`${JSON.stringify(word)}\n`)
}

const { folder, service, die }: NemesisLife = JSON.parse(process.argv[2] ?? '{}')
const store = await openDatabase({ folder, migrationsFolder: storeMigrations })
const { db } = store
await db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test' }).onConflictDoNothing()
const ledger = makeTestLedger(store, service, { rules, parts: { step: dieAt(die) } })
const worker = await runAll(ledger)
const lines = createInterface({ input: process.stdin })
const over = new AbortController()

/** Tells what every page would show, whenever it changes. */
async function watch(): Promise<void> {
  const known = new Map<string, string>()
  while (!over.signal.aborted) {
    for (const view of (await db.select().from(cancellations)).map(viewCancellation)) {
      if (known.get(view.id) === view.outcome) continue
      known.set(view.id, view.outcome)
      say({ kind: 'told', id: view.id, paymentId: view.paymentId, outcome: view.outcome })
    }
    await wait(lookEvery)
  }
}

async function cancel(actor: Actor, instruction: Instruction): Promise<void> {
  try {
    const { cancellation } = await requestCancellation(ledger, actor, instruction)
    say({ kind: 'told', id: cancellation.id, paymentId: cancellation.paymentId, outcome: cancellation.outcome })
  } catch (error) {
    const code = error instanceof Failure ? error.code : String(error)
    say({ kind: 'refused', paymentId: instruction.paymentId, code })
  }
}

async function cancelMany(payments: { id: string }[]): Promise<void> {
  const actor = await addActor(store)
  const request = listOf(payments)
  const bulk = await createBulk(ledger, actor, request)
  await prepareBulk(ledger, bulk, { request, proofs: {} })
  const view = await viewBulk(db, await findBulk(db, ledger, bulk.id))
  await startBulk(ledger, actor, { bulkId: bulk.id, given: confirm(view) })
  say({ kind: 'started', count: view.count })
}

async function settle(): Promise<void> {
  while ((await countOpen(ledger)) > 0) await wait(lookEvery)
  const rows = await db.select().from(cancellations).orderBy(asc(cancellations.createdAt))
  say({
    kind: 'settled',
    chain: (await verifyChain(db)).holds,
    rows: rows.map(({ id, paymentId, bulkId, state, attempts, createdAt }) => {
      return { id, paymentId, bulk: bulkId !== null, state, attempts, createdAt: createdAt.toISOString() }
    }),
  })
  over.abort()
  await worker.stop()
  await watching
  await store.close()
  process.exit(0)
}

lines.on('line', (line) => {
  const order: NemesisOrder = JSON.parse(line)
  if (order.kind === 'cancel') void cancel(order.actor, order.instruction)
  else if (order.kind === 'bulk') void cancelMany(order.payments)
  else void settle()
})
const watching = watch()
// Whoever began it is gone.
lines.on('close', () => process.exit(0))
say({ kind: 'ready' })
