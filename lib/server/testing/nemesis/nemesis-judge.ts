import type { NemesisRow, NemesisWord } from './nemesis-desk'
import type { PaymentLedgerService } from '../payment-ledger-service'

/** A word, when it was heard, and how often its key had been submitted by then. */
export type HeardWord = { word: NemesisWord; at: number; submissions: number }

/** What somebody has asked for, by its key. */
export type Asked = { paymentId: string; reason: string; email: string }

type Facts = {
  heard: readonly HeardWord[]
  asked: ReadonlyMap<string, Asked>
  rows: readonly NemesisRow[]
  service: PaymentLedgerService
  /** No person is asked earlier, in milliseconds. */
  reviewAfterMs: number
}

const terminal = ['cancelled', 'not-cancelled', 'needs-person']

/** Every answer and every view against what is kept in the end. */
function* judgeWords({ heard, rows }: Facts): Generator<string> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const byKey = new Map(rows.map((row) => [row.key, row]))
  for (const { word, at, submissions } of heard) {
    if (word.kind === 'told') {
      const row = byId.get(word.id)
      if (!row) yield `I1: ${word.outcome} was told of a cancellation that is lost`
      else if (terminal.includes(word.outcome) && row.state !== word.outcome)
        yield `I8: ${word.outcome} was told of what is ${row.state} in the end`
      if (row && row.paymentId !== word.paymentId) yield 'told of another payment than that of the cancellation'
      if (word.key !== undefined && row?.key !== word.key) yield 'told of another cancellation than was asked for'
    }
    // By a key that was submitted twice at once the other one may have been written.
    const isDenied = word.kind === 'refused' && word.code === 'store-unavailable' && submissions === 1
    const denied = isDenied ? byKey.get(word.key) : undefined
    if (denied && Date.parse(denied.createdAt) < at) yield 'told that nothing was sent of what is kept'
    if (word.kind === 'started' && rows.filter(({ bulkId }) => bulkId === word.bulkId).length < word.count)
      yield 'rows of a bulk that was started are lost'
    if (word.kind === 'not-started' && word.code === 'store-unavailable' && word.bulkId !== null)
      if (rows.some(({ bulkId }) => bulkId === word.bulkId)) yield 'told that a bulk was not started that was'
  }
}

/** What the service was asked, and whether just that was kept before. */
function* judgeDeletes({ rows, service }: Facts): Generator<string> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const { paymentId, idempotencyKey, text, at } of service.deletes) {
    const row = byId.get(idempotencyKey ?? '')
    if (!row || Date.parse(row.createdAt) > at) yield 'I5: a request without an earlier intent'
    else if (row.paymentId !== paymentId) yield `I6: ${paymentId} was sent for ${row.paymentId}`
    else if (row.reason !== text) yield 'I6: another reason arrived'
  }
}

/** Each cancellation in the end. */
function* judgeRows({ rows, asked, reviewAfterMs, service: { deletes, payments } }: Facts): Generator<string> {
  const done = new Set(deletes.flatMap(({ effective, idempotencyKey }) => (effective ? [idempotencyKey] : [])))
  const keys = new Set(rows.map(({ key }) => key))
  if (keys.size < rows.length) yield 'I2: one key has two cancellations'
  for (const row of rows) {
    const status = payments.get(row.paymentId)?.status
    if (row.closedAt === null) yield `I1: ${row.state} is open for long after the faults have stopped`
    if (row.state === 'cancelled' && status !== 'Cancelled') yield `I3: cancelled here, ${status} at the service`
    if (row.state === 'not-cancelled' && done.has(row.id)) yield 'I4: not cancelled here, done by it at the service'
    // Whatever could not be known by then is left to people; on a slow machine too.
    const age = Date.parse(row.closedAt ?? '') - Date.parse(row.createdAt)
    if (row.state === 'needs-person' && row.outcomeReason !== 'absent' && age < reviewAfterMs)
      yield `a person was asked after ${age} ms: ${row.outcomeReason}`
    if (row.bulkId !== null) continue
    const { paymentId, reason, email } = asked.get(row.key) ?? {}
    if (paymentId !== row.paymentId || reason !== row.reason || email !== row.userEmail)
      yield 'I6: kept for another payment, reason or person'
  }
}

/** Each payment at the service. */
function* judgePayments({ rows, service: { deletes, payments } }: Facts): Generator<string> {
  const wanted = new Set(rows.map(({ paymentId }) => paymentId))
  for (const { id, status } of payments.values()) {
    if (status === 'Cancelled' && !wanted.has(id)) yield `${id} is cancelled, and nobody asked for it`
    const own = deletes.filter(({ paymentId }) => paymentId === id)
    const first = own.findIndex(({ effective }) => effective)
    if (own.filter(({ effective }) => effective).length > 1) yield 'I2: cancelled twice'
    if (first >= 0 && first < own.length - 1) yield 'I2: sent again after it had been done'
  }
}

/** Holds what people were told, and what is kept, against the service's own log: each violation in a sentence. */
export function judgeNemesis(facts: Facts): string[] {
  return [...judgeWords(facts), ...judgeDeletes(facts), ...judgeRows(facts), ...judgePayments(facts)]
}
