import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { LedgerFixture, problemAnswer } from '../testing/ledger-fixture'
import type { DeleteSwitch, ServicePayment } from '../testing/payment-ledger-service'
import { readRow, settleLedger, shiftClock } from '../testing/test-ledger'
import type { CancellationRow } from './ledger'
import { runPass, runWorker } from './worker'
import { pollByList } from './poll'

let fixture: LedgerFixture

beforeAll(async () => {
  fixture = await LedgerFixture.start()
  // Fills five pages.
  for (let count = 0; count < 450; count += 1) fixture.service.add()
})

beforeEach(() => fixture.reset())

afterAll(() => fixture.close())

const lost: DeleteSwitch = { effect: false, answer: { status: 500, headers: {}, body: '' } }
const minute = 60_000

/** Unknown cancellations of payments that the list does not contain. */
async function loseMany(count: number): Promise<CancellationRow[]> {
  const hidden = new Set<string>()
  fixture.service.lists.show = (payment) => (hidden.has(payment.id) ? null : payment)
  const rows: CancellationRow[] = []
  for (let each = 0; each < count; each += 1) {
    const payment = fixture.service.add()
    const { id } = await fixture.cancel(payment, lost)
    hidden.add(payment.id)
    rows.push(await readRow(fixture.ledger, id))
  }
  return rows
}

async function passOnce(ledger = fixture.ledger): Promise<void> {
  await (await runPass(ledger)).work
}

const listReads = (from: number) =>
  fixture.service.requests.slice(from).filter(({ method, path }) => method === 'GET' && !path.includes('filter')).length

async function countWalk(rows: readonly CancellationRow[]): Promise<number> {
  const from = fixture.service.requests.length
  const later = shiftClock(fixture.ledger, minute)
  for (let pass = 0; pass < 50; pass += 1) {
    await passOnce(later)
    const reads = await Promise.all(rows.map(async ({ id }) => (await readRow(later, id)).lastRead))
    if (reads.every((read) => read === 'absent')) return listReads(from)
  }
  throw new Error('they were not read')
}

test('thirty absent payments cost the same one walk as one of them', async () => {
  fixture.service.lists.filter = 'ignored'
  const one = await loseMany(1)
  const cost = await countWalk(one)
  const pages = Math.ceil(fixture.service.payments.size / 100)
  expect(cost).toBe(pages)
  for (const row of one) await settleLedger(shiftClock(fixture.ledger, 20 * minute), row.id)
  fixture.reset()
  fixture.service.lists.filter = 'ignored'
  const many = await loseMany(30)
  expect(await countWalk(many)).toBe(Math.ceil(fixture.service.payments.size / 100))
  for (const row of many) await settleLedger(shiftClock(fixture.ledger, 20 * minute), row.id)
})

test('two walks are never under way at once, and one rests as long as it took', async () => {
  fixture.service.lists.filter = 'ignored'
  fixture.ledger = { ...fixture.ledger, rules: { ...fixture.ledger.rules, listIntervalMs: 20 } }
  const rows = await loseMany(2)
  // By then they are due.
  const later = shiftClock(fixture.ledger, minute)
  await passOnce(later)
  const passes = await Promise.all([runPass(later), runPass(later), runPass(later)])
  const from = fixture.service.requests.length
  await Promise.all(passes.map(({ work }) => work))
  expect(listReads(from)).toBeLessThanOrEqual(Math.ceil(fixture.service.payments.size / 100))
  // A moment before the end of the cooldown nothing may start.
  expect(pollByList(shiftClock(later, -1_000))).toBeNull()
  for (const row of rows) await settleLedger(shiftClock(fixture.ledger, 20 * minute), row.id)
})

