import { createHash, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { parseCsv } from '@/lib/domain/csv'
import { exportSchedules, listExports } from '../store/export-schema'
import { activity, memberships, users } from '../store/schema'
import { ExportFixture, makePayments } from '../testing/export-fixture'
import { makeSession } from '../testing/store-fixture'
import { findExport, getOwnLeases, nameExport, viewExport, writeStatement } from './queries'
import { callEndpoint } from '../upstream/call-endpoint'
import { isForegroundBusy } from '../upstream/upstream-state'
import { resumeExport, startExport, stopExport } from './commands'
import { createSchedule, listSchedules } from './schedules'
import { runExport } from './worker'

const fixture = new ExportFixture(makePayments(0))

it('holds exactly what the service said of 2,500 generated payments, and sums that nobody rounded (DC-11, XS-03)', async () => {
  fixture.payments = makePayments(2_500)
  const row = await fixture.run()
  expect(viewExport(row)).toMatchObject({ state: 'complete', rows: 2_500, leftOut: 0, mayResume: false })
  const read = await fixture.readRows(row)
  const back = read.map((one) => ({
    id: one.id,
    handle: one.handle,
    reference: one.reference,
    description: one.description || null,
    amount: Number(one.amount_minor),
    currency: one.currency,
    test: one.test === 'test',
    status: one.status,
    scheduleDate: `${one.schedule_date}T00:00:00Z`,
    createdAt: one.created_utc,
    modifiedAt: new Date(one.modified_local ?? '').toISOString(),
    customer: { id: one.customer_id, name: one.customer_name },
    mandate: { id: one.mandate_id, handle: one.mandate_handle, scheme: one.scheme },
  }))
  expect(back).toEqual(fixture.payments)
  for (const sum of row.sums) {
    const mine = fixture.payments.filter(
      ({ currency, test }) => currency === sum.currency && test === (sum.mode === 'test'),
    )
    expect(sum).toMatchObject({
      count: mine.length,
      minor: String(mine.reduce((total, one) => total + BigInt(Number(one.amount)), 0n)),
    })
  }
  expect(row.sums).toHaveLength(8)
  const [head, ...raw] = parseCsv(new TextDecoder().decode(await fixture.readBytes(row))).rows
  const numbers = ['amount_minor', 'amount_decimal', 'amount_as_sent']
  const texts = raw.flatMap(({ cells }) => cells.filter((_, at) => !numbers.includes(head?.cells[at] ?? '')))
  expect(texts.filter((cell) => /^[=+\-@|\t\r\n＝＋－＠]/u.test(cell))).toEqual([])
})

it('states what the file is, and the hash by which it can be known', async () => {
  fixture.payments = makePayments(250)
  const row = await fixture.run({ filters: { State: 'Pending' }, columns: ['reference', 'id', 'nonsense'] })
  const bytes = Buffer.from(await fixture.readBytes(row))
  expect(writeStatement(row, 'Test merchant')).toMatchObject({
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
    result: '250 of 250, complete',
    complete: true,
    columns: ['reference', 'id'],
    filters: { State: 'Pending' },
    merchant: 'Test merchant',
  })
  expect(bytes.toString('utf8')).toMatch(/^\uFEFFreference,id\r\n/u)
})

it('has the day of the business zone in its file’s name', async () => {
  const row = { ...(await fixture.run()), createdAt: new Date('2026-11-30T23:00:00Z') }
  expect(nameExport(row)).toMatch(/^payments-2026-12-01-/u)
})

it('stops where the service asks to slow down for long, and goes on from there to the same file', async () => {
  fixture.payments = makePayments(1_000)
  const whole = await fixture.run()
  fixture.troubles.set(400, { status: 429, headers: { 'retry-after': '60' } })
  const stopped = await fixture.run()
  expect(writeStatement(stopped, 'm')).toMatchObject({
    result: 'Stopped after 400: the provider asked us to slow down',
    complete: false,
  })
  expect(stopped.sha256).toBe(
    createHash('sha256')
      .update(Buffer.from(await fixture.readBytes(stopped)))
      .digest('hex'),
  )
  fixture.troubles = new Map()
  const row = await fixture.resume(stopped)
  expect(row).toMatchObject({ state: 'complete', rows: 1_000, sha256: whole.sha256, sums: whole.sums })
})

it('waits where the service asks to slow down for a moment', async () => {
  fixture.payments = makePayments(500)
  const row = await fixture.start()
  const leases: boolean[] = []
  let asked = 0
  fixture.onPage = async (at) => {
    if (at !== 300) return
    asked += 1
    if (asked === 1) await fixture.db.update(listExports).set({ leaseUntil: new Date(0) })
    if (asked === 2) leases.push((await fixture.find(row)).isLeased)
    fixture.troubles = new Map(asked === 1 ? [[300, { status: 429, headers: { 'retry-after': '1' } }]] : [])
  }
  expect(await fixture.work(row)).toMatchObject({ state: 'complete', rows: 500 })
  expect([asked, leases]).toEqual([2, [true]])
})

it('ends soon when a person stops it while it waits', async () => {
  fixture.payments = makePayments(500)
  const row = await fixture.start()
  fixture.onPage = (at) => {
    if (at === 300) setTimeout(() => void stopExport(fixture.db, fixture.session, row), 50)
  }
  fixture.troubles.set(300, { status: 429, headers: { 'retry-after': '20' } })
  const began = performance.now()
  expect(await fixture.work(row)).toMatchObject({ state: 'stopped', reason: 'by-person', rows: 300, leaseUntil: null })
  expect(performance.now() - began).toBeLessThan(5_000)
})

it('ends when a person stops it, and goes on after that', async () => {
  fixture.payments = makePayments(500)
  const row = await fixture.start()
  const ending: boolean[] = []
  fixture.onPage = async (at) => {
    if (at === 300) ending.push(viewExport(await stopExport(fixture.db, fixture.session, row)).isEnding)
  }
  const stopped = await fixture.work(row)
  expect(ending).toEqual([true])
  expect(viewExport(stopped)).toMatchObject({ state: 'stopped', reason: 'by-person', rows: 300, mayResume: true })
  expect(viewExport(stopped).isEnding).toBe(false)
  fixture.onPage = () => undefined
  await fixture.resume(stopped)
  expect(await fixture.readRows(row)).toHaveLength(500)
})

it.each([
  ['is taken out of the team', () => fixture.db.delete(memberships)],
  ['has no known role any more', () => fixture.db.update(memberships).set({ role: 'nobody' })],
  ['is disabled', () => fixture.db.update(users).set({ disabledAt: new Date() })],
])('ends between two pages when its author %s', async (_, leave) => {
  fixture.payments = makePayments(500)
  const row = await fixture.start()
  fixture.onPage = (at) => (at === 200 ? leave() : undefined)
  const ended = await fixture.work(row)
  expect(viewExport(ended)).toMatchObject({ state: 'stopped', reason: 'author-left', rows: 300 })
  expect(writeStatement(ended, 'm').result).toContain('no longer has access')
  await fixture.addAuthor()
})

it('never calls a list whole that leads in a circle', async () => {
  fixture.payments = makePayments(500)
  fixture.loop = true
  const row = await fixture.run()
  expect(viewExport(row)).toMatchObject({ state: 'stopped', reason: 'list-incomplete', mayResume: false })
  expect(await resumeExport(fixture.db, fixture.session, row)).toBeNull()
})

it('never calls a list whole that has moved while it was read: a row came twice, and counts twice in its sums', async () => {
  fixture.payments = makePayments(300)
  const [first] = makePayments(1)
  fixture.onPage = (at) =>
    at === 100 && first ? (fixture.payments = [{ ...first, id: randomUUID() }, ...fixture.payments]) : undefined
  const row = await fixture.run()
  expect(viewExport(row)).toMatchObject({ state: 'stopped', reason: 'list-incomplete', rows: 301 })
  expect(writeStatement(row, 'm')).toMatchObject({ complete: false })
})

it('goes past a NUL, which no store can keep', async () => {
  fixture.payments = makePayments(2).map((one) => ({ ...one, reference: 'a\0b' }))
  const row = await fixture.run()
  expect(viewExport(row)).toMatchObject({ state: 'complete', rows: 2 })
  expect((await fixture.readRows(row)).map(({ reference }) => reference)).toEqual(['a\uFFFDb', 'a\uFFFDb'])
})

it('names a currency in its sums as the store can keep it', async () => {
  fixture.payments = makePayments(2).map((one, at) => ({
    ...one,
    currency: at === 0 ? 'D\0K' : 'D\uD800K',
    test: true,
  }))
  const row = await fixture.run()
  expect(viewExport(row)).toMatchObject({
    state: 'complete',
    rows: 2,
    sums: [{ currency: 'D\uFFFDK', mode: 'test', count: 2 }],
  })
})

it.each(['1\0', '1\uD800'])(
  'never calls a list whole that goes on at %j, which no store can keep',
  async (nextOffset) => {
    fixture.payments = makePayments(200)
    const results = fixture.payments.slice(0, 100)
    fixture.troubles.set(0, { body: JSON.stringify({ results, hasMore: true, nextOffset }) })
    const row = await fixture.run()
    expect(viewExport(row)).toMatchObject({ state: 'stopped', reason: 'list-incomplete', rows: 100, mayResume: false })
  },
)

it('holds every row against the filter, whoever was to apply it', async () => {
  fixture.payments = makePayments(300)
  const pending = fixture.payments.filter(({ status }) => status === 'Pending')
  const live = pending.filter(({ test }) => test === false)
  const row = await fixture.run({
    asked: { kind: 'compare', field: 'status', comparison: 'eq', value: 'Pending' },
    rest: { kind: 'compare', field: 'test', comparison: 'eq', value: false },
  })
  expect(fixture.requests.at(-1)?.path).toContain('filter=status+eq+%27Pending%27')
  expect(await fixture.readRows(row)).toHaveLength(live.length)
  expect(writeStatement(row, 'm')).toMatchObject({ result: `${live.length} of 300 match, complete` })
})

it('goes on after the desk was killed, without a row twice or missing', async () => {
  fixture.payments = makePayments(600)
  const row = await fixture.start()
  fixture.onPage = (at) => (at === 300 ? stopExport(fixture.db, fixture.session, row) : undefined)
  await fixture.work(row)
  // As a dead process leaves it: marked as running, no worker, silent for a while.
  await fixture.db.update(listExports).set({ state: 'running', leaseUntil: null })
  fixture.onPage = () => undefined
  const dead = await fixture.find(row)
  expect(viewExport(dead)).toMatchObject({ state: 'stopped', reason: 'interrupted' })
  await fixture.resume(dead)
  expect((await fixture.readRows(row)).map(({ id }) => id)).toEqual(fixture.payments.map(({ id }) => id))
})

it('tells its schedule that a person stopped it', async () => {
  const { id: exportId, query } = await fixture.start()
  const times = { rhythm: 'daily', day: 1, hour: 7 } as const
  const { id } = await createSchedule(fixture.db, fixture.session, { query, moving: [], times })
  await fixture.db.update(exportSchedules).set({ problem: 'upstream-error' })
  await fixture.db.update(listExports).set({ scheduleId: id }).where(eq(listExports.id, exportId))
  await fixture.work(await stopExport(fixture.db, fixture.session, await fixture.find({ id: exportId })))
  expect(await listSchedules(fixture.db, fixture.session)).toMatchObject([{ problem: 'by-person' }])
})

it('has no file to wait for where its desk was killed after a person stopped it', async () => {
  const row = await stopExport(fixture.db, fixture.session, await fixture.start())
  expect(viewExport(row)).toMatchObject({ reason: 'by-person', isEnding: true })
  await fixture.db.update(listExports).set({ leaseUntil: new Date(0) })
  expect(viewExport(await fixture.find(row))).toMatchObject({ reason: 'by-person', isEnding: false })
})

it.each([
  [
    [
      { field: 'currency', direction: 'asc' },
      { field: 'amount', direction: 'desc' },
    ],
    'currency,amount desc',
  ],
  [{ field: 'amount', direction: 'desc' }, 'amount desc'],
  [[], null],
] as const)('asks for the order of its list: %o', async (order, orderby) => {
  fixture.payments = makePayments(10)
  const row = await fixture.run({ order })
  expect(writeStatement(row, 'Merchant').order).toBe(orderby)
  const { path } = fixture.requests.at(-1) ?? { path: '' }
  expect(new URL(path, 'http://service').searchParams.get('orderby')).toBe(orderby)
})

it('is nobody else’s, and one at a time', async () => {
  fixture.payments = makePayments(100)
  const row = await fixture.start()
  getOwnLeases().add(row.holder ?? '')
  await expect(fixture.start()).rejects.toMatchObject({ code: 'not-possible' })
  getOwnLeases().delete(row.holder ?? '')
  await expect(findExport(fixture.db, makeSession('admin'), row.id)).rejects.toMatchObject({ code: 'not-found' })
  await stopExport(fixture.db, fixture.session, row)
})

it('is one at a time also where several are asked for at the same moment, or one goes on beside another', async () => {
  const asked = await Promise.allSettled(Array.from({ length: 6 }, () => fixture.start()))
  const begun = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  expect(begun).toHaveLength(1)
  const [first] = begun
  if (!first) return
  const stopped = await stopExport(fixture.db, fixture.session, first)
  const second = await fixture.start()
  await expect(resumeExport(fixture.db, fixture.session, stopped)).rejects.toMatchObject({ code: 'not-possible' })
  await stopExport(fixture.db, fixture.session, second)
})

it('is written down from its beginning to its end', async () => {
  fixture.payments = makePayments(100)
  const row = await fixture.run()
  const rows = await fixture.db.select().from(activity).orderBy(activity.sequence)
  expect(rows.filter(({ objectId }) => objectId === row.id)).toMatchObject([
    { action: 'export.start', actor: fixture.session.email, details: { list: 'listPayments' } },
    { action: 'export.end', actor: fixture.session.email, details: { rows: 100, sha256: row.sha256 } },
  ])
})

it('is background work: bulk cancellations need not wait for it', async () => {
  fixture.payments = makePayments(3)
  globalThis.debitdeskForeground = undefined
  const busy: boolean[] = []
  fixture.onPage = () => busy.push(isForegroundBusy(fixture.session.scope.connectionId))
  await fixture.run()
  await callEndpoint(fixture.session, 'listPayments', {})
  expect(busy).toEqual([false, true])
})

it('is written for an auditor, who may not read the same list', async () => {
  fixture.payments = makePayments(3)
  const auditor = { ...fixture.session, role: 'auditor' as const }
  const { query } = await fixture.run()
  const started = await startExport(fixture.db, auditor, query)
  await runExport(fixture.db, auditor, started)
  expect(viewExport(await findExport(fixture.db, auditor, started.id))).toMatchObject({ state: 'complete', rows: 3 })
  await expect(callEndpoint(auditor, 'listPayments', {})).rejects.toMatchObject({ code: 'forbidden' })
})
