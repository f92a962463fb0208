import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { asc } from 'drizzle-orm'
import { openDatabase } from '@/lib/database/open-database'
import { verifyChain } from '../../activity-log/hash-chain'
import type { Ledger, LedgerRules } from '../../cancellations/ledger'
import { requestCancellation } from '../../cancellations/request-cancellation'
import { runWorker } from '../../cancellations/worker'
import type { Instruction } from '../../cancellations/intents'
import { AppError } from '../../runtime/app-error'
import { cancellations, connections, defaultConnectionId } from '../../store/schema'
import { storeMigrations } from '../../store/store'
import { type Death, dieAt } from './die-at'
import { countOpen, makeActor, makeTestLedger } from '../test-ledger'

/** The configuration of a ledger process; its only argument, as JSON. */
export type LedgerLife = {
  /** The folder of the store. */
  folder: string
  /** The base address of the service. */
  url: string
  rules: Partial<LedgerRules>
  /** Where it kills itself during recovery. */
  die?: Death
}

/**
 * A line on its standard input, after it has reported its state: a request, after which it reports again, and where it
 * dies meanwhile.
 */
export type LedgerCommand = { request: Instruction; die?: Death }

/** Its messages on standard output, one line of JSON each. */
export type LedgerMessage =
  | {
      kind: 'settled'
      rows: {
        id: string
        key: string
        paymentId: string
        state: string
        reason: string | null
        attempts: number
        createdAt: string
      }[]
      chain: boolean
    }
  | { kind: 'answer'; outcome: string }
  | { kind: 'refused'; code: string }

function send(word: LedgerMessage): void {
  process.stdout.write(`${JSON.stringify(word)}\n`)
}

async function settleAll(ledger: Ledger): Promise<void> {
  while ((await countOpen(ledger)) > 0) await wait(20)
  const rows = await ledger.db.select().from(cancellations).orderBy(asc(cancellations.createdAt))
  const { holds } = await verifyChain(ledger.db)
  send({
    kind: 'settled',
    chain: holds,
    rows: rows.map(({ id, clientKey, paymentId, state, outcomeReason, attempts, createdAt }) => {
      return {
        id,
        key: clientKey,
        paymentId,
        state,
        reason: outcomeReason,
        attempts,
        createdAt: createdAt.toISOString(),
      }
    }),
  })
}

async function run({ folder, url, rules, die }: LedgerLife): Promise<void> {
  let step = dieAt(die)
  const store = await openDatabase({ folder, migrationsFolder: storeMigrations })
  await store.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test' }).onConflictDoNothing()
  const ledger = makeTestLedger(store, url, { rules, parts: { step: (name) => step(name) } })
  const worker = await runWorker(ledger)
  await settleAll(ledger)
  for await (const line of createInterface({ input: process.stdin })) {
    const order: LedgerCommand = JSON.parse(line)
    step = dieAt(order.die)
    await requestCancellation(
      ledger,
      { ...makeActor(), userId: '00000000-0000-4000-8000-000000000001' },
      order.request,
    ).then(
      ({ cancellation }) => send({ kind: 'answer', outcome: cancellation.outcome }),
      (error: unknown) => send({ kind: 'refused', code: error instanceof AppError ? error.code : String(error) }),
    )
    await settleAll(ledger)
  }
  await worker.stop()
  await store.close()
}

await run(JSON.parse(process.argv[2] ?? '{}'))
