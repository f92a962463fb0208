import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Payment, payment as paymentSchema } from '@/lib/api-contract/payments'
import { parseSettings } from '../runtime/settings'
import { type Decision, decideByReading } from './reconcile'
import { type CancellationRow, makeLedgerRules } from './ledger'
import { makeConnection } from '../upstream/connection'
import type { Reading } from './payment-pages'
import { canTransition, pollingStates, states } from './states'

const settings = parseSettings({})
const rules = makeLedgerRules(makeConnection(settings).rules, settings)
const begin = new Date('2026-11-20T12:00:00Z')

function makePayment(status: string, amount = 100): Payment {
  return paymentSchema.parse({ id: 'p', amount, currency: 'DKK', status, paymentDate: '2026-12-01T00:00:00Z' })
}

function makeRow(changes: Partial<CancellationRow>): CancellationRow {
  return {
    id: 'i',
    connectionId: 'default',
    paymentId: 'p',
    clientKey: 'k',
    bulkId: null,
    undecidedSince: null,
    checked: null,
    handled: null,
    userId: 'u',
    userEmail: 'ann@debitdesk.example',
    reason: 'Ordered twice',
    unread: false,
    seen: { amount: 100, currency: 'DKK', status: 'Pending', modifiedAt: null },
    state: 'accepted',
    stateSince: begin,
    outcomeReason: null,
    detail: null,
    evidence: { guard: 'read' },
    attempts: 1,
    lastRead: null,
    agreeingReads: 0,
    lastFoundAt: begin,
    createdAt: begin,
    sentAt: begin,
    dueAt: null,
    closedAt: null,
    leaseHolder: null,
    leaseUntil: null,
    ...changes,
  }
}

type Read = { reading: Reading; seconds: number }

/** Applies readings one after the other, as the ledger does, until a decision; returns how many it took. */
function follow(row: CancellationRow, reads: readonly Read[]): { decision: Decision; count: number } {
  let current = row
  let last: Decision = { kind: 'read-again', lastRead: '', agreeingReads: 0, delay: 0 }
  for (const [index, { reading, seconds }] of reads.entries()) {
    const now = new Date(begin.getTime() + seconds * 1_000)
    const decision = decideByReading(current, reading, rules, now)
    if (decision.kind !== 'read-again') return { decision, count: index + 1 }
    const { lastRead, agreeingReads } = decision
    last = decision
    current = { ...current, lastRead, agreeingReads, ...(reading.kind === 'found' && { lastFoundAt: now }) }
  }
  return { decision: last, count: reads.length }
}

const arbitraryReading: fc.Arbitrary<Reading> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('Pending', 'pending', 'Scheduled', 'Settled', 'Rejected', 'Cancelled', 'Zork', ''),
      fc.constantFrom(100, 200),
    )
    .map(([status, amount]) => ({ kind: 'found' as const, payment: makePayment(status, amount) })),
  fc.constant({ kind: 'absent' as const }),
  fc.constant({ kind: 'unreadable' as const, why: 'status-503' }),
)
const arbitraryReads = fc
  .array(fc.tuple(arbitraryReading, fc.integer({ min: 1, max: 200 })), { minLength: 1, maxLength: 30 })
  .map((entries) => {
    let seconds = 0
    return entries.map(([reading, step]): Read => ({ reading, seconds: (seconds += step) }))
  })
const arbitraryRow = fc
  .record({
    state: fc.constantFrom(...pollingStates),
    attempts: fc.constantFrom(1, 2),
    evidence: fc.constantFrom({ reply: { status: 409 } }, { reply: { status: 415 } }, {}),
    // Who skips the guard may have seen any state, or none.
    seen: fc.constantFrom(
      { amount: 100, currency: 'DKK', status: 'Pending', modifiedAt: null },
      { amount: 100, currency: 'DKK', status: 'Zork', modifiedAt: null },
      null,
    ),
  })
  .map(makeRow)

const stateOf = ({ reading }: Read) =>
  reading.kind === 'found' ? (reading.payment.status ?? '').toLowerCase() : reading.kind

