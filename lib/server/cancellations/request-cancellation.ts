import { setTimeout as wait } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import type { Payment } from '@/lib/api-contract/payments'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { describeState } from '@/lib/domain/states'
import { AppError } from '../runtime/app-error'
import { cancellations } from '../store/schema'
import { orStoreUnavailable } from '../store/store'
import { changeState } from './change-state'
import { closeByGuard, evaluateGuard, toSeenPayment } from './guard'
import { findByKey, type Instruction, readApprovalRule, writeIntent } from './intents'
import { type Actor, type CancellationRow, elapsed, type Ledger } from './ledger'
import { toCancellationView } from './queries'
import { MAX_HELD_PAUSE_MS, measureHold } from './payment-pages'
import { readPayment } from './read-payment'
import { sendCancellation } from './send'
import { isFormError, measureRemaining } from './send-outcome'
import * as m from '@/lib/messages/m'

const STATE_SENTENCES = {
  'already-cancelled': m.refusals_itIsAlreadyCancelled,
  'too-late': m.refusals_itIsTooLate,
} as const

const describeHold = (hold: number) => m.refusals_askedToWait({ minutes: Math.ceil(hold / 60_000) })

function explainState(row: CancellationRow): string {
  if (row.outcomeReason === 'already-cancelled' || row.outcomeReason === 'too-late')
    return STATE_SENTENCES[row.outcomeReason]()
  return row.detail ? m.refusals_itsStateIs({ state: describeState(row.detail) }) : m.refusals_itsStateIsNotKnown()
}

/**
 * The error for a cancellation that the guard closed before anything was sent, with the fresh reading, if any; `hold`: see
 * measureHold.
 */
export function explainRefusal(row: CancellationRow, payment?: Payment, hold = 0): AppError | null {
  const isGuarded =
    row.closedAt !== null &&
    row.sentAt === null &&
    row.attempts === 0 &&
    row.outcomeReason !== 'not-sent' &&
    row.outcomeReason !== 'asked-to-wait'
  if (!isGuarded) return null
  const extensions = { cancellation: toCancellationView(row), ...(payment && { payment }) }
  const { difference } = row.evidence
  if (difference) {
    const detail =
      row.outcomeReason === 'changed'
        ? m.refusals_nothingWasSentBecause({ why: m.refusals_lookAtItAgain() })
        : m.refusals_nothingWasSentBecause({ why: explainState(row) })
    return new AppError('changed-since-seen', { detail, extensions: { ...extensions, difference } })
  }
  if (row.outcomeReason === 'unreadable' || row.outcomeReason === 'absent') {
    const isAbsent = row.outcomeReason === 'absent'
    const why = hold > 0 ? describeHold(hold) : isAbsent ? m.refusals_theProviderDoesNotListIt() : null
    const detail = why ? m.refusals_nothingWasSentBecause({ why }) : m.refusals_nothingWasSent()
    return new AppError('confirmation-needed', { detail, extensions })
  }
  return new AppError('not-cancellable', {
    detail: m.refusals_nothingWasSentBecause({ why: explainState(row) }),
    extensions,
  })
}

/**
 * `replayed`: the key had been submitted before, and nothing was done now. `retryAfter`: seconds for which it waits as the
 * upstream API asked; 0 if it does not.
 */
export type CancellationReply = { cancellation: CancellationView; replayed: boolean; retryAfter: number }

function toReply(ledger: Ledger, row: CancellationRow, replayed: boolean): CancellationReply {
  const untilDue = row.dueAt ? elapsed(ledger.clock.store.now(), row.dueAt) : 0
  const wait = row.state === 'waiting' ? Math.max(untilDue, measureHold(ledger), 0) : 0
  return { cancellation: toCancellationView(row), replayed, retryAfter: Math.ceil(wait / 1_000) }
}

async function reloadRow({ db }: Ledger, row: CancellationRow): Promise<CancellationRow> {
  const [found] = await db.select().from(cancellations).where(eq(cancellations.id, row.id))
  return found ?? row
}

/** Answers a repeated submission: with the same refusal, or the current state. */
function replayReply(ledger: Ledger, row: CancellationRow): CancellationReply {
  const isElsewhere =
    row.leaseHolder !== ledger.memory.holder && row.leaseUntil !== null && row.leaseUntil > ledger.clock.store.now()
  if (row.state === 'intended' && isElsewhere) throw new AppError('in-flight', { retryAfter: 1 })
  const refusal = explainRefusal(row)
  if (refusal) throw refusal
  return toReply(ledger, row, true)
}

const CONFIRMATION_STEPS = 30

/** Polling confirms a refusal of the request's form within seconds, soon enough for the dialog to show it. */
async function awaitConfirmation(ledger: Ledger, row: CancellationRow): Promise<CancellationRow> {
  if (row.state !== 'declined' || !isFormError(row.evidence.reply)) return row
  let current = row
  for (let step = 0; step < CONFIRMATION_STEPS && current.closedAt === null; step += 1) {
    await wait(ledger.rules.pollIntervalMs / 10)
    current = await reloadRow(ledger, row).catch(() => current)
  }
  return current
}

/** A script can wait, a person does not (UP-07). */
const toPace = ({ apiToken }: Actor) => ({ isWaitedFor: apiToken === undefined })