test('while a walk is under way, others are read, sent again and confirmed', async () => {
  const [absent] = await loseMany(1)
  const { show } = fixture.service.lists
  // Every page of the list poll waits until the other payment is settled.
  let release: () => void = () => undefined
  const isSettled = new Promise<void>((resolve) => {
    release = resolve
  })
  const step = fixture.ledger.step
  const ledger = {
    ...fixture.ledger,
    call: async (...[endpoint, call]: Parameters<typeof fixture.ledger.call>) => {
      if (endpoint.method === 'GET' && !call?.query?.filter) await isSettled
      return fixture.ledger.call(endpoint, call)
    },
    step,
  }
  const worker = await runWorker(ledger)
  const payment = fixture.service.add()
  const view = await fixture.cancel(payment, lost)
  fixture.service.lists.show = show
  for (let look = 0; look < 400; look += 1) {
    if ((await readRow(ledger, view.id)).closedAt) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(await readRow(ledger, view.id)).toMatchObject({ state: 'cancelled', attempts: 2 })
  expect(ledger.memory.isListPollRunning).toBe(true)
  release()
  await worker.stop()
  if (absent) await settleLedger(shiftClock(fixture.ledger, 20 * minute), absent.id)
})

test('a payment on its page whose id the store cannot hold keeps none waiting', async () => {
  fixture.service.lists.filter = 'ignored'
  const payment = fixture.service.add()
  const { id } = await fixture.cancel(payment)
  const reports: string[] = []
  const report = (event: string) => void reports.push(event)
  fixture.service.lists.container = (one) => ({ ...one, results: [{ ...payment, id: 'a\0b' }, ...one.results] })
  await settleLedger({ ...shiftClock(fixture.ledger, minute), report }, id)
  expect(reports).toEqual([])
  expect(await readRow(fixture.ledger, id)).toMatchObject({ state: 'cancelled' })
})

test('what a walk meets is settled though it was not due', async () => {
  fixture.service.lists.filter = 'ignored'
  const payment = fixture.service.add()
  const { id } = await fixture.cancel(payment)
  const [wanted] = await loseMany(1)
  const later = shiftClock(fixture.ledger, 200)
  await fixture.store.db.execute(`update cancellations set due_at = now() + interval '10 minutes' where id = '${id}'`)
  for (let pass = 0; pass < 10; pass += 1) await passOnce(later)
  expect(await readRow(later, id)).toMatchObject({ state: 'cancelled' })
  if (wanted) await settleLedger(shiftClock(fixture.ledger, 20 * minute), wanted.id)
})

test('nothing is sent again on a reading that has grown old: it is read anew', async () => {
  const payment = fixture.service.add()
  const { id } = await fixture.cancel(payment, lost)
  const ledger = { ...fixture.ledger, rules: { ...fixture.ledger.rules, maxReadingAgeMs: -1 } }
  let reads = 0
  fixture.service.lists.show = (shown: ServicePayment) => {
    if (shown.id !== payment.id) return shown
    reads += 1
    return shown
  }
  let sentAfter = 0
  const settle = { ...ledger, step: async (name: string) => void (name === 'before-resend' && (sentAfter = reads)) }
  expect(await settleLedger(settle, id)).toMatchObject({ state: 'cancelled', attempts: 2 })
  const row = await readRow(ledger, id)
  expect(sentAfter).toBeGreaterThanOrEqual(3)
  expect(row.evidence.guard).toBe('read')
})

test('nothing is sent again when it settled just before', async () => {
  const payment = fixture.service.add()
  const { id } = await fixture.cancel(payment, lost)
  const rules = { ...fixture.ledger.rules, maxReadingAgeMs: -1 }
  let agreeing = 0
  fixture.service.lists.show = (shown) => {
    if (shown.id !== payment.id) return shown
    // The last reading that showed it pending is as old as the start of the list poll.
    agreeing += agreeing > 0 || Date.now() - (fixture.deletesOf(payment)[0]?.at ?? 0) > rules.graceMs ? 1 : 0
    return agreeing > 2 ? { ...shown, status: 'Settled' } : shown
  }
  expect(await settleLedger({ ...fixture.ledger, rules }, id)).toMatchObject({
    state: 'not-cancelled',
    outcomeReason: 'too-late',
  })
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})

test.each([
  ['429', { effect: false, answer: { status: 429, headers: { 'retry-after': '900' }, body: '' } }],
  ['a refusal', problemAnswer(403)],
])('one whose every further request is answered with %s needs a person in time', async (_, answer) => {
  const payment = fixture.service.add()
  const { id } = await fixture.cancel(payment, lost, ...Array.from({ length: 50 }, () => answer))
  await settleLedger(fixture.ledger, id, () => fixture.deletesOf(payment).length >= 2)
  const row = await readRow(fixture.ledger, id)
  expect((row.dueAt?.getTime() ?? 0) - (row.undecidedSince?.getTime() ?? 0)).toBeLessThanOrEqual(15 * minute)
  const late = shiftClock(fixture.ledger, 14.5 * minute)
  expect(await settleLedger(late, id)).toMatchObject({ state: 'needs-person', outcomeReason: 'unconfirmed' })
})

test('a person is asked in time though nothing can be read at all', async () => {
  const payment = fixture.service.add()
  const { id } = await fixture.cancel(payment, lost)
  fixture.ledger.memory.slowDown(Number.POSITIVE_INFINITY)
  const late = shiftClock(fixture.ledger, 15 * minute)
  expect(await settleLedger(late, id)).toMatchObject({ state: 'needs-person' })
})

test('a worker that is stopped during a walk goes no page further', async () => {
  fixture.service.lists.filter = 'ignored'
  const [row] = await loseMany(1)
  let worker: Awaited<ReturnType<typeof runWorker>> | undefined
  let stopped: Promise<void> | undefined
  let from = 0
  const ledger = {
    ...shiftClock(fixture.ledger, minute),
    call: async (...[endpoint, call]: Parameters<typeof fixture.ledger.call>) => {
      const reply = await fixture.ledger.call(endpoint, call)
      if (endpoint.method === 'GET' && call?.query?.after && !stopped) {
        stopped = worker?.stop()
        from = fixture.service.requests.length
      }
      return reply
    },
  }
  worker = await runWorker(ledger)
  await expect.poll(() => stopped !== undefined, { timeout: 30_000 }).toBe(true)
  await stopped
  expect(fixture.service.requests.slice(from)).toEqual([])
  fixture.ledger.memory.start()
  if (row) await settleLedger(shiftClock(fixture.ledger, 20 * minute), row.id)
})

test('a stop waits for no pause that the service asked for during a walk', async () => {
  fixture.service.lists.filter = 'ignored'
  await fixture.ledger.capabilities.note({ 'eq:id': false })
  await loseMany(1)
  const { memory, clock } = fixture.ledger
  let notify = () => {}
  const asked = new Promise<void>((resolve) => (notify = resolve))
  const step = async (name: string) => {
    if (name !== 'during-read') return
    memory.slowDown(clock.now().getTime() + minute)
    notify()
  }
  const worker = await runWorker({ ...fixture.ledger, step })
  await asked
  // Until the page is read, so that the walk waits for the next.
  await wait(500)
  await worker.stop()
  expect(memory.isListPollRunning).toBe(false)
})
