import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Payment } from '@/lib/contract/payments'
import { payment as paymentSchema } from '@/lib/contract/payments'
import { parseSettings } from '../settings'
import { type Decision, decide } from './decide'
import type { CancellationRow } from './ledger'
import { makeLedgerRules } from './ledger-rules'
import type { Reading } from './pick-payment'
import { isClosed, mayBecome, readingStates, states } from './states'

const rules = makeLedgerRules(parseSettings({}))
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

/** Reads one after the other, as the ledger does, until something is decided; null when nothing was. */
function follow(row: CancellationRow, reads: readonly Read[]): { decision: Decision; count: number } | null {
  let current = row
  for (const [index, { reading, seconds }] of reads.entries()) {
    const now = new Date(begin.getTime() + seconds * 1_000)
    const decision = decide(current, reading, rules, now)
    if (decision.kind !== 'read-again') return { decision, count: index + 1 }
    const { lastRead, agreeingReads } = decision
    current = { ...current, lastRead, agreeingReads, ...(reading.kind === 'found' && { lastFoundAt: now }) }
  }
  return null
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
    state: fc.constantFrom(...readingStates),
    attempts: fc.constantFrom(1, 2),
    evidence: fc.constantFrom({ reply: { status: 409 } }, { reply: { status: 400 } }, {}),
  })
  .map(makeRow)

const stateOf = ({ reading }: Read) =>
  reading.kind === 'found' ? (reading.payment.status ?? '').toLowerCase() : reading.kind

test('whatever is read, in whatever order, nothing is decided that the reads do not bear', () => {
  fc.assert(
    fc.property(arbitraryRow, arbitraryReads, (row, reads) => {
      const end = follow(row, reads)
      if (!end) {
        expect(reads.map(stateOf)).not.toContain('cancelled')
        return
      }
      const { decision, count } = end
      const last = reads[count - 1]
      const before = reads[count - 2]
      if (!last) throw new Error('decided without a read')
      expect(reads.slice(0, count - 1).map(stateOf)).not.toContain('cancelled')
      if (decision.kind === 'send-again') {
        expect(row).toMatchObject({ state: 'unknown', attempts: 1 })
        expect([last, before].map((read) => read && stateOf(read))).toEqual(['pending', 'pending'])
        expect((before?.seconds ?? 0) * 1_000).toBeGreaterThanOrEqual(rules.grace)
        expect(last.reading).toMatchObject({ payment: { amount: 100 } })
      } else if (decision.kind === 'close') {
        expect(mayBecome(row.state, decision.state)).toBe(true)
        if (decision.state === 'cancelled') expect(stateOf(last)).toBe('cancelled')
        // Two in a row say the same, and an accepted or unknown one only ever ends by a state that is final.
        if (decision.state === 'not-cancelled') {
          expect(before && stateOf(before)).toBe(stateOf(last))
          if (row.state !== 'declined') expect(['settled', 'rejected', 'chargeback']).toContain(stateOf(last))
        }
        if (decision.state === 'needs-person') expect(decision.outcomeReason).not.toBeNull()
      }
    }),
    { numRuns: 5_000 },
  )
})

test('nothing stays open without end: read for ever without a change, a person is asked', () => {
  fc.assert(
    fc.property(arbitraryRow, arbitraryReading, (row, reading) => {
      const reads = Array.from({ length: 2_000 }, (_, index) => ({ reading, seconds: (index + 1) * 900 }))
      const end = follow(row, reads)
      if (end?.decision.kind === 'send-again') return
      expect(end?.decision.kind).toBe('close')
    }),
  )
})

test('an unknown outcome is with a person within 15 minutes', () => {
  const reads = Array.from({ length: 1_000 }, (_, index) => ({
    reading: { kind: 'found' as const, payment: makePayment('Pending') },
    seconds: index * 5,
  }))
  const end = follow(makeRow({ state: 'unknown', attempts: 2 }), reads)
  expect(end?.decision).toMatchObject({
    kind: 'close',
    state: 'needs-person',
    outcomeReason: 'unconfirmed',
    detail: 'Pending',
  })
  expect((end?.count ?? 0) * 5).toBeLessThanOrEqual(15 * 60)
})

test('reads grow rarer with time, and never rarer than every 15 minutes', () => {
  const delays = [1, 10, 100, 1_000, 10_000, 100_000].map((seconds) => {
    const decision = decide(
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
  for (const from of Object.keys(states) as (keyof typeof states)[]) {
    if (isClosed(from))
      for (const to of Object.keys(states) as (keyof typeof states)[]) expect(mayBecome(from, to)).toBe(false)
  }
  expect(mayBecome('accepted', 'sending') || mayBecome('declined', 'sending')).toBe(false)
})
