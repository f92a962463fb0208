import { createInterface } from 'node:readline'
import { openDatabase } from '@/lib/database/open-database'
import type { Actor, LedgerRules, Step } from '../../cancellations/ledger'
import { requestCancellation } from '../../cancellations/request-cancellation'
import { runWorker } from '../../cancellations/worker'
import type { Instruction } from '../../cancellations/intents'
import { AppError } from '../../runtime/app-error'
import { storeMigrations } from '../../store/store'
import { makeTestLedger } from '../test-ledger'

/** The configuration of a desk process, as JSON; its only argument. */
export type DeskLife = { store: string; service: string; rules: Partial<LedgerRules> }

/** A line on its standard input: a cancellation, and a step at which it stops itself (SIGSTOP). */
export type DeskCommand = { actor: Actor; instruction: Instruction; stopAt?: Step }

/** A line of its standard output: that it is ready, or what the user is told. */
export type DeskMessage =
  | { kind: 'ready' }
  | { kind: 'answer'; id: string; outcome: string }
  | { kind: 'refused'; code: string; requestedBy: string | null }

/*
 * The ledger and its worker in a separate process, on a Postgres shared with others. For tests.
 */

function send(word: DeskMessage): void {
  process.stdout.write(`${JSON.stringify(word)}\n`)
}

/** The user who was first, as named by a refusal. */
function getWinner({ evidence }: AppError): string | null {
  const open = evidence.extensions?.cancellation
  return typeof open === 'object' && open !== null && 'requestedBy' in open ? String(open.requestedBy) : null
}

const { store: url, service, rules }: DeskLife = JSON.parse(process.argv[2] ?? '{}')
const store = await openDatabase({ url, migrationsFolder: storeMigrations })
const ledger = makeTestLedger(store, service, { rules, parts: { isAlone: false } })
const worker = await runWorker(ledger)

async function execute({ actor, instruction, stopAt }: DeskCommand): Promise<void> {
  const step = async (name: Step) => {
    if (name === stopAt) process.kill(process.pid, 'SIGSTOP')
  }
  try {
    const { cancellation } = await requestCancellation({ ...ledger, step }, actor, instruction)
    send({ kind: 'answer', id: cancellation.id, outcome: cancellation.outcome })
  } catch (error) {
    if (error instanceof AppError) send({ kind: 'refused', code: error.code, requestedBy: getWinner(error) })
    else send({ kind: 'refused', code: String(error), requestedBy: null })
  }
}

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => void execute(JSON.parse(line)))
lines.on('close', () => void worker.stop().then(() => store.close()))
send({ kind: 'ready' })
