import { setTimeout as wait } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import type { CancellationView } from '@/lib/contract/cancellation'
import type { Payment } from '@/lib/contract/payments'
import { Failure } from '../failure'
import { cancellations } from '../store/schema'
import { isFormal } from './classify-outcome'
import { explainRefusal } from './explain-refusal'
import { closeByGuard, judgeGuard } from './guard'
import type { Actor, CancellationRow, Ledger } from './ledger'
import { readPayment } from './read-payment'
import { sendCancellation } from './send-cancellation'
import { viewCancellation } from './views'
import { type Instruction, writeIntent } from './write-intent'

/** `replayed` when the key had been submitted before: then nothing was done now. */
export type Answer = { cancellation: CancellationView; replayed: boolean }

async function reread({ db }: Ledger, row: CancellationRow): Promise<CancellationRow> {
  const [found] = await db.select().from(cancellations).where(eq(cancellations.id, row.id))
  return found ?? row
}

/** What a submission is told that came before: the same refusal, or how things stand by now. */
function answerAgain(ledger: Ledger, row: CancellationRow): Answer {
  const isElsewhere =
    row.leaseHolder !== ledger.memory.holder && row.leaseUntil !== null && row.leaseUntil > ledger.clock.store.now()
  if (row.state === 'intended' && isElsewhere) throw new Failure('in-flight', { retryAfter: 1 })
  const refusal = explainRefusal(row)
  if (refusal) throw refusal
  return { cancellation: viewCancellation(row), replayed: true }
}

const settleSteps = 30

/** A refusal for the request's form is confirmed by reads within seconds, so that the dialog can still show it. */
async function awaitConfirmation(ledger: Ledger, row: CancellationRow): Promise<CancellationRow> {
  if (row.state !== 'declined' || !isFormal(row.evidence.reply)) return row
  let current = row
  for (let step = 0; step < settleSteps && current.closedAt === null; step += 1) {
    await wait(ledger.rules.readEvery / 10)
    current = await reread(ledger, row).catch(() => current)
  }
  return current
}

/**
 * Step 3 of a cancellation (docs/architecture.md): lets pass, or closes the intent and throws what the dialog must be
 * told.
 */
async function passGuard(ledger: Ledger, row: CancellationRow): Promise<Payment | null> {
  const verdict = judgeGuard(row, await readPayment(ledger, row.paymentId), ledger.rules)
  if (verdict.kind === 'pass') return verdict.payment
  const closed = (await closeByGuard(ledger, row, verdict)) ?? (await reread(ledger, row))
  throw (
    explainRefusal(closed, verdict.kind === 'unreadable' ? undefined : verdict.payment) ??
    new Failure('in-flight', { retryAfter: 1 })
  )
}

async function carryOut(ledger: Ledger, actor: Actor, instruction: Instruction): Promise<Answer> {
  await ledger.step('before-intent')
  const { kind, row } = await writeIntent(ledger, actor, instruction)
  if (kind === 'known') return answerAgain(ledger, row)
  await ledger.step('after-intent')
  try {
    const payment = await passGuard(ledger, row)
    const sent = (await sendCancellation(ledger, row, payment)) ?? (await reread(ledger, row))
    return { cancellation: viewCancellation(await awaitConfirmation(ledger, sent)), replayed: false }
  } catch (error) {
    if (error instanceof Failure) throw error
    // The store failed after the intent was committed and before anything was sent: the worker takes it up.
    ledger.report('cancellation-interrupted', { cancellationId: row.id, error })
    return { cancellation: viewCancellation(row), replayed: false }
  }
}

/**
 * Asks for a payment to be cancelled (steps 2 to 5): writes the intent, compares what the user saw with a
 * fresh read, sends one request. The same key again does nothing and is answered from what is known. Nothing
 * that the browser does meanwhile stops it.
 *
 * Throws Failure 'store-unavailable' (nothing was sent), 'step-up' (neither), 'key-reused', 'conflict', 'in-flight',
 * 'changed-since-seen', 'not-cancellable' or 'confirmation-needed' (see CancellationConflict). Everything
 * that happens once it was sent, refusals too, is told by the view.
 */
export async function requestCancellation(ledger: Ledger, actor: Actor, instruction: Instruction): Promise<Answer> {
  const key = instruction.key.toLowerCase()
  return ledger.memory.submit(key, () => carryOut(ledger, actor, { ...instruction, key }))
}
