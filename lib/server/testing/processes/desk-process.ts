import { createInterface } from 'node:readline'
import { openDatabase } from '@/lib/database/open-database'
import type { Actor, LedgerRules, Step } from '../../cancellations/ledger'
import { requestCancellation } from '../../cancellations/request-cancellation'
import { runWorker } from '../../cancellations/worker'
import type { Instruction } from '../../cancellations/intents'
import { AppError } from '../../runtime/app-error'
import { storeMigrations } from '../../store/store'
import { makeTestLedger } from '../test-ledger'

/** What a desk's process is started with, as JSON; its only argument. */
export type DeskLife = { store: string; service: string; rules: Partial<LedgerRules> }

/** One line to its standard input: a cancellation, and whether it stops itself (SIGSTOP) at a step. */
export type DeskOrder = { actor: Actor; instruction: Instruction; stopAt?: Step }

/** One line from its standard output: that it is ready, or what the person was told. */
export type DeskWord =
  | { kind: 'ready' }
  | { kind: 'answer'; id: string; outcome: string }
  | { kind: 'refused'; code: string; requestedBy: string | null }

/*
 * The ledger and its worker as a process of its own on a Postgres that it shares with others. For tests.
 */

function say(word: DeskWord): void {
  process.stdout.write(`${JSON.stringify(word)}\n`)
}

/** Who was quicker, as a refusal names them. */
function readWinner({ evidence }: AppError): string | null {
  const open = evidence.extensions?.cancellation
  return typeof open === 'object' && open !== null && 'requestedBy' in open ? String(open.requestedBy) : null
}

const { store: url, service, rules }: DeskLife = JSON.parse(process.argv[2] ?? '{}')
const store = await openDatabase({ url, migrationsFolder: storeMigrations })
const ledger = makeTestLedger(store, service, { rules, parts: { isAlone: false } })
const worker = await runWorker(ledger)

async function obey({ actor, instruction, stopAt }: DeskOrder): Promise<void> {
  const step = async (name: Step) => {
    if (name === stopAt) process.kill(process.pid, 'SIGSTOP')
  }
  try {
    const { cancellation } = await requestCancellation({ ...ledger, step }, actor, instruction)
    say({ kind: 'answer', id: cancellation.id, outcome: cancellation.outcome })
  } catch (error) {
    if (error instanceof AppError) say({ kind: 'refused', code: error.code, requestedBy: readWinner(error) })
    else say({ kind: 'refused', code: String(error), requestedBy: null })
  }
}

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => void obey(JSON.parse(line)))
lines.on('close', () => void worker.stop().then(() => store.close()))
say({ kind: 'ready' })
