import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { LedgerFixture } from '../testing/ledger-fixture'
import type { DeleteSwitch } from '../testing/payment-ledger-service'
import { readRow, settleLedger, shiftClock } from '../testing/test-ledger'
import type { CancellationRow } from './ledger'
import type { Reading } from './payment-pages'
import { decideByReading } from './reconcile'
import { runPass } from './worker'

let fixture: LedgerFixture

beforeAll(async () => {
  fixture = await LedgerFixture.start()
})

beforeEach(() => fixture.reset())

afterAll(() => fixture.close())

const hour = 3_600_000
const ineffective: DeleteSwitch = { effect: false, answer: { status: 202, headers: {}, body: '' } }

test('reads that stay behind change nothing, and it is never sent again', async () => {
  const payment = fixture.service.add()
  let reads = 0
  fixture.service.lists.show = (shown) => {
    if (shown.id !== payment.id || shown.status !== 'Cancelled') return shown
    reads += 1
    return reads < 12 ? { ...shown, status: 'Pending' } : shown
  }
  const view = await fixture.cancel(payment)
  const row = await settleLedger(fixture.ledger, view.id)
  expect(row).toMatchObject({ state: 'cancelled', attempts: 1 })
  expect(reads).toBe(12)
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})

test('a list that moves is read no sooner again for it than a whole one, and gives no further entry', () => {
  const { rules } = fixture.ledger
  const now = new Date()
  const since = new Date(now.getTime() - 8 * 60_000)
  const row = { state: 'accepted', stateSince: since, lastFoundAt: now, lastRead: 'absent', agreeingReads: 1 }
  const decide = (reading: Reading) => decideByReading(row as CancellationRow, reading, rules, now)
  expect(decide({ kind: 'unreadable', why: 'list-moved' })).toEqual(decide({ kind: 'absent' }))
})

test('one read that says settled does not decide, two do', async () => {
  const payment = fixture.service.add()
  const states = ['Settled', 'Pending', 'Settled', 'Scheduled', 'Cancelled']
  fixture.service.lists.show = (shown) => {
    if (shown.id !== payment.id || fixture.deletesOf(payment).length === 0) return shown
    return { ...shown, status: states.shift() ?? 'Cancelled' }
  }
  const view = await fixture.cancel(payment)
  expect(await settleLedger(fixture.ledger, view.id)).toMatchObject({ state: 'cancelled' })
  expect(states).toEqual([])
})

test('it settles all the same: not cancelled, too late', async () => {
  const payment = fixture.service.add()
  const settle = () => fixture.service.change(payment.id, { status: 'Settled' })
  const view = await fixture.cancel(payment, { ...ineffective, after: settle })
  expect(view.outcome).toBe('requested')
  expect(await settleLedger(fixture.ledger, view.id)).toMatchObject({
    state: 'not-cancelled',
    outcomeReason: 'too-late',
  })
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})

test.each([
  ['a day after the payment date', { paymentDate: '2026-11-01T00:00:00Z' }, hour, 'past-payment-date'],
  ['a day without a payment date', { paymentDate: '0001-01-01T00:00:00' }, 25 * hour, 'unconfirmed'],
  ['a day with the last date of .NET', { paymentDate: '9999-12-31T23:59:59.9999999Z' }, 25 * hour, 'unconfirmed'],
  ['a day with it in a zone', { paymentDate: '9999-01-01T00:00:00+01:00' }, 25 * hour, 'unconfirmed'],
])('nothing happens until %s: a person, and no second request', async (_, changes, later, outcomeReason) => {
  const payment = fixture.service.add(changes)
  const view = await fixture.cancel(payment, ineffective)
  await settleLedger(fixture.ledger, view.id, ({ lastRead }) => lastRead === 'cancellable: pending')
  const row = await settleLedger(shiftClock(fixture.ledger, later), view.id)
  expect(row).toMatchObject({ state: 'needs-person', outcomeReason, detail: 'Pending' })
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})

test('before the payment date it is still read, however late', async () => {
  const payment = fixture.service.add()
  const view = await fixture.cancel(payment, ineffective)
  const later = shiftClock(fixture.ledger, 4 * 24 * hour)
  await settleLedger(later, view.id, ({ lastRead }) => lastRead === 'cancellable: pending')
  expect(await readRow(later, view.id)).toMatchObject({ state: 'accepted', closedAt: null })
})

test('before the cut-off, where nothing happens: a person, who can cancel it again', async () => {
  const inFourWeeks = new Date(Date.now() + 28 * 24 * hour).toISOString()
  const payment = fixture.service.add({ paymentDate: inFourWeeks, scheduleDate: inFourWeeks })
  const view = await fixture.cancel(payment, ineffective)
  const first = shiftClock(fixture.ledger, 16 * 24 * hour)
  // One reading may be old.
  expect(await settleLedger(first, view.id, ({ lastRead }) => lastRead !== null)).toMatchObject({ state: 'accepted' })
  fixture.ledger = shiftClock(first, hour)
  const row = await settleLedger(fixture.ledger, view.id)
  expect(row).toMatchObject({ state: 'needs-person', outcomeReason: 'still-cancellable', detail: 'Pending' })
  const again = await fixture.cancel(payment)
  expect(await settleLedger(fixture.ledger, again.id)).toMatchObject({ state: 'cancelled' })
})

