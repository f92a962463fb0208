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

/** Where a process stops itself: the `time`-th time it reaches a step. SIGSTOP lasts until SIGCONT. */
export type Halt = { step: Step; time: number; signal: 'SIGKILL' | 'SIGSTOP' }

/** The configuration of one desk process under the nemesis; its only argument, as JSON. */
export type NemesisLife = {
  /** Its own folder, or the address of a Postgres that it may share. */
  store: { folder: string } | { url: string }
  service: string
  rules: Partial<LedgerRules>
  /** Offset of the process's clocks from the store's, in milliseconds. */
  ahead?: number
  halt?: Halt
}

/**
 * A line on its standard input. `halt` replaces the previous halt, `jump` sets the host's clock, and `settle` makes it work
 * until nothing is open or the limit is reached, report all rows and exit.
 */
export type NemesisCommand =
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
  /** Times it was sent. */
  attempts: number
  createdAt: string
}

/** A line of its standard output: what users are told, and finally what is stored. */
export type NemesisMessage =
  | { kind: 'ready' | 'halting'; pid: number }
  /** With the `key` of a request; views have none. */
  | { kind: 'told'; id: string; paymentId: string; outcome: string; key?: string }
  | { kind: 'refused'; paymentId: string; code: string; key: string }
  | { kind: 'started'; bulkId: string; count: number }
  | { kind: 'not-started'; bulkId: string | null; code: string }
  | { kind: 'settled'; rows: NemesisRow[]; chain: boolean }

const POLL_INTERVAL_MS = 50
/** For finishing its work after its parent process is gone. */
const EXIT_TIMEOUT_MS = 5_000
/** Short, so that a broken connection costs seconds; in the same order as the defaults. */
const timeouts: Partial<PostgresTimeouts> = {
  connect: 4_000,
  lock: 4_000,
  statement: 5_000,
  answer: 6_000,
  idleInTransaction: 2_000,
}

function send(message: NemesisMessage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

/** A desk that fails to start exits, like the product; the lane starts it anew. */
function exitOnError(error: unknown): never {
  process.stderr.write(`a desk could not begin: ${String(error)}\n`)
  process.exit(1)
}

const life: NemesisLife = JSON.parse(process.argv[2] ?? '{}')
const store = await openDatabase({ ...life.store, migrationsFolder: storeMigrations, timeouts }).catch(exitOnError)
const { db } = store
await db
  .insert(connections)
  .values({ connectionId: defaultConnectionId, name: 'Test' })
  .onConflictDoNothing()
  .catch(exitOnError)
let { halt = null }: { halt?: Halt | null } = life
let jumped = 0

/** Shifts the process's own clocks; the store's stays. */
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
  if (signal === 'SIGSTOP') send({ kind: 'halting', pid: process.pid })
  process.kill(process.pid, signal)
  // A step of a dying process must never return.
  if (signal === 'SIGKILL') await new Promise(() => undefined)
}

const ledger = makeTestLedger(store, life.service, {
  rules: life.rules,
  parts: { step, clock: makeClock(), ...('url' in life.store && { keepPresence: () => keepPresence(store) }) },
})
const worker = await runWorkers(ledger).catch(exitOnError)
const lines = createInterface({ input: process.stdin })
const ending = new AbortController()

/** Reports what every page would show, whenever it changes. */
async function watch(): Promise<void> {
  const known = new Map<string, string>()
  // Older closed ones are reported only in the end.
  const isRecent = or(isNull(cancellations.closedAt), sql`${cancellations.closedAt} > now() - interval '20 seconds'`)
  while (!ending.signal.aborted) {
    const rows = await db
      .select()
      .from(cancellations)
      .where(isRecent)
      .catch(() => [])
    for (const view of rows.map(toCancellationView)) {
      if (known.get(view.id) === view.outcome) continue
      known.set(view.id, view.outcome)
      send({ kind: 'told', id: view.id, paymentId: view.paymentId, outcome: view.outcome })
    }
    await wait(POLL_INTERVAL_MS)
  }
}

const getCode = (error: unknown) => (error instanceof AppError ? error.code : String(error))

async function cancel(actor: Actor, instruction: Instruction): Promise<void> {
  const { key, paymentId } = instruction
  try {
    const { cancellation } = await requestCancellation(ledger, actor, instruction)
    send({ kind: 'told', id: cancellation.id, paymentId: cancellation.paymentId, outcome: cancellation.outcome, key })
  } catch (error) {
    send({ kind: 'refused', paymentId, code: getCode(error), key })
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
    send({ kind: 'started', bulkId, count: view.count })
  } catch (error) {
    send({ kind: 'not-started', bulkId, code: getCode(error) })
  }
}

async function end(): Promise<void> {
  ending.abort()
  setTimeout(() => process.exit(0), EXIT_TIMEOUT_MS).unref()
  await Promise.all([ledger.memory.drain(), worker.stop()])
  await watching
  await store.close()
  process.exit(0)
}

async function settle(limit: number): Promise<void> {
  for (const begun = Date.now(); Date.now() - begun < limit && (await countOpen(ledger)) > 0; )
    await wait(POLL_INTERVAL_MS)
  const rows = await db.select().from(cancellations).orderBy(asc(cancellations.createdAt))
  send({
    kind: 'settled',
    chain: (await verifyChain(db)).holds,
    rows: rows.map((row) => {
      const { id, clientKey: key, paymentId, bulkId, reason, userEmail, state, outcomeReason, attempts } = row
      const fields = { id, key, paymentId, bulkId, reason, userEmail, state, outcomeReason, attempts }
      return { ...fields, closedAt: row.closedAt?.toISOString() ?? null, createdAt: row.createdAt.toISOString() }
    }),
  })
  await end()
}

function execute(command: NemesisCommand): void {
  if (command.kind === 'cancel') void cancel(command.actor, command.instruction)
  else if (command.kind === 'bulk') void cancelMany(command.payments)
  else if (command.kind === 'halt') halt = command.halt
  else if (command.kind === 'jump') jumped = command.milliseconds
  else void settle(command.limit)
}

lines.on('line', (line) => execute(JSON.parse(line)))
const watching = watch()
// The parent process is gone.
lines.on('close', () => void end())
send({ kind: 'ready', pid: process.pid })
