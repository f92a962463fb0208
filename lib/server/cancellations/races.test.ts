import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CommitUnknownError } from '@/lib/database/errors'
import { verifyChain } from '../activity-log/hash-chain'
import { cancellations } from '../store/schema'
import { askFor, LedgerFixture } from '../testing/ledger-fixture'
import { countOpen, makeActor, makeTestLedger, readRow, settleLedger } from '../testing/test-ledger'
import type { Ledger, Step } from './ledger'
import { leaseDue } from './leases'
import { runPass } from './worker'
import { requestCancellation } from './request-cancellation'
import { sendCancellation } from './send'

let fixture: LedgerFixture
/** Two desks on one store, as two processes would have them: neither considers itself alone. */
let desks: [Ledger, Ledger]

beforeAll(async () => {
  fixture = await LedgerFixture.start()
})

beforeEach(() => {
  fixture.reset()
  const make = () => makeTestLedger(fixture.store, fixture.service.url, { parts: { isAlone: false } })
  desks = [make(), make()]
})

afterAll(() => fixture.close())

test('50 submissions at once under one key are one intent and one request', async () => {
  const payment = fixture.service.add()
  const actor = makeActor()
  const instruction = askFor(payment)
  const [desk] = desks
  const answers = await Promise.all(Array.from({ length: 50 }, () => requestCancellation(desk, actor, instruction)))
  expect(new Set(answers.map(({ cancellation }) => cancellation.id)).size).toBe(1)
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
  expect(
    answers.every(({ cancellation }) => cancellation.outcome === 'requested' || cancellation.outcome === 'cancelled'),
  ).toBe(true)
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})

test('a double click waits for the word that its first gets, a refusal too', async () => {
  const payment = fixture.service.add()
  const actor = makeActor()
  const instruction = askFor(payment)
  fixture.service.change(payment.id, { status: 'Settled' })
  const [desk] = desks
  const answers = await Promise.allSettled([1, 2].map(() => requestCancellation(desk, actor, instruction)))
  expect(answers).toMatchObject([1, 2].map(() => ({ status: 'rejected', reason: { code: 'changed-since-seen' } })))
})

test('30 times two people at two desks cancel one payment at once: one wins, the other is told who and when', async () => {
  const people = [makeActor('ann@debitdesk.example'), makeActor('bo@debitdesk.example')] as const
  for (let race = 0; race < 30; race += 1) {
    const payment = fixture.service.add()
    // Slow enough for both to be in flight at once.
    fixture.service.next(payment, { answer: { status: 202, headers: {}, body: '', delay: 5 } })
    const capitals = { ...payment, id: race % 2 === 0 ? payment.id : payment.id.toUpperCase() }
    const answers = await Promise.allSettled([
      requestCancellation(desks[0], people[0], askFor(payment)),
      requestCancellation(desks[1], people[1], askFor(capitals)),
    ])
    const winner = answers.findIndex(({ status }) => status === 'fulfilled')
    const loser = answers.find(({ status }) => status === 'rejected')
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(loser).toMatchObject({
      reason: {
        code: 'conflict',
        status: 409,
        evidence: { extensions: { cancellation: { requestedBy: people[winner]?.email, closed: false } } },
      },
    })
    expect(fixture.deletesOf(payment)).toHaveLength(1)
  }
  expect(await verifyChain(fixture.store.db)).toMatchObject({ holds: true })
})

test('two desks reconcile one unknown cancellation at once: one more request, not two', async () => {
  const payments = Array.from({ length: 10 }, () => fixture.service.add())
  const broken = { effect: false, answer: { status: 500, headers: {}, body: '' } }
  for (const payment of payments) fixture.service.next(payment, broken)
  const answers = await Promise.all(
    payments.map((payment) => requestCancellation(desks[0], makeActor(), askFor(payment))),
  )
  const ids = answers.map(({ cancellation }) => cancellation.id)
  await Promise.all(
    desks.map(async (desk) => {
      for (const id of ids) await settleLedger(desk, id)
    }),
  )
  for (const payment of payments) {
    expect(fixture.deletesOf(payment)).toHaveLength(2)
    expect(fixture.deletesOf(payment).filter(({ effective }) => effective)).toHaveLength(1)
  }
  expect(await countOpen(desks[0])).toBe(0)
})

test('what one desk is at, the other leaves alone', async () => {
  const payment = fixture.service.add()
  const [desk, other] = desks
  const due: number[] = []
  const step = async (name: Step) => {
    // Once the outcome is stored, any desk may continue.
    if (name === 'after-outcome') return
    const pass = await runPass(other)
    await pass.work
    due.push(pass.due)
  }
  const { cancellation } = await requestCancellation({ ...desk, step }, makeActor(), askFor(payment))
  expect(due.length).toBeGreaterThanOrEqual(5)
  expect(due.every((count) => count === 0)).toBe(true)
  expect(cancellation.outcome).toBe('requested')
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})

