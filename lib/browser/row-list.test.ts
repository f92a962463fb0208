import { afterEach, describe, expect, it } from 'vitest'
import type { Payment } from '@/lib/contract/payments'
import { RowList } from './row-list'
import { makePayments, startListService, until } from './testing/list-service'
import { honest, readKeys, setListStage, settle } from './testing/open-list'

const stage = setListStage()

afterEach(stage.close)

describe('walking', () => {
  it('keeps 200 rows ready beyond what can be seen, and no more', async () => {
    const list = await stage.open(honest(2_000))
    list.demand(20)
    await settle(list)
    expect(list.size).toBe(300)
    list.demand(150)
    await settle(list)
    expect(list.size).toBe(400)
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(stage.service().requests).toHaveLength(4)
  })

  it('asks for one page at a time and reaches all rows in order', async () => {
    const list = await stage.open(honest(2_000))
    for (let end = 100; end <= 2_000; end += 100) {
      list.demand(end)
      list.demand(end)
      await settle(list)
    }
    expect(list.walk).toEqual({ kind: 'complete' })
    expect(readKeys(list)).toEqual(Array.from({ length: 2_000 }, (_, index) => `p${index}`))
    expect(stage.service().requests).toEqual([
      null,
      ...Array.from({ length: 19 }, (_, index) => String((index + 1) * 100)),
    ])
  })

  it('loads the next page when a person asks for it, whatever can be seen', async () => {
    const list = await stage.open(honest(1_000))
    await settle(list)
    const before = list.size
    list.loadMore()
    await settle(list)
    expect(list.size).toBe(before + 100)
  })

  it('begins with the page that the server read, without asking for it again', async () => {
    const service = await startListService(honest(500))
    const first = await service.read(undefined, AbortSignal.timeout(1_000))
    const list = new RowList<Payment>({ idOf: (row) => row.id, read: service.read }, { page: first })
    expect(list.size).toBe(100)
    const close = list.open()
    list.demand(10)
    await settle(list)
    expect(service.requests).toEqual([null, '100', '200'])
    close()
    await service.close()
  })

  it('stops asking when it is put away and goes on where it was', async () => {
    const list = await stage.open(honest(1_000))
    list.demand(50)
    stage.pause()
    stage.reopen(list)
    list.demand(50)
    await settle(list)
    expect(readKeys(list)).toEqual(Array.from({ length: 300 }, (_, index) => `p${index}`))
  })
})

describe('failures', () => {
  it('keeps the rows when a page fails, and goes on when asked to', async () => {
    let broken = true
    const list = await stage.open((after) =>
      after === '100' && broken ? { status: 500, body: null } : honest(300)(after),
    )
    await settle(list)
    expect(list.walk).toMatchObject({ kind: 'failed', retryAt: null, error: { status: 500 } })
    expect(list.size).toBe(100)
    list.demand(100)
    expect(stage.service().requests).toHaveLength(2)
    broken = false
    list.loadMore()
    await until(() => list.walk.kind === 'complete')
    expect(list.size).toBe(300)
  })

  it('repeats a 429 by itself, not before the moment that was named', async () => {
    const at: number[] = []
    const list = await stage.open((after) => {
      at.push(Date.now())
      return at.length === 1 ? { status: 429, headers: { 'retry-after': '1' }, body: null } : honest(50)(after)
    })
    await settle(list)
    expect(list.walk).toMatchObject({ kind: 'failed', retryAt: expect.any(Number) as number })
    list.loadMore()
    list.demand(10)
    expect(stage.service().requests).toHaveLength(1)
    await until(() => list.walk.kind === 'complete')
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(999)
  })
})

describe('refreshing', () => {
  it('reads the first page only, replaces rows in place and offers the new ones', async () => {
    let newer = 0
    const list = await stage.open((after) => {
      const reply = honest(1_000)(after)
      return after === null
        ? { body: { ...reply.body, results: [...makePayments(9_000, newer), ...reply.body.results.slice(newer)] } }
        : reply
    })
    list.demand(500)
    await settle(list)
    const asked = stage.service().requests.length ?? 0
    newer = 3
    await list.refresh(true, AbortSignal.timeout(1_000))
    expect(stage.service().requests.slice(asked)).toEqual([null])
    expect(list.fresh).toBe(3)
    expect(list.keyAt(0)).toBe('p0')
    list.showFresh()
    expect(readKeys(list).slice(0, 5)).toEqual(['p9000', 'p9001', 'p9002', 'p0', 'p1'])
    expect(list.indexOf('p0')).toBe(3)
    expect(list.fresh).toBe(0)
  })

  it('offers nothing where newest first was not proven', async () => {
    let newer = 0
    const list = await stage.open(() => ({ body: { results: makePayments(-newer, 10), hasMore: false } }))
    await settle(list)
    newer = 2
    await list.refresh(false, AbortSignal.timeout(1_000))
    expect(list.fresh).toBe(0)
  })
})

