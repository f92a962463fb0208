import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { verifyChain } from '../activity-log/hash-chain'
import { AppError } from '../runtime/app-error'
import { runWithContext } from '../runtime/request-context'
import { startTrace } from '../runtime/trace'
import { activity } from '../store/schema'
import { askFor, LedgerFixture } from '../testing/ledger-fixture'
import type { DeleteSwitch, ServicePayment } from '../testing/payment-ledger-service'
import { makeActor, makeTestLedger, readRow, settleLedger } from '../testing/test-ledger'
import type { Ledger } from './ledger'
import { requestCancellation } from './request-cancellation'

let fixture: LedgerFixture

beforeAll(async () => {
  fixture = await LedgerFixture.start()
})

beforeEach(() => fixture.reset())

afterAll(() => fixture.close())

async function refusalOf(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof AppError) return error
  throw new Error('was not refused', { cause: error })
}

describe('accepted', () => {
  const accepted: [string, DeleteSwitch][] = [
    ['200 with JSON', { answer: { status: 200, body: '{"status":"Accepted"}' } }],
    ['202 without a body', { answer: { status: 202, headers: {}, body: '' } }],
    ['204', { answer: { status: 204, headers: {} } }],
    ['202 with text', { answer: { status: 202, headers: { 'content-type': 'text/plain' }, body: 'Accepted' } }],
  ]
  test.each(accepted)('%s is "requested" until a read shows it cancelled', async (_, answer) => {
    const payment = fixture.service.add()
    fixture.service.next(payment, answer)
    const { cancellation, replayed } = await requestCancellation(fixture.ledger, fixture.actor, askFor(payment))
    expect(cancellation).toMatchObject({
      outcome: 'requested',
      closed: false,
      requestedBy: fixture.actor.email,
      text: 'Ordered twice',
    })
    expect(replayed).toBe(false)
    const row = await settleLedger(fixture.ledger, cancellation.id)
    expect(row).toMatchObject({ state: 'cancelled', outcomeReason: null })
    expect(fixture.deletesOf(payment)).toMatchObject([
      { idempotencyKey: cancellation.id, text: 'Ordered twice', effective: true },
    ])
  })

  test('delivers the reason byte for byte', async () => {
    const reason = '  Fejl 🙂 "quoted" <b>\u202Eabc\u202C\n\ttwo lines — æøå  '
    const payment = fixture.service.add()
    const { cancellation } = await requestCancellation(fixture.ledger, fixture.actor, askFor(payment, { reason }))
    expect(fixture.deletesOf(payment)).toMatchObject([{ text: reason }])
    expect(cancellation.text).toBe(reason)
    expect((await readRow(fixture.ledger, cancellation.id)).reason).toBe(reason)
  })

  test('leaves a trail of every step in a chain that holds', async () => {
    const payment = fixture.service.add()
    const { cancellation } = await requestCancellation(fixture.ledger, fixture.actor, askFor(payment))
    await settleLedger(fixture.ledger, cancellation.id)
    const trail = await fixture.store.db
      .select()
      .from(activity)
      .where(sql`${activity.objectId} = ${payment.id}`)
      .orderBy(activity.sequence)
    expect(trail.map(({ action }) => action)).toEqual([
      'cancellation.intended',
      'cancellation.sending',
      'cancellation.accepted',
      'cancellation.cancelled',
    ])
    expect(trail[0]).toMatchObject({
      actor: fixture.actor.email,
      details: { text: 'Ordered twice', sessionId: fixture.actor.sessionId },
    })
    expect(await verifyChain(fixture.store.db)).toMatchObject({ holds: true })
  })
})