/** What is wrong with an outcome, judged by the readings alone; null if nothing is. */
function findFault(row: CancellationRow, reads: readonly Read[], count: number, decision: Decision): string | null {
  const [last, before] = [reads[count - 1], reads[count - 2]].map((read) => read && stateOf(read))
  if (reads.slice(0, count - 1).some((read) => stateOf(read) === 'cancelled'))
    return 'passed over a read that says cancelled'
  if (decision.kind === 'read-again') return last === 'cancelled' ? 'reads on though it is cancelled' : null
  if (decision.kind === 'send-again') {
    if (row.state !== 'unknown' || row.attempts !== 1) return 'sent again what must not be'
    if (last !== 'pending' || before !== 'pending') return 'sent again without two reads that allow it'
    return (reads[count - 2]?.seconds ?? 0) * 1_000 < rules.graceMs ? 'sent again within the grace' : null
  }
  if (!canTransition(row.state, decision.state)) return 'an arrow that is not in the table'
  if (decision.state === 'cancelled') return last === 'cancelled' ? null : 'cancelled without a read that says so'
  if (decision.state === 'needs-person') return decision.outcomeReason ? null : 'a person without a reason'
  if (last !== before) return 'not cancelled by one read'
  const isFinal = ['settled', 'rejected', 'chargeback'].includes(last ?? '')
  if (isFinal) return null
  if (row.state !== 'declined') return 'not cancelled in a state that is not final'
  return ['pending', 'scheduled'].includes(last ?? '') ? null : 'not cancelled in a state unknown'
}

test('whatever is read, in whatever order, nothing is decided that the reads do not bear', () => {
  fc.assert(
    fc.property(arbitraryRow, arbitraryReads, (row, reads) => {
      const { decision, count } = follow(row, reads)
      expect(findFault(row, reads, count, decision)).toBeNull()
    }),
    { numRuns: 5_000 },
  )
})

test('nothing stays open without end: read for ever without a change, a person is asked', () => {
  fc.assert(
    fc.property(arbitraryRow, arbitraryReading, (row, reading) => {
      const reads = Array.from({ length: 2_000 }, (_, index) => ({ reading, seconds: (index + 1) * 900 }))
      expect(follow(row, reads).decision.kind).toMatch(/^(?:close|send-again)$/u)
    }),
  )
})

test('an unknown outcome is with a person within 15 minutes', () => {
  const reads = Array.from({ length: 1_000 }, (_, index) => ({
    reading: { kind: 'found' as const, payment: makePayment('Pending') },
    seconds: index * 5,
  }))
  const end = follow(makeRow({ state: 'unknown', attempts: 2 }), reads)
  expect(end.decision).toMatchObject({
    kind: 'close',
    state: 'needs-person',
    outcomeReason: 'unconfirmed',
    detail: 'Pending',
  })
  expect(end.count * 5).toBeLessThanOrEqual(15 * 60)
})

test.each([400, 401, 403, 406, 409, 451])('%i closes nothing within the grace', (status) => {
  const row = makeRow({ state: 'declined', evidence: { guard: 'read', reply: { status } } })
  const reading = { kind: 'found' as const, payment: makePayment('Pending') }
  const within = [1, 2, 14].map((seconds) => ({ reading, seconds }))
  expect(follow(row, within).decision).toMatchObject({ kind: 'read-again' })
  const past = [...within, { reading, seconds: 16 }, { reading, seconds: 17 }]
  expect(follow(row, past).decision).toMatchObject({ kind: 'close', state: 'not-cancelled' })
})

test('a request whose form is refused was not done: two reads are enough at any time', () => {
  const row = makeRow({ state: 'declined', evidence: { guard: 'read', reply: { status: 415 } } })
  const reads = [1, 2].map((seconds) => ({
    reading: { kind: 'found' as const, payment: makePayment('Pending') },
    seconds,
  }))
  expect(follow(row, reads).decision).toMatchObject({ kind: 'close', outcomeReason: 'service-declined' })
})

/** Whether an accepted one is with a person when its payment is read as this twice, so many hours after it was accepted. */
function decideAfter(hours: number, changes: Partial<Payment>, reads = 2): Partial<Decision> {
  const payment = { ...makePayment('Pending'), ...changes }
  const read = { reading: { kind: 'found' as const, payment }, seconds: hours * 3_600 }
  return follow(
    makeRow({}),
    Array.from({ length: reads }, () => read),
  ).decision
}

test('an accepted one that stays cancellable is with a person half way to the estimated cut-off', () => {
  // Until Monday 30 November, 16:00 in Copenhagen: 243 hours.
  const scheduleDate = '2026-12-01'
  expect(decideAfter(121, { scheduleDate })).toMatchObject({ kind: 'read-again' })
  const asked = { kind: 'close', state: 'needs-person', outcomeReason: 'still-cancellable', detail: 'Pending' }
  expect(decideAfter(122, { scheduleDate }, 1)).toMatchObject({ kind: 'read-again' })
  expect(decideAfter(122, { scheduleDate })).toEqual(asked)
  // Where little time is left, not before an outcome has had its time.
  const soon = { scheduleDate: '2026-11-23', paymentDate: '2026-11-23' }
  expect(decideAfter(1.4, soon)).toMatchObject({ kind: 'read-again' })
  expect(decideAfter(1.6, soon)).toEqual(asked)
})

