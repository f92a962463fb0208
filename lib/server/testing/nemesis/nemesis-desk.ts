import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { asc, isNull, or, sql } from 'drizzle-orm'
import { openDatabase } from '@/lib/database/open-database'
import type { PostgresTimeouts } from '@/lib/database/open-postgres'
import { verifyChain } from '../../activity-log/hash-chain'
import { findBulk, viewBulk } from '../../bulk-cancellations/queries'
import { createBulk, prepareBulk } from '../../bulk-cancellations/prepare-bulk'
import { runWorkers } from '../../bulk-cancellations/worker'
import { startBulk } from '../../bulk-cancellations/start-bulk'
import { type Actor, type LedgerClock, type LedgerRules, makeLedgerClock, type Step } from '../../cancellations/ledger'
import { requestCancellation } from '../../cancellations/request-cancellation'
import { toCancellationView } from '../../cancellations/queries'
import type { Instruction } from '../../cancellations/intents'
import { AppError } from '../../runtime/app-error'
import { cancellations, connections, defaultConnectionId } from '../../store/schema'
import { storeMigrations } from '../../store/store'
import { keepPresence } from '../../store/leases'
import { addActor, confirm, listOf } from '../bulk-fixture'
import { countOpen, makeTestLedger } from '../test-ledger'

/** Where a process stops by its own hand: the so-many-th time that it comes to this step. SIGSTOP lasts until SIGCONT. */
export type Halt = { step: Step; time: number; signal: 'SIGKILL' | 'SIGSTOP' }

/** One life of the desk under the nemesis; the only argument of the process, as JSON. */
export type NemesisLife = {
  /** A folder of its own, or the address of a Postgres that it may share. */
  store: { folder: string } | { url: string }
  service: string
  rules: Partial<LedgerRules>
  /** How far the process's clocks are ahead of the store's, in milliseconds. */
  ahead?: number
  halt?: Halt
}

/**
 * One line to its standard input. `halt` takes the place of the halt before it; `jump` sets the host's clock; `settle` has it
 * work until nothing is open, at most so long, and tell all that it keeps.
 */
export type NemesisOrder =
  | { kind: 'cancel'; actor: Actor; instruction: Instruction }
  | { kind: 'bulk'; payments: { id: string }[] }
  | { kind: 'halt'; halt: Halt | null }
  | { kind: 'jump'; milliseconds: number }
  | { kind: 'settle'; limit: number }

export type NemesisRow = {
  id: string
  key: string
  paymentId: string
  bulkId: string | null
  reason: string
  userEmail: string
  state: string
  outcomeReason: string | null
  closedAt: string | null
  /** How often it was sent. */
  attempts: number
  createdAt: string
}

/** One line from its standard output: what people are told, and in the end what is kept. */
export type NemesisWord =
  | { kind: 'ready' | 'halting'; pid: number }
  /** `key` of what somebody asked for; a view has none. */
  | { kind: 'told'; id: string; paymentId: string; outcome: string; key?: string }
  | { kind: 'refused'; paymentId: string; code: string; key: string }
  | { kind: 'started'; bulkId: string; count: number }
  | { kind: 'not-started'; bulkId: string | null; code: string }
  | { kind: 'settled'; rows: NemesisRow[]; chain: boolean }

const lookEvery = 50
/** How long it finishes what it is at when whoever began it is gone, in milliseconds. */
const grace = 5_000
/** Short, so that a broken connection costs seconds; in the same order as the usual ones. */
const timeouts: Partial<PostgresTimeouts> = {
  connect: 4_000,
  lock: 4_000,
  statement: 5_000,
  answer: 6_000,
  idleInTransaction: 2_000,
}

function say(word: NemesisWord): void {
  process.stdout.write(`${JSON.stringify(word)}\n`)
}

/** A desk that cannot begin ends, as the product does; whoever watches it begins it anew. */
function giveUp(error: unknown): never {
  process.stderr.write(`a desk could not begin: ${String(error)}\n`)
  process.exit(1)
}

const life: NemesisLife = JSON.parse(process.argv[2] ?? '{}')
const store = await openDatabase({ ...life.store, migrationsFolder: storeMigrations, timeouts }).catch(giveUp)
const { db } = store
await db
  .insert(connections)
  .values({ connectionId: defaultConnectionId, name: 'Test' })
  .onConflictDoNothing()
  .catch(giveUp)
let { halt = null }: { halt?: Halt | null } = life
let jumped = 0