describe('the guard', () => {
  test('refuses, with the difference, what has changed since it was seen, and sends nothing', async () => {
    const payment = fixture.service.add()
    fixture.service.change(payment.id, { amount: 99_900 })
    const instruction = askFor(payment)
    const refusal = await refusalOf(requestCancellation(fixture.ledger, fixture.actor, instruction))
    expect(refusal.code).toBe('changed-since-seen')
    expect(refusal.evidence.extensions).toMatchObject({
      difference: { amount: { seen: 124_500, now: 99_900 } },
      payment: { id: payment.id, amount: 99_900 },
      cancellation: { outcome: 'not-cancelled', closed: true, reason: 'changed' },
    })
    const again = await refusalOf(requestCancellation(fixture.ledger, fixture.actor, instruction))
    expect(again).toMatchObject({
      code: 'changed-since-seen',
      evidence: { extensions: { difference: { amount: { now: 99_900 } } } },
    })
    expect(fixture.deletesOf(payment)).toEqual([])
  })

  test('passes a change of modifiedAt alone', async () => {
    const payment = fixture.service.add()
    fixture.service.change(payment.id, {})
    const { cancellation } = await requestCancellation(fixture.ledger, fixture.actor, askFor(payment))
    expect(cancellation.outcome).toBe('requested')
  })

  test.each([
    ['Settled', 'not-cancelled', 'too-late'],
    ['Cancelled', 'cancelled', 'already-cancelled'],
    ['Zork', 'not-cancelled', 'changed'],
  ])('a payment that became %s between the look and the click is told so', async (status, outcome, reason) => {
    const payment = fixture.service.add()
    fixture.service.change(payment.id, { status })
    const refusal = await refusalOf(requestCancellation(fixture.ledger, fixture.actor, askFor(payment)))
    expect(refusal).toMatchObject({ code: 'changed-since-seen', status: 409 })
    expect(refusal.evidence.extensions).toMatchObject({
      cancellation: { outcome, reason, detail: status, closed: true },
    })
    expect(fixture.deletesOf(payment)).toEqual([])
  })

  test.each([
    ['Settled', 'too-late'],
    ['cancelled', 'already-cancelled'],
    ['Scheduled', 'not-cancellable'],
  ])('a payment seen as %s cannot be cancelled', async (status, reason) => {
    const payment = fixture.service.add({ status })
    const refusal = await refusalOf(requestCancellation(fixture.ledger, fixture.actor, askFor(payment)))
    expect(refusal).toMatchObject({ code: 'not-cancellable', evidence: { extensions: { cancellation: { reason } } } })
    expect(fixture.deletesOf(payment)).toEqual([])
  })

  test('a payment that cannot be cancelled is refused with its state in the reader’s language', async () => {
    const payment = fixture.service.add({ status: 'Scheduled' })
    const ask = () => requestCancellation(fixture.ledger, fixture.actor, askFor(payment))
    const { evidence } = await refusalOf(runWithContext({ ...startTrace(), language: 'da' }, ask))
    expect(evidence.detail).toContain('Betalingens tilstand er Planlagt.')
  })

  test('asks for a second word when the payment cannot be read, and sends on it', async () => {
    const payment = fixture.service.add()
    fixture.service.lists.answer = () => ({ status: 500, headers: {}, body: '' })
    const refusal = await refusalOf(requestCancellation(fixture.ledger, fixture.actor, askFor(payment)))
    expect(refusal).toMatchObject({
      code: 'confirmation-needed',
      evidence: { extensions: { cancellation: { reason: 'unreadable' } } },
    })
    expect(fixture.deletesOf(payment)).toEqual([])
    const { cancellation } = await requestCancellation(fixture.ledger, fixture.actor, askFor(payment, { unread: true }))
    expect(cancellation.outcome).toBe('requested')
    expect(fixture.deletesOf(payment)).toHaveLength(1)
    fixture.service.lists.answer = () => null
    expect(await settleLedger(fixture.ledger, cancellation.id)).toMatchObject({ state: 'cancelled' })
  })

  test('asks for a second word when a whole list does not hold the payment', async () => {
    const stranger: ServicePayment = { ...fixture.service.add(), id: randomUUID() }
    const refusal = await refusalOf(requestCancellation(fixture.ledger, fixture.actor, askFor(stranger)))
    expect(refusal).toMatchObject({
      code: 'confirmation-needed',
      evidence: {
        detail: 'Nothing was sent. The provider’s list holds no such payment.',
        extensions: { cancellation: { reason: 'absent' } },
      },
    })
  })

  test('takes what it reads as seen for a caller that did not look', async () => {
    const payment = fixture.service.add({ amount: 77 })
    const { cancellation } = await requestCancellation(fixture.ledger, fixture.actor, askFor(payment, { seen: null }))
    expect((await readRow(fixture.ledger, cancellation.id)).seen).toMatchObject({ amount: 77, status: 'Pending' })
  })
})