describe('rules for what the service cannot do', () => {
  it('filters the loaded rows and stops reading after ten pages without a match', async () => {
    const list = await stage.open(honest(5_000))
    await settle(list)
    list.setRules({ name: 'seven', matches: (row) => row.reference === 'PMT-7' })
    list.demand(1)
    await settle(list)
    expect(readKeys(list)).toEqual(['p7'])
    expect(list.walk.kind).toBe('more')
    expect(list.rows.size).toBeLessThanOrEqual(1_300)
    const before = list.rows.size
    list.loadMore()
    await settle(list)
    expect(list.rows.size).toBeGreaterThan(before)
  })

  it('sorts rows as they come in, also those far behind', async () => {
    const list = await stage.open(honest(600))
    list.setRules({
      name: 'down',
      compare: (left, right) => Number(right.reference?.slice(4)) - Number(left.reference?.slice(4)),
    })
    list.demand(600)
    await until(() => list.walk.kind === 'complete')
    expect(readKeys(list)).toEqual(Array.from({ length: 600 }, (_, index) => `p${599 - index}`))
    expect(list.indexOf('p599')).toBe(0)
  })

  it('looks at many rows slice by slice', async () => {
    const list = await stage.open(honest(10_000))
    list.demand(10_000)
    await until(() => list.walk.kind === 'complete')
    list.setRules({ name: 'ends', matches: (row) => row.reference?.endsWith('99') ?? false })
    expect(list.size).toBe(20)
    await until(() => list.size === 100)
    expect(list.keyAt(99)).toBe('p9999')
    list.setRules(null)
    expect(list.size).toBe(10_000)
  })
})

it('reads the page of one row again, and no other', async () => {
  let status = 'Pending'
  const list = await stage.open((after) => {
    const { body } = honest(500)(after)
    return { body: { ...body, results: body.results.map((row) => ({ ...row, status })) } }
  })
  list.demand(100)
  await settle(list)
  const asked = stage.service().requests.length
  status = 'Cancelled'
  expect(await list.readAgain('p150', AbortSignal.timeout(1_000))).toBe(true)
  expect(stage.service().requests.slice(asked)).toEqual(['100'])
  expect(list.rows.get('p150')?.status).toBe('Cancelled')
  expect(list.rows.get('p50')?.status).toBe('Pending')
  expect(list.rows.get('p250')?.status).toBe('Pending')
})

it('keeps what was ticked by id', async () => {
  const list = await stage.open(honest(100))
  await settle(list)
  list.selection.toggle('p5')
  list.selection.toggle('p6')
  list.selection.toggle('p5')
  expect([...list.selection.keys]).toEqual(['p6'])
})

it('ticks rows that are expected once they are here, save those that are expected no more', async () => {
  const list = await stage.open(honest(300))
  list.selection.expect(['p1', 'p250', 'p251', 'p999'])
  list.selection.expect(['p251'], false)
  await settle(list)
  expect([...list.selection.keys]).toEqual(['p1'])
  list.demand(260)
  await settle(list)
  expect([...list.selection.keys]).toEqual(['p1', 'p250'])
})

it('takes the ticks of the list before it over, each as soon as its row is here', async () => {
  const before = await stage.open(honest(500))
  before.demand(350)
  await settle(before)
  before.selection.tickAt(340, false)
  before.selection.tickAt(3, false)
  stage.pause()

  const list = new RowList<Payment>({ idOf: (row) => row.id, read: stage.service().read })
  list.selection.carry(before.selection)
  expect([...list.selection.keys]).toEqual([])
  stage.reopen(list)
  await settle(list)
  expect([...list.selection.keys]).toEqual(['p3'])
  list.demand(350)
  await settle(list)
  expect([...list.selection.keys]).toEqual(['p3', 'p340'])
  // A range goes on where one began before, unless everything was let go.
  list.selection.tickAt(5, true)
  expect([...list.selection.keys].toSorted()).toEqual(['p3', 'p340', 'p4', 'p5'])
  list.selection.clear()
  list.selection.tickAt(8, true)
  expect([...list.selection.keys]).toEqual(['p8'])
})

it('takes no tick over of a row without an id, which nobody could recognise', async () => {
  const service = await startListService(honest(100))
  const nameless = await service.read(undefined, AbortSignal.timeout(1_000))
  const page = { ...nameless, results: nameless.results.map((row) => ({ ...row, id: null })) }
  const ports = { idOf: (row: Payment) => row.id, read: service.read }
  const before = new RowList<Payment>(ports, { page })
  before.selection.tick(0, 1)
  expect(before.selection.keys.size).toBe(2)
  const list = new RowList<Payment>(ports, { page })
  list.selection.carry(before.selection)
  expect(list.selection.keys.size).toBe(0)
  await service.close()
})