test.each([
  ['no schedule date', { scheduleDate: null }],
  ['a cut-off that had passed', { scheduleDate: '2026-11-20' }],
  ['a state that may be on its way to cancelled', { scheduleDate: '2026-12-01', status: 'Cancelling' }],
])('with %s an accepted one is read until a day after the payment date', (_, changes) => {
  expect(decideAfter(250, changes)).toMatchObject({ kind: 'read-again' })
  expect(decideAfter(300, changes)).toMatchObject({ kind: 'close', outcomeReason: 'past-payment-date' })
})

test('a cut-off after the payment date puts nothing off', () => {
  const changes = { scheduleDate: '2027-12-01', paymentDate: '2026-11-19' }
  expect(decideAfter(0.3, changes)).toMatchObject({ kind: 'close', outcomeReason: 'past-payment-date' })
})

test('reads grow rarer with time, and never rarer than every 15 minutes', () => {
  const delays = [1, 10, 100, 1_000, 10_000, 100_000].map((seconds) => {
    const decision = decideByReading(
      makeRow({}),
      { kind: 'found', payment: makePayment('Pending') },
      rules,
      new Date(begin.getTime() + seconds * 1_000),
    )
    return decision.kind === 'read-again' ? decision.delay : null
  })
  expect(delays).toEqual([1_000, 2_500, 25_000, 250_000, 900_000, 900_000])
})

test('the table of states: closed ones lead nowhere, and an accepted or declined one is never sent again', () => {
  const closed = Object.entries(states).filter(([, { next }]) => next.length === 0)
  expect(closed.map(([state]) => state)).toEqual(['cancelled', 'not-cancelled', 'needs-person'])
  expect(canTransition('accepted', 'sending') || canTransition('declined', 'sending')).toBe(false)
})

test('an accepted one that was not looked for in a long time is not given up for one miss', () => {
  const row = makeRow({ lastRead: 'cancellable: pending' })
  const miss = { kind: 'unreadable', why: 'status-429' } as const
  const late = new Date(begin.getTime() + 7_200_000)
  expect(decideByReading(row, miss, rules, late)).toMatchObject({
    kind: 'read-again',
    lastRead: 'unreadable',
    delay: 15_000,
  })
  const missed = { ...row, lastRead: 'absent', lastFoundAt: late, agreeingReads: 1 }
  const absent = { kind: 'absent' } as const
  const soon = new Date(late.getTime() + rules.reviewAfterMs - 1_000)
  expect(decideByReading(missed, absent, rules, soon)).toMatchObject({ kind: 'read-again' })
  const later = new Date(late.getTime() + rules.reviewAfterMs + 1_000)
  expect(decideByReading(missed, absent, rules, later)).toMatchObject({ kind: 'close', state: 'needs-person' })
})

test('an outage gives up no accepted one before its own time, and is no reason to ask all the time', () => {
  const dates = { status: 'Pending', paymentDate: '2026-12-01', scheduleDate: '2026-12-01', scheme: null }
  const row = makeRow({ lastRead: 'unreadable', agreeingReads: 9, evidence: { guard: 'read', dates } })
  const decide = (reading: Reading, hours: number, changes: Partial<CancellationRow> = {}) =>
    decideByReading({ ...row, ...changes }, reading, rules, new Date(begin.getTime() + hours * 3_600_000))
  const outage = { kind: 'unreadable', why: 'status-503' } as const
  expect(decide(outage, 0.2)).toMatchObject({ kind: 'read-again', delay: 15_000 })
  expect(decide(outage, 121)).toMatchObject({ kind: 'read-again', delay: 900_000 })
  // Half way to the estimated cut-off.
  expect(decide(outage, 122)).toMatchObject({ kind: 'close', state: 'needs-person', outcomeReason: 'unreadable' })
  // It may have been sent unread: its dates are not known.
  const unread = { evidence: { guard: 'unread' } } as const
  expect(decide(outage, 23, unread)).toMatchObject({ kind: 'read-again' })
  expect(decide(outage, 25, unread)).toMatchObject({ kind: 'close', outcomeReason: 'unreadable' })
  // The first read that succeeds after it may be as little of a proof.
  const absent = { kind: 'absent' } as const
  expect(decide(absent, 50)).toMatchObject({ kind: 'read-again', lastRead: 'absent', agreeingReads: 1 })
  const again = { lastRead: 'absent', agreeingReads: 1 }
  expect(decide(absent, 51, again)).toMatchObject({ kind: 'close', state: 'needs-person', outcomeReason: 'absent' })
  // A list that was read and does not show it is no outage.
  const moved = { kind: 'unreadable', why: 'too-many-pages' } as const
  expect(decide(moved, 51, again)).toMatchObject({ kind: 'close', state: 'needs-person', outcomeReason: 'unreadable' })
})