/** The process's own clocks run ahead; the store's stays as it is. */
function makeClock(): LedgerClock {
  const { ahead = 0 } = life
  const clock = makeLedgerClock(store.clock)
  const shift = (moment: Date, by: number) => new Date(moment.getTime() + by)
  return {
    store: clock.store,
    now: () => shift(clock.now(), ahead),
    wall: () => shift(clock.wall(), ahead),
    host: () => shift(clock.host(), ahead + jumped),
  }
}

async function step(name: Step): Promise<void> {
  if (name !== halt?.step) return
  halt.time -= 1
  if (halt.time > 0) return
  const { signal } = halt
  halt = null
  if (signal === 'SIGSTOP') say({ kind: 'halting', pid: process.pid })
  process.kill(process.pid, signal)
  // Of one that dies, no step returns.
  if (signal === 'SIGKILL') await new Promise(() => undefined)
}

const ledger = makeTestLedger(store, life.service, {
  rules: life.rules,
  parts: { step, clock: makeClock(), ...('url' in life.store && { keepPresence: () => keepPresence(store) }) },
})
const worker = await runWorkers(ledger).catch(giveUp)
const lines = createInterface({ input: process.stdin })
const over = new AbortController()

/** Tells what every page would show, whenever it changes. */
async function watch(): Promise<void> {
  const known = new Map<string, string>()
  // What has been closed for a while is told once, in the end.
  const isRecent = or(isNull(cancellations.closedAt), sql`${cancellations.closedAt} > now() - interval '20 seconds'`)
  while (!over.signal.aborted) {
    const rows = await db
      .select()
      .from(cancellations)
      .where(isRecent)
      .catch(() => [])
    for (const view of rows.map(toCancellationView)) {
      if (known.get(view.id) === view.outcome) continue
      known.set(view.id, view.outcome)
      say({ kind: 'told', id: view.id, paymentId: view.paymentId, outcome: view.outcome })
    }
    await wait(lookEvery)
  }
}

const codeOf = (error: unknown) => (error instanceof AppError ? error.code : String(error))

async function cancel(actor: Actor, instruction: Instruction): Promise<void> {
  const { key, paymentId } = instruction
  try {
    const { cancellation } = await requestCancellation(ledger, actor, instruction)
    say({ kind: 'told', id: cancellation.id, paymentId: cancellation.paymentId, outcome: cancellation.outcome, key })
  } catch (error) {
    say({ kind: 'refused', paymentId, code: codeOf(error), key })
  }
}

async function cancelMany(payments: { id: string }[]): Promise<void> {
  let bulkId: string | null = null
  try {
    const actor = await addActor(store)
    const request = listOf(payments)
    const bulk = await createBulk(ledger, actor, request)
    await prepareBulk(ledger, bulk, { request, proofs: {} })
    const view = await viewBulk(db, await findBulk(db, ledger, bulk.id))
    bulkId = bulk.id
    await startBulk(ledger, actor, { bulkId, given: confirm(view) })
    say({ kind: 'started', bulkId, count: view.count })
  } catch (error) {
    say({ kind: 'not-started', bulkId, code: codeOf(error) })
  }
}

async function end(): Promise<void> {
  over.abort()
  setTimeout(() => process.exit(0), grace).unref()
  await Promise.all([ledger.memory.drain(), worker.stop()])
  await watching
  await store.close()
  process.exit(0)
}

async function settle(limit: number): Promise<void> {
  for (const begun = Date.now(); Date.now() - begun < limit && (await countOpen(ledger)) > 0; ) await wait(lookEvery)
  const rows = await db.select().from(cancellations).orderBy(asc(cancellations.createdAt))
  say({
    kind: 'settled',
    chain: (await verifyChain(db)).holds,
    rows: rows.map((row) => {
      const { id, clientKey: key, paymentId, bulkId, reason, userEmail, state, outcomeReason, attempts } = row
      const facts = { id, key, paymentId, bulkId, reason, userEmail, state, outcomeReason, attempts }
      return { ...facts, closedAt: row.closedAt?.toISOString() ?? null, createdAt: row.createdAt.toISOString() }
    }),
  })
  await end()
}

function obey(order: NemesisOrder): void {
  if (order.kind === 'cancel') void cancel(order.actor, order.instruction)
  else if (order.kind === 'bulk') void cancelMany(order.payments)
  else if (order.kind === 'halt') halt = order.halt
  else if (order.kind === 'jump') jumped = order.milliseconds
  else void settle(order.limit)
}

lines.on('line', (line) => obey(JSON.parse(line)))
const watching = watch()
// Whoever began it is gone.
lines.on('close', () => void end())
say({ kind: 'ready', pid: process.pid })
