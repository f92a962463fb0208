import type { NemesisRow, NemesisMessage } from './nemesis-desk'
import type { PaymentLedgerService } from '../payment-ledger-service'

/** A message with the time it was received and the number of submissions of its key by then. */
export type ReceivedMessage = { word: NemesisMessage; at: number; submissions: number }

/** A request, by its key. */
export type RequestedCancellation = { paymentId: string; reason: string; email: string }

type Observations = {
  heard: readonly ReceivedMessage[]
  asked: ReadonlyMap<string, RequestedCancellation>
  rows: readonly NemesisRow[]
  service: PaymentLedgerService
  /** The earliest age at which a cancellation may be left to a person, in milliseconds. */
  reviewAfterMs: number
}

const finalStates = ['cancelled', 'not-cancelled', 'needs-person']

/** Compares every reply and view with the final rows. */
function* checkMessages({ heard, rows }: Observations): Generator<string> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const byKey = new Map(rows.map((row) => [row.key, row]))
  for (const { word, at, submissions } of heard) {
    if (word.kind === 'told') {
      const row = byId.get(word.id)
      if (!row) yield `I1: ${word.outcome} was told of a cancellation that is lost`
      else if (finalStates.includes(word.outcome) && row.state !== word.outcome)
        yield `I8: ${word.outcome} was told of what is ${row.state} in the end`
      if (row && row.paymentId !== word.paymentId) yield 'told of another payment than that of the cancellation'
      if (word.key !== undefined && row?.key !== word.key) yield 'told of another cancellation than was asked for'
    }
    // With a key submitted twice, the other request may have been stored.
    const isDenied = word.kind === 'refused' && word.code === 'store-unavailable' && submissions === 1
    const denied = isDenied ? byKey.get(word.key) : undefined
    if (denied && Date.parse(denied.createdAt) < at) yield 'told that nothing was sent of what is kept'
    if (word.kind === 'started' && rows.filter(({ bulkId }) => bulkId === word.bulkId).length < word.count)
      yield 'rows of a bulk that was started are lost'
    if (word.kind === 'not-started' && word.code === 'store-unavailable' && word.bulkId !== null)
      if (rows.some(({ bulkId }) => bulkId === word.bulkId)) yield 'told that a bulk was not started that was'
  }
}

/** Checks that every request to the service had a matching row before. */
function* checkDeletes({ rows, service }: Observations): Generator<string> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const { paymentId, idempotencyKey, text, at } of service.deletes) {
    const row = byId.get(idempotencyKey ?? '')
    if (!row || Date.parse(row.createdAt) > at) yield 'I5: a request without an earlier intent'
    else if (row.paymentId !== paymentId) yield `I6: ${paymentId} was sent for ${row.paymentId}`
    else if (row.reason !== text) yield 'I6: another reason arrived'
  }
}

/** Checks the final state of each cancellation. */
function* checkRows({ rows, asked, reviewAfterMs, service: { deletes, payments } }: Observations): Generator<string> {
  const done = new Set(deletes.flatMap(({ effective, idempotencyKey }) => (effective ? [idempotencyKey] : [])))
  const keys = new Set(rows.map(({ key }) => key))
  if (keys.size < rows.length) yield 'I2: one key has two cancellations'
  for (const row of rows) {
    const status = payments.get(row.paymentId)?.status
    if (row.closedAt === null) yield `I1: ${row.state} is open for long after the faults have stopped`
    if (row.state === 'cancelled' && status !== 'Cancelled') yield `I3: cancelled here, ${status} at the service`
    if (row.state === 'not-cancelled' && done.has(row.id)) yield 'I4: not cancelled here, done by it at the service'
    // Whatever remains unknown by then is left to people, on a slow machine too.
    const age = Date.parse(row.closedAt ?? '') - Date.parse(row.createdAt)
    if (row.state === 'needs-person' && row.outcomeReason !== 'absent' && age < reviewAfterMs)
      yield `a person was asked after ${age} ms: ${row.outcomeReason}`
    if (row.bulkId !== null) continue
    const { paymentId, reason, email } = asked.get(row.key) ?? {}
    if (paymentId !== row.paymentId || reason !== row.reason || email !== row.userEmail)
      yield 'I6: kept for another payment, reason or person'
  }
}

/** Checks each payment at the service. */
function* checkPayments({ rows, service: { deletes, payments } }: Observations): Generator<string> {
  const wanted = new Set(rows.map(({ paymentId }) => paymentId))
  for (const { id, status } of payments.values()) {
    if (status === 'Cancelled' && !wanted.has(id)) yield `${id} is cancelled, and nobody asked for it`
    const own = deletes.filter(({ paymentId }) => paymentId === id)
    const first = own.findIndex(({ effective }) => effective)
    if (own.filter(({ effective }) => effective).length > 1) yield 'I2: cancelled twice'
    if (first >= 0 && first < own.length - 1) yield 'I2: sent again after it had been done'
  }
}

/** Compares what users were told and what is stored with the service's own log; returns each violation as a sentence. */
export function findViolations(facts: Observations): string[] {
  return [...checkMessages(facts), ...checkDeletes(facts), ...checkRows(facts), ...checkPayments(facts)]
}