test('each reading keeps the dates and the state by which a person is asked while nothing can be read', async () => {
  const inFourWeeks = new Date(Date.now() + 28 * 24 * hour).toISOString()
  const payment = fixture.service.add()
  const view = await fixture.cancel(payment, ineffective)
  fixture.service.change(payment.id, { status: 'Cancelling', paymentDate: inFourWeeks, scheduleDate: inFourWeeks })
  const { evidence } = await settleLedger(fixture.ledger, view.id, ({ lastRead }) => lastRead !== null)
  expect(evidence.dates).toMatchObject({ status: 'Cancelling', paymentDate: inFourWeeks, scheduleDate: inFourWeeks })
})

test.each([
  ['can be cancelled: a person', 'Pending', 'close'],
  ['is on its way to cancelled: nobody is asked yet', 'Cancelling', 'read-again'],
])('past half of the time to the cut-off nothing can be read of one that %s', (_, status, kind) => {
  const now = new Date()
  const since = new Date(now.getTime() - 20 * 24 * hour)
  const inTwoWeeks = new Date(now.getTime() + 14 * 24 * hour).toISOString()
  const dates = { status, paymentDate: inTwoWeeks, scheduleDate: inTwoWeeks, scheme: null }
  const row = { state: 'accepted', stateSince: since, lastFoundAt: since, lastRead: 'unreadable', evidence: { dates } }
  const reading: Reading = { kind: 'unreadable', why: 'status-503' }
  expect(decideByReading(row as unknown as CancellationRow, reading, fixture.ledger.rules, now).kind).toBe(kind)
})

test('it vanishes from the list: a person, but not at once', async () => {
  const payment = fixture.service.add()
  fixture.service.lists.show = (shown) =>
    fixture.deletesOf(payment).length > 0 && shown.id === payment.id ? null : shown
  const view = await fixture.cancel(payment)
  const row = await settleLedger(fixture.ledger, view.id, ({ lastRead }) => lastRead === 'absent')
  expect(row.closedAt).toBeNull()
  const closed = await settleLedger(shiftClock(fixture.ledger, hour), view.id)
  expect(closed).toMatchObject({ state: 'needs-person', outcomeReason: 'absent' })
})

test('a list that cannot be read delays the truth; only once the payment may be over, a person is asked', async () => {
  const [found, lost] = [fixture.service.add(), fixture.service.add()]
  const views = [await fixture.cancel(found), await fixture.cancel(lost)] as const
  fixture.service.lists.answer = () => ({ status: 503, headers: {}, body: '' })
  for (const { id } of views) await settleLedger(fixture.ledger, id, ({ lastRead }) => lastRead === 'unreadable')
  fixture.service.mend()
  expect(await settleLedger(fixture.ledger, views[0].id)).toMatchObject({ state: 'cancelled' })
  const again = await fixture.cancel(fixture.service.add())
  fixture.service.lists.answer = () => ({ status: 503, headers: {}, body: '' })
  let reads = 0
  for (const hours of [1, 2, 3]) {
    const until = ({ agreeingReads }: CancellationRow) => agreeingReads > reads
    const row = await settleLedger(shiftClock(fixture.ledger, hours * hour), again.id, until)
    expect(row).toMatchObject({ state: 'accepted', lastRead: 'unreadable', closedAt: null })
    reads = row.agreeingReads
  }
  // A day after the payment date.
  const row = await settleLedger(shiftClock(fixture.ledger, 7 * 24 * hour), again.id)
  expect(row).toMatchObject({ state: 'needs-person', outcomeReason: 'unreadable' })
})

test('one walk of the list settles many', async () => {
  fixture.service.lists.filter = 'ignored'
  for (let index = 0; index < 150; index += 1) fixture.service.add()
  const payments = Array.from({ length: 30 }, () => fixture.service.add())
  const views = await Promise.all(payments.map((payment) => fixture.cancel(payment)))
  const later = shiftClock(fixture.ledger, 5_000)
  const from = Date.now()
  const pages = Math.ceil(fixture.service.payments.size / 100)
  await settleLedger(later, views[0]?.id ?? '')
  expect(fixture.countReads(from - 1)).toBe(pages)
  for (const { id } of views) expect(await readRow(later, id)).toMatchObject({ state: 'cancelled' })
})

test('a closed one is never touched again', async () => {
  const payment = fixture.service.add()
  const view = await fixture.cancel(payment)
  const closed = await settleLedger(fixture.ledger, view.id)
  fixture.service.change(payment.id, { status: 'Pending' })
  for (let pass = 0; pass < 3; pass += 1) await runPass(shiftClock(fixture.ledger, pass * hour))
  expect(await readRow(fixture.ledger, view.id)).toEqual(closed)
})
