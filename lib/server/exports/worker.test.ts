import { createHash, randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { parseCsv } from '@/lib/domain/csv'
import { listExports } from '../store/export-schema'
import { activity, memberships, users } from '../store/schema'
import { ExportFixture, makePayments } from '../testing/export-fixture'
import { makeSession } from '../testing/store-fixture'
import { findExport, getOwnLeases, viewExport, writeStatement } from './queries'
import { resumeExport, stopExport } from './commands'

const bench = new ExportFixture(makePayments(0))

it('holds exactly what the service said of 10,000 generated payments, and sums that nobody rounded (DC-11, XS-03)', async () => {
  bench.payments = makePayments(10_000)
  const row = await bench.run()
  expect(viewExport(row)).toMatchObject({ state: 'complete', rows: 10_000, leftOut: 0, mayResume: false })
  const read = await bench.readRows(row)
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
  expect(back).toEqual(bench.payments)
  for (const sum of row.sums) {
    const mine = bench.payments.filter(
      ({ currency, test }) => currency === sum.currency && test === (sum.mode === 'test'),
    )
    expect(sum).toMatchObject({
      count: mine.length,
      minor: String(mine.reduce((total, one) => total + BigInt(Number(one.amount)), 0n)),
    })
  }
  expect(row.sums).toHaveLength(8)
  const [head, ...raw] = parseCsv(new TextDecoder().decode(await bench.readBytes(row))).rows
  const numbers = ['amount_minor', 'amount_decimal', 'amount_as_sent']
  const texts = raw.flatMap(({ cells }) => cells.filter((_, at) => !numbers.includes(head?.cells[at] ?? '')))
  expect(texts.filter((cell) => /^[=+\-@|\t\r\n＝＋－＠]/u.test(cell))).toEqual([])
})

it('states what the file is, and the hash by which it can be known', async () => {
  bench.payments = makePayments(250)
  const row = await bench.run({ filters: { State: 'Pending' }, columns: ['reference', 'id', 'nonsense'] })
  const bytes = Buffer.from(await bench.readBytes(row))
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

it('stops where the service asks to slow down for long, and goes on from there to the same file', async () => {
  bench.payments = makePayments(1_000)
  const whole = await bench.run()
  bench.troubles.set(400, { status: 429, headers: { 'retry-after': '60' } })
  const stopped = await bench.run()
  expect(writeStatement(stopped, 'm')).toMatchObject({
    result: 'Stopped after 400: too many requests',
    complete: false,
  })
  expect(stopped.sha256).toBe(
    createHash('sha256')
      .update(Buffer.from(await bench.readBytes(stopped)))
      .digest('hex'),
  )
  bench.troubles = new Map()
  const row = await bench.goOn(stopped)
  expect(row).toMatchObject({ state: 'complete', rows: 1_000, sha256: whole.sha256, sums: whole.sums })
})

it('ends when a person stops it, and goes on after that', async () => {
  bench.payments = makePayments(500)
  const row = await bench.start()
  bench.onPage = (at) => (at === 300 ? stopExport(bench.db, row) : undefined)
  const stopped = await bench.work(row)
  expect(viewExport(stopped)).toMatchObject({ state: 'stopped', reason: 'by-person', rows: 300, mayResume: true })
  bench.onPage = () => undefined
  await bench.goOn(stopped)
  expect(await bench.readRows(row)).toHaveLength(500)
})

it.each([
  ['is taken out of the team', () => bench.db.delete(memberships)],
  ['has no known role any more', () => bench.db.update(memberships).set({ role: 'nobody' })],
  ['is disabled', () => bench.db.update(users).set({ disabledAt: new Date() })],
])('ends between two pages when its author %s', async (_, leave) => {
  bench.payments = makePayments(500)
  const row = await bench.start()
  bench.onPage = (at) => (at === 200 ? leave() : undefined)
  const ended = await bench.work(row)
  expect(viewExport(ended)).toMatchObject({ state: 'stopped', reason: 'author-left', rows: 300 })
  expect(writeStatement(ended, 'm').result).toContain('has no access any more')
  await bench.addAuthor()
})

it('never calls a list whole that leads in a circle', async () => {
  bench.payments = makePayments(500)
  bench.loop = true
  const row = await bench.run()
  expect(viewExport(row)).toMatchObject({ state: 'stopped', reason: 'list-incomplete', mayResume: false })
  expect(await resumeExport(bench.db, bench.session, row)).toBeNull()
})

it('never calls a list whole that has moved while it was read: a row came twice, and counts twice in its sums', async () => {
  bench.payments = makePayments(300)
  const [first] = makePayments(1)
  bench.onPage = (at) =>
    at === 100 && first ? (bench.payments = [{ ...first, id: randomUUID() }, ...bench.payments]) : undefined
  const row = await bench.run()
  expect(viewExport(row)).toMatchObject({ state: 'stopped', reason: 'list-incomplete', rows: 301 })
  expect(writeStatement(row, 'm')).toMatchObject({ complete: false })
})

it('goes past a NUL, which no store can keep', async () => {
  bench.payments = makePayments(2).map((one) => ({ ...one, reference: 'a\0b' }))
  const row = await bench.run()
  expect(viewExport(row)).toMatchObject({ state: 'complete', rows: 2 })
  expect((await bench.readRows(row)).map(({ reference }) => reference)).toEqual(['a\uFFFDb', 'a\uFFFDb'])
})

it('holds every row against the filter, whoever was to apply it', async () => {
  bench.payments = makePayments(300)
  const pending = bench.payments.filter(({ status }) => status === 'Pending')
  const live = pending.filter(({ test }) => test === false)
  const row = await bench.run({
    asked: { kind: 'compare', field: 'status', comparison: 'eq', value: 'Pending' },
    rest: { kind: 'compare', field: 'test', comparison: 'eq', value: false },
  })
  expect(bench.requests.at(-1)?.path).toContain('filter=status+eq+%27Pending%27')
  expect(await bench.readRows(row)).toHaveLength(live.length)
  expect(writeStatement(row, 'm')).toMatchObject({ result: `${live.length} of 300 match, complete` })
})

it('goes on after the desk was killed, without a row twice or missing', async () => {
  bench.payments = makePayments(600)
  const row = await bench.start()
  bench.onPage = (at) => (at === 300 ? stopExport(bench.db, row) : undefined)
  await bench.work(row)
  // As a process leaves it that died: said to run, nobody at work, silent for a while.
  await bench.db.update(listExports).set({ state: 'running', leaseUntil: null })
  bench.onPage = () => undefined
  const dead = await bench.find(row)
  expect(viewExport(dead)).toMatchObject({ state: 'stopped', reason: 'interrupted' })
  await bench.goOn(dead)
  expect((await bench.readRows(row)).map(({ id }) => id)).toEqual(bench.payments.map(({ id }) => id))
})

it('is nobody else’s, and one at a time', async () => {
  bench.payments = makePayments(100)
  const row = await bench.start()
  getOwnLeases().add(row.holder ?? '')
  await expect(bench.start()).rejects.toMatchObject({ code: 'not-possible' })
  getOwnLeases().delete(row.holder ?? '')
  await expect(findExport(bench.db, makeSession('admin'), row.id)).rejects.toMatchObject({ code: 'not-found' })
  await stopExport(bench.db, row)
})

it('is one at a time also where several are asked for at the same moment, or one goes on beside another', async () => {
  const asked = await Promise.allSettled(Array.from({ length: 6 }, () => bench.start()))
  const begun = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  expect(begun).toHaveLength(1)
  const [first] = begun
  if (!first) return
  const stopped = await stopExport(bench.db, first)
  const second = await bench.start()
  await expect(resumeExport(bench.db, bench.session, stopped)).rejects.toMatchObject({ code: 'not-possible' })
  await stopExport(bench.db, second)
})

it('is written down from its beginning to its end', async () => {
  bench.payments = makePayments(100)
  const row = await bench.run()
  const rows = await bench.db.select().from(activity).orderBy(activity.sequence)
  expect(rows.filter(({ objectId }) => objectId === row.id)).toMatchObject([
    { action: 'export.start', actor: bench.session.email, details: { list: 'listPayments' } },
    { action: 'export.end', actor: bench.session.email, details: { rows: 100, sha256: row.sha256 } },
  ])
})