test('a desk that was stopped before it wrote to the wire finds its lease gone and writes nothing', async () => {
  const payment = fixture.service.add()
  const [stopped, other] = desks
  let resume: () => void = () => undefined
  const isTaken = new Promise<void>((resolve) => {
    resume = resolve
  })
  let seconds = 0
  const sleeper: Ledger = {
    ...stopped,
    rules: { ...stopped.rules, leaseMs: 3_000, sendTimeoutMs: 1_000 },
    clock: { ...stopped.clock, now: () => new Date(stopped.clock.now().getTime() + seconds * 1_000) },
    step: async (name) => {
      if (name !== 'after-sending') return
      seconds = 60
      await isTaken
    },
  }
  const answering = requestCancellation(sleeper, makeActor(), askFor(payment))
  const taken = (async () => {
    for (let pass = 0; pass < 400 && fixture.deletesOf(payment).length === 0; pass += 1) {
      await (await runPass(other)).work
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    resume()
  })()
  const { cancellation } = await answering
  await taken
  await settleLedger(other, cancellation.id)
  expect(fixture.deletesOf(payment)).toMatchObject([{ effective: true }])
})

test('a machine that was paused with all its clocks asks the store before it writes, and sends it once it is read anew', async () => {
  const payment = fixture.service.add()
  const [desk] = desks
  const [now, host] = [desk.clock.now(), desk.clock.host()]
  let isPaused = false
  const paused: Ledger = {
    ...desk,
    rules: { ...desk.rules, leaseMs: 2_000, sendTimeoutMs: 500 },
    clock: {
      ...desk.clock,
      now: () => (isPaused ? now : desk.clock.now()),
      host: () => (isPaused ? host : desk.clock.host()),
    },
    step: async (name) => {
      if (name !== 'after-sending') return
      isPaused = true
      await new Promise((resolve) => setTimeout(resolve, 1_700))
    },
  }
  const { cancellation } = await requestCancellation(paused, makeActor(), askFor(payment))
  expect(fixture.deletesOf(payment)).toEqual([])
  expect(cancellation).toMatchObject({ outcome: 'sending', closed: false })
  expect(await settleLedger(desk, cancellation.id)).toMatchObject({ state: 'cancelled', attempts: 1 })
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})

test('a request of this process that lost its lease to its own worker does not send on the old reading', async () => {
  const payment = fixture.service.add()
  const [desk] = desks
  fixture.service.next(payment, { answer: { status: 202, headers: {}, body: '' } })
  let passed = false
  const held: Ledger = {
    ...desk,
    rules: { ...desk.rules, leaseMs: 400, sendTimeoutMs: 100 },
    step: async (name) => {
      if (name !== 'after-intent' || passed) return
      passed = true
      await new Promise((resolve) => setTimeout(resolve, 500))
      await leaseDue(desk, ['intended'], { limit: 10 })
    },
  }
  const { cancellation } = await requestCancellation(held, makeActor(), askFor(payment))
  expect(cancellation.outcome).toBe('sending')
  expect(fixture.deletesOf(payment)).toEqual([])
})

test('an answer that comes after the request was given up still counts', async () => {
  const payment = fixture.service.add()
  const [desk] = desks
  const steps: string[] = []
  const late: Ledger = {
    ...desk,
    rules: { ...desk.rules, leaseMs: 2_000, sendTimeoutMs: 500 },
    step: async (name) => {
      steps.push(name)
      if (name !== 'after-reply') return
      await new Promise((resolve) => setTimeout(resolve, 2_100))
      // Nobody can read the payment meanwhile.
      fixture.service.lists.answer = () => ({ status: 503, headers: {}, body: '' })
      await (await runPass(desks[1])).work
    },
  }
  const { cancellation } = await requestCancellation(late, makeActor(), askFor(payment))
  fixture.service.mend()
  expect(cancellation).toMatchObject({ outcome: 'requested' })
  expect((await readRow(desk, cancellation.id)).attempts).toBe(1)
  expect(await settleLedger(desk, cancellation.id)).toMatchObject({ state: 'cancelled' })
})

test('one who sends twice from what was once true is refused by the row itself', async () => {
  const payment = fixture.service.add()
  const [desk] = desks
  fixture.service.next(payment, { answer: { status: 202, headers: {}, body: '' } })
  const { cancellation } = await requestCancellation(desk, makeActor(), askFor(payment))
  const row = await readRow(desk, cancellation.id)
  expect(await sendCancellation(desk, { ...row, state: 'intended', attempts: 0 }, null)).toBeNull()
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})

test('an intent whose COMMIT was answered too late, and that another desk has sent meanwhile, is not begun anew', async () => {
  const payment = fixture.service.add()
  fixture.service.cancelDelay = 200
  const [desk, other] = desks
  let isLost = false
  const lose: typeof desk.db.transaction = async (work, config) => {
    const written = await desk.db.transaction(work, config)
    if (isLost) return written
    isLost = true
    // No reply until the lease has expired and another desk has sent the request.
    await fixture.store.db
      .update(cancellations)
      .set({ leaseUntil: null })
      .where(eq(cancellations.paymentId, payment.id))
    const [row] = await fixture.store.db.select().from(cancellations).where(eq(cancellations.paymentId, payment.id))
    await settleLedger(other, row?.id ?? '', ({ state }) => state !== 'intended' && state !== 'sending')
    throw new CommitUnknownError({ cause: new Error('no answer') })
  }
  const db = new Proxy(desk.db, { get: (target, name) => (name === 'transaction' ? lose : Reflect.get(target, name)) })
  const { cancellation, replayed } = await requestCancellation({ ...desk, db }, makeActor(), askFor(payment))
  expect(replayed).toBe(true)
  expect(['requested', 'cancelled']).toContain(cancellation.outcome)
  expect(await settleLedger(desk, cancellation.id)).toMatchObject({ state: 'cancelled', outcomeReason: null })
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})