describe('the key', () => {
  test('replays a finished cancellation and sends nothing more', async () => {
    const payment = fixture.service.add()
    const instruction = askFor(payment)
    const first = await requestCancellation(fixture.ledger, fixture.actor, instruction)
    await settleLedger(fixture.ledger, first.cancellation.id)
    const again = await requestCancellation(fixture.ledger, fixture.actor, {
      ...instruction,
      key: instruction.key.toUpperCase(),
    })
    expect(again).toMatchObject({ replayed: true, cancellation: { id: first.cancellation.id, outcome: 'cancelled' } })
    expect(fixture.deletesOf(payment)).toHaveLength(1)
  })

  test.each([
    ['payment', () => ({ paymentId: fixture.service.add().id })],
    ['reason', () => ({ reason: 'Something else' })],
  ])('is refused for another %s', async (_, change) => {
    const instruction = askFor(fixture.service.add())
    await requestCancellation(fixture.ledger, fixture.actor, instruction)
    const before = fixture.service.deletes.length
    const refusal = await refusalOf(requestCancellation(fixture.ledger, fixture.actor, { ...instruction, ...change() }))
    expect(refusal).toMatchObject({ code: 'key-reused', status: 422 })
    expect(fixture.service.deletes).toHaveLength(before)
  })

  test('is refused for another person', async () => {
    const instruction = askFor(fixture.service.add())
    await requestCancellation(fixture.ledger, fixture.actor, instruction)
    expect(
      await refusalOf(requestCancellation(fixture.ledger, makeActor('other@debitdesk.example'), instruction)),
    ).toMatchObject({ code: 'key-reused' })
  })

  test('still before the guard in another process is told to come again', async () => {
    const payment = fixture.service.add()
    const instruction = askFor(payment)
    const other = makeTestLedger(fixture.store, fixture.service.url)
    const refusals: AppError[] = []
    const step = async (name: string) => {
      if (name === 'after-intent')
        refusals.push(await refusalOf(requestCancellation(other, fixture.actor, instruction)))
    }
    await requestCancellation({ ...fixture.ledger, step }, fixture.actor, instruction)
    expect(refusals).toMatchObject([{ code: 'in-flight', evidence: { retryAfter: 1 } }])
    expect(await requestCancellation(other, fixture.actor, instruction)).toMatchObject({
      replayed: true,
      cancellation: { outcome: 'requested' },
    })
    expect(fixture.deletesOf(payment)).toHaveLength(1)
  })
})

describe('definite answers', () => {
  test('nothing listening: not sent, and it may be asked again at once', async () => {
    const payment = fixture.service.add()
    const gone = makeTestLedger(fixture.store, 'http://127.0.0.1:9')
    const read = { ...fixture.ledger, call: fixture.ledger.call }
    const parts: Ledger = {
      ...read,
      call: (endpoint, call) =>
        endpoint.method === 'GET' ? fixture.ledger.call(endpoint, call) : gone.call(endpoint, call),
    }
    const { cancellation } = await requestCancellation(parts, fixture.actor, askFor(payment))
    expect(cancellation).toMatchObject({ outcome: 'not-cancelled', reason: 'not-sent', closed: true })
    expect((await readRow(fixture.ledger, cancellation.id)).attempts).toBe(0)
    expect((await requestCancellation(fixture.ledger, fixture.actor, askFor(payment))).cancellation.outcome).toBe(
      'requested',
    )
  })

  test.each([401, 403])('%i is refused and reported, and not believed before it is read', async (status) => {
    const payment = fixture.service.add()
    const reports: unknown[] = []
    fixture.service.next(payment, {
      effect: false,
      answer: {
        status,
        headers: { 'content-type': 'application/problem+json' },
        body: '{"detail":"No right to cancel"}',
      },
    })
    const parts = {
      ...fixture.ledger,
      report: (event: string, facts: object) => void reports.push({ event, ...facts }),
    }
    const { cancellation } = await requestCancellation(parts, fixture.actor, askFor(payment))
    expect(cancellation).toMatchObject({
      outcome: 'unknown',
      reason: 'declined',
      closed: false,
      detail: status === 403 ? 'No right to cancel' : null,
    })
    expect(reports).toMatchObject([{ event: 'cancellation-refused', status }])
    expect(fixture.deletesOf(payment)).toHaveLength(1)
  })
})