/** The error for a user for whom nothing is read before the time that a 429 named; `hold` in ms. */
export function explainHold(hold: number): AppError {
  const retryAfter = Math.ceil(hold / 1_000)
  return new AppError('upstream-slow-down', {
    detail: describeHold(hold),
    retryAfter,
  })
}

/** As after a 429 to the request itself: waits as the same intent, or is not cancelled where that would take too long. */
async function waitAsAsked(ledger: Ledger, row: CancellationRow, hold: number): Promise<CancellationRow | null> {
  if (hold + ledger.rules.pollIntervalMs > measureRemaining(ledger, row))
    return changeState(ledger, row, 'not-cancelled', { outcomeReason: 'asked-to-wait' })
  const dueAt = ledger.clock.store.sql(Math.min(hold, MAX_HELD_PAUSE_MS))
  return changeState(ledger, row, 'waiting', { outcomeReason: 'slow-down', dueAt })
}

/**
 * Steps 3 to 5 of a cancellation (docs/architecture.md); the new row, or null if another process was faster. If the guard
 * rejects, closes the intent and throws for the dialog.
 */
async function guardAndSend(ledger: Ledger, actor: Actor, row: CancellationRow): Promise<CancellationRow | null> {
  const verdict = evaluateGuard(row, await readPayment(ledger, row.paymentId, toPace(actor)), ledger.rules)
  if (verdict.kind === 'pass') return sendCancellation(ledger, row, verdict.payment)
  const hold = verdict.kind === 'unreadable' ? measureHold(ledger, verdict.why) : 0
  // A person may confirm instead that it is sent unread; one who has done so waits for what may only be sent once read.
  if (hold > 0 && (actor.apiToken !== undefined || row.unread)) return waitAsAsked(ledger, row, hold)
  const closed = (await closeByGuard(ledger, row, verdict)) ?? (await reloadRow(ledger, row))
  throw (
    explainRefusal(closed, verdict.kind === 'unreadable' ? undefined : verdict.payment, hold) ??
    new AppError('in-flight', { retryAfter: 1 })
  )
}

/**
 * For a caller who has not seen the payment: what it is now counts as seen, where its amount decides whether one person
 * may cancel it.
 */
async function withSeen(ledger: Ledger, actor: Actor, instruction: Instruction): Promise<Instruction> {
  if (instruction.seen) return instruction
  // A repeat does nothing, so it needs no reading.
  if (await orStoreUnavailable(() => findByKey(ledger, instruction.key))) return instruction
  const rule = await orStoreUnavailable(() => readApprovalRule(ledger.db, ledger))
  if (!rule || rule.limits.length + (rule.supportLimits ?? []).length === 0) return instruction
  const reading = await readPayment(ledger, instruction.paymentId, toPace(actor))
  const hold = reading.kind === 'unreadable' ? measureHold(ledger, reading.why) : 0
  if (hold > 0) throw explainHold(hold)
  return reading.kind === 'found' ? { ...instruction, seen: toSeenPayment(reading.payment) } : instruction
}

async function execute(ledger: Ledger, actor: Actor, instruction: Instruction): Promise<CancellationReply> {
  await ledger.step('before-intent')
  const { kind, row } = await writeIntent(ledger, actor, await withSeen(ledger, actor, instruction))
  if (kind === 'known') return replayReply(ledger, row)
  await ledger.step('after-intent')
  try {
    const sent = (await guardAndSend(ledger, actor, row)) ?? (await reloadRow(ledger, row))
    return toReply(ledger, await awaitConfirmation(ledger, sent), false)
  } catch (error) {
    if (error instanceof AppError && error.code !== 'internal') throw error
    // The store failed between commit and send, or we did: the worker will resume the intent.
    ledger.report('cancellation-interrupted', { cancellationId: row.id, error })
    return toReply(ledger, row, false)
  }
}

/**
 * Cancels a payment (steps 2 to 5): writes the intent, compares what the user saw with a fresh reading, sends one
 * request. Repeating a key does nothing and returns the current state. Continues if the browser disconnects.
 *
 * Throws AppError 'store-unavailable', 'step-up', 'approval-needed', 'upstream-slow-down' (nothing was sent in these cases), 'key-reused', 'conflict',
 * 'in-flight', 'changed-since-seen', 'not-cancellable' or 'confirmation-needed' (see CancellationConflict). Everything
 * after sending, including refusals, is in the view.
 */
export async function requestCancellation(
  ledger: Ledger,
  actor: Actor,
  instruction: Instruction,
): Promise<CancellationReply> {
  const key = instruction.key.toLowerCase()
  return ledger.memory.submit(key, () => execute(ledger, actor, { ...instruction, key }))
}

/** 202 with the view; `Idempotency-Replayed` marks a repeated key, `Retry-After` one that waits as the upstream API asked. */
export function toCancellationResponse({ cancellation, replayed, retryAfter }: CancellationReply): Response {
  const headers = new Headers()
  if (replayed) headers.set('idempotency-replayed', 'true')
  if (retryAfter > 0) headers.set('retry-after', String(retryAfter))
  return Response.json(cancellation, { status: 202, headers })
}
