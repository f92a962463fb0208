import { setTimeout as wait } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import type { Payment } from '@/lib/api-contract/payments'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { AppError } from '../runtime/app-error'
import { cancellations } from '../store/schema'
import { closeByGuard, evaluateGuard } from './guard'
import { type Instruction, writeIntent } from './intents'
import type { Actor, CancellationRow, Ledger } from './ledger'
import { toCancellationView } from './queries'
import { readPayment } from './read-payment'
import { sendCancellation } from './send'
import { isFormal } from './send-outcome'
import * as refusals from '@/lib/words/refusals'

const sentences = {
  'already-cancelled': 'It is already cancelled.',
  'too-late': 'It is too late to cancel it.',
} as const

function describeState(row: CancellationRow): string {
  if (row.outcomeReason === 'already-cancelled' || row.outcomeReason === 'too-late') return sentences[row.outcomeReason]
  return row.detail ? `Its state is ${row.detail}.` : 'Its state is not known.'
}

/**
 * What the caller is told of a cancellation that the guard closed before anything was sent; null for every
 * other. `payment` is the fresh read, where there was one just now.
 */
export function explainRefusal(row: CancellationRow, payment?: Payment): AppError | null {
  const isGuarded = row.closedAt !== null && row.attempts === 0 && row.outcomeReason !== 'not-sent'
  if (!isGuarded) return null
  const extensions = { cancellation: toCancellationView(row), ...(payment && { payment }) }
  const { difference } = row.evidence
  if (difference) {
    const detail =
      row.outcomeReason === 'changed'
        ? 'Nothing was sent. Look at it again.'
        : `Nothing was sent. ${describeState(row)}`
    return new AppError('changed-since-seen', { detail, extensions: { ...extensions, difference } })
  }
  if (row.outcomeReason === 'unreadable' || row.outcomeReason === 'absent') {
    return new AppError('confirmation-needed', { detail: refusals.nothingWasSent, extensions })
  }
  return new AppError('not-cancellable', { detail: refusals.nothingWasSentBecause(describeState(row)), extensions })
}

/** `replayed` when the key had been submitted before: then nothing was done now. */
export type CancellationReply = { cancellation: CancellationView; replayed: boolean }

async function reread({ db }: Ledger, row: CancellationRow): Promise<CancellationRow> {
  const [found] = await db.select().from(cancellations).where(eq(cancellations.id, row.id))
  return found ?? row
}

/** What a submission is told that came before: the same refusal, or how things stand by now. */
function answerAgain(ledger: Ledger, row: CancellationRow): CancellationReply {
  const isElsewhere =
    row.leaseHolder !== ledger.memory.holder && row.leaseUntil !== null && row.leaseUntil > ledger.clock.store.now()
  if (row.state === 'intended' && isElsewhere) throw new AppError('in-flight', { retryAfter: 1 })
  const refusal = explainRefusal(row)
  if (refusal) throw refusal
  return { cancellation: toCancellationView(row), replayed: true }
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
  const verdict = evaluateGuard(row, await readPayment(ledger, row.paymentId), ledger.rules)
  if (verdict.kind === 'pass') return verdict.payment
  const closed = (await closeByGuard(ledger, row, verdict)) ?? (await reread(ledger, row))
  throw (
    explainRefusal(closed, verdict.kind === 'unreadable' ? undefined : verdict.payment) ??
    new AppError('in-flight', { retryAfter: 1 })
  )
}

async function carryOut(ledger: Ledger, actor: Actor, instruction: Instruction): Promise<CancellationReply> {
  await ledger.step('before-intent')
  const { kind, row } = await writeIntent(ledger, actor, instruction)
  if (kind === 'known') return answerAgain(ledger, row)
  await ledger.step('after-intent')
  try {
    const payment = await passGuard(ledger, row)
    const sent = (await sendCancellation(ledger, row, payment)) ?? (await reread(ledger, row))
    return { cancellation: toCancellationView(await awaitConfirmation(ledger, sent)), replayed: false }
  } catch (error) {
    if (error instanceof AppError) throw error
    // The store failed after the intent was committed and before anything was sent: the worker takes it up.
    ledger.report('cancellation-interrupted', { cancellationId: row.id, error })
    return { cancellation: toCancellationView(row), replayed: false }
  }
}

/**
 * Asks for a payment to be cancelled (steps 2 to 5): writes the intent, compares what the user saw with a
 * fresh read, sends one request. The same key again does nothing and is answered from what is known. Nothing
 * that the browser does meanwhile stops it.
 *
 * Throws AppError 'store-unavailable' (nothing was sent), 'step-up' (neither), 'key-reused', 'conflict', 'in-flight',
 * 'changed-since-seen', 'not-cancellable' or 'confirmation-needed' (see CancellationConflict). Everything
 * that happens once it was sent, refusals too, is told by the view.
 */
export async function requestCancellation(
  ledger: Ledger,
  actor: Actor,
  instruction: Instruction,
): Promise<CancellationReply> {
  const key = instruction.key.toLowerCase()
  return ledger.memory.submit(key, () => carryOut(ledger, actor, { ...instruction, key }))
}

/** 202 with the view; a submission that had come before says so in `Idempotency-Replayed`. */
export function toCancellationResponse({ cancellation, replayed }: CancellationReply): Response {
  return Response.json(cancellation, { status: 202, ...(replayed && { headers: { 'idempotency-replayed': 'true' } }) })
}
