import { afterEach, describe, expect, it } from 'vitest'
import type { Payment } from '@/lib/contract/payments'
import { RowList } from './row-list'
import { type ListService, makePayments, startListService, until } from './testing/list-service'

let service: ListService | undefined
let close: (() => void) | undefined

afterEach(async () => {
  close?.()
  close = undefined
  await service?.close()
})

async function openList(answer: Parameters<typeof startListService>[0]): Promise<RowList<Payment>> {
  service = await startListService(answer)
  const list = new RowList<Payment>({ idOf: (row) => row.id, read: service.read })
  close = list.open()
  return list
}

function ids(list: RowList<Payment>): string[] {
  return Array.from({ length: list.size }, (_, index) => list.keyAt(index))
}

async function settle(list: RowList<Payment>): Promise<void> {
  await until(() => list.walk.kind !== 'loading')
}

/** An honest service of `total` payments in pages of 100. */
function honest(total: number) {
  return (after: string | null) => {
    const first = after === null ? 0 : Number(after)
    const count = Math.min(100, total - first)
    const hasMore = first + count < total
    return {
      body: { results: makePayments(first, count), hasMore, nextOffset: hasMore ? String(first + count) : null },
    }
  }
}

describe('walking', () => {
  it('keeps 200 rows ready beyond what can be seen, and no more', async () => {
    const list = await openList(honest(2_000))
    list.demand(20)
    await settle(list)
    expect(list.size).toBe(300)
    list.demand(150)
    await settle(list)
    expect(list.size).toBe(400)
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(service?.requests).toHaveLength(4)
  })

  it('asks for one page at a time and reaches all rows in order', async () => {
    const list = await openList(honest(2_000))
    for (let end = 100; end <= 2_000; end += 100) {
      list.demand(end)
      list.demand(end)
      await settle(list)
    }
    expect(list.walk).toEqual({ kind: 'complete' })
    expect(ids(list)).toEqual(Array.from({ length: 2_000 }, (_, index) => `p${index}`))
    expect(service?.requests).toEqual([null, ...Array.from({ length: 19 }, (_, index) => String((index + 1) * 100))])
  })

  it('loads the next page when a person asks for it, whatever can be seen', async () => {
    const list = await openList(honest(1_000))
    await settle(list)
    const before = list.size
    list.loadMore()
    await settle(list)
    expect(list.size).toBe(before + 100)
  })

  it('begins with the page that the server read, without asking for it again', async () => {
    service = await startListService(honest(500))
    const first = await service.read(undefined, AbortSignal.timeout(1_000))
    const list = new RowList<Payment>({ idOf: (row) => row.id, read: service.read }, { page: first })
    expect(list.size).toBe(100)
    close = list.open()
    list.demand(10)
    await settle(list)
    expect(service.requests).toEqual([null, '100', '200'])
  })

  it('stops asking when it is put away and goes on where it was', async () => {
    const list = await openList(honest(1_000))
    list.demand(50)
    close?.()
    close = list.open()
    list.demand(50)
    await settle(list)
    expect(ids(list)).toEqual(Array.from({ length: 300 }, (_, index) => `p${index}`))
  })
})

describe('a hostile service', () => {
  it('stops at an offset that repeats itself (UP-22)', async () => {
    const list = await openList((_, count) => ({
      body: { results: makePayments(count * 10, 10), hasMore: true, nextOffset: 'same' },
    }))
    await settle(list)
    expect(list.walk).toEqual({ kind: 'incomplete', reason: 'offset-repeated' })
    expect(list.size).toBe(20)
    expect(service?.requests).toEqual([null, 'same'])
  })

  it('stops at offsets that go in a circle (UP-22)', async () => {
    const list = await openList((after, count) => ({
      body: { results: makePayments(count * 10, 10), hasMore: true, nextOffset: after === 'A' ? 'B' : 'A' },
    }))
    await settle(list)
    expect(list.walk).toEqual({ kind: 'incomplete', reason: 'offset-repeated' })
    expect(service?.requests).toEqual([null, 'A', 'B'])
  })

  it('stops at a service that ignores after and gives page one for ever (UP-36)', async () => {
    const list = await openList((_, count) => ({
      body: { results: makePayments(0, 10), hasMore: true, nextOffset: `offset-${count}` },
    }))
    await settle(list)
    expect(list.walk).toEqual({ kind: 'incomplete', reason: 'nothing-new' })
    expect(list.size).toBe(10)
    expect(service?.requests.length).toBeLessThanOrEqual(21)
  })

  it.each([[undefined], [null], [''], [{}], [['a']], [true]])(
    'stops where more is promised with nextOffset %j (UP-23)',
    async (nextOffset) => {
      const list = await openList(() => ({ body: { results: makePayments(0, 10), hasMore: true, nextOffset } }))
      await settle(list)
      expect(list.walk).toEqual({ kind: 'incomplete', reason: 'no-offset' })
      expect(list.size).toBe(10)
      expect(service?.requests).toHaveLength(1)
    },
  )

  it('goes on with a nextOffset that is a number (UP-23)', async () => {
    const list = await openList((after) => ({
      body: { results: makePayments(after === null ? 0 : 10, 10), hasMore: after === null, nextOffset: 0 },
    }))
    await settle(list)
    expect(list.walk).toEqual({ kind: 'complete' })
    expect(service?.requests).toEqual([null, '0'])
  })

  it('sends back a hostile nextOffset as one value, and none that is too long (UP-25)', async () => {
    const hostile = '../&limit=1#\r\nx: y?%2f'
    const list = await openList((after) => ({
      body: {
        results: makePayments(after ? 10 : 0, 10),
        hasMore: true,
        nextOffset: after === null ? hostile : 'x'.repeat(100_000),
      },
    }))
    await settle(list)
    expect(service?.requests).toEqual([null, hostile])
    expect(list.walk).toEqual({ kind: 'incomplete', reason: 'offset-too-long' })
  })

  it('takes a literal false for the end, also beside a nextOffset (UP-24)', async () => {
    const list = await openList(() => ({ body: { results: makePayments(0, 10), hasMore: false, nextOffset: 'x' } }))
    await settle(list)
    expect(list.walk).toEqual({ kind: 'complete' })
    expect(service?.requests).toHaveLength(1)
  })

  it.each([[undefined], ['true'], ['false'], [1], [null]])(
    'does not take hasMore %j for a word (UP-24)',
    async (hasMore) => {
      const list = await openList(() => ({ body: { results: makePayments(0, 10), hasMore, nextOffset: 'x' } }))
      await settle(list)
      expect(list.walk).toEqual({ kind: 'incomplete', reason: 'no-word' })
      expect(service?.requests).toHaveLength(1)
    },
  )

  it('shows an id once, with what was said last, in its first place (UP-26)', async () => {
    const list = await openList((after) => ({
      body:
        after === null
          ? {
              results: [{ id: 'a', status: 'Pending' }, { id: 'b' }, { id: 'a', status: 'Scheduled' }],
              hasMore: true,
              nextOffset: '2',
            }
          : { results: [{ id: 'c' }, { id: 'b', status: 'Settled' }], hasMore: false },
    }))
    await settle(list)
    expect(ids(list)).toEqual(['a', 'b', 'c'])
    expect(list.rowAt(0)?.status).toBe('Scheduled')
    expect(list.rowAt(1)?.status).toBe('Settled')
    expect(list.repeated).toBe(2)
  })

  it('shows rows without an id and counts what is no row at all (UP-20)', async () => {
    const list = await openList(() => ({
      body: { results: [{ status: 'Pending' }, {}, null, 7, { id: 'a' }], hasMore: false },
    }))
    await settle(list)
    expect(list.size).toBe(3)
    expect(new Set(ids(list)).size).toBe(3)
    expect(list.indexOf(list.keyAt(1))).toBe(1)
    expect(list.unreadable).toBe(2)
  })
})

describe('failures', () => {
  it('keeps the rows when a page fails, and goes on when asked to', async () => {
    let broken = true
    const list = await openList((after) =>
      after === '100' && broken ? { status: 500, body: null } : honest(300)(after),
    )
    await settle(list)
    expect(list.walk).toMatchObject({ kind: 'failed', retryAt: null, error: { status: 500 } })
    expect(list.size).toBe(100)
    list.demand(100)
    expect(service?.requests).toHaveLength(2)
    broken = false
    list.loadMore()
    await until(() => list.walk.kind === 'complete')
    expect(list.size).toBe(300)
  })

  it('repeats a 429 by itself, not before the moment that was named', async () => {
    const at: number[] = []
    const list = await openList((after) => {
      at.push(Date.now())
      return at.length === 1 ? { status: 429, headers: { 'retry-after': '1' }, body: null } : honest(50)(after)
    })
    await settle(list)
    expect(list.walk).toMatchObject({ kind: 'failed', retryAt: expect.any(Number) as number })
    list.loadMore()
    list.demand(10)
    expect(service?.requests).toHaveLength(1)
    await until(() => list.walk.kind === 'complete')
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(999)
  })
})

describe('refreshing', () => {
  it('reads the first page only, replaces rows in place and offers the new ones', async () => {
    let newer = 0
    const list = await openList((after) => {
      const reply = honest(1_000)(after)
      return after === null
        ? { body: { ...reply.body, results: [...makePayments(9_000, newer), ...reply.body.results.slice(newer)] } }
        : reply
    })
    list.demand(500)
    await settle(list)
    const asked = service?.requests.length ?? 0
    newer = 3
    await list.refresh(true, AbortSignal.timeout(1_000))
    expect(service?.requests.slice(asked)).toEqual([null])
    expect(list.fresh).toBe(3)
    expect(list.keyAt(0)).toBe('p0')
    list.showFresh()
    expect(ids(list).slice(0, 5)).toEqual(['p9000', 'p9001', 'p9002', 'p0', 'p1'])
    expect(list.indexOf('p0')).toBe(3)
    expect(list.fresh).toBe(0)
  })

  it('offers nothing where newest first was not proven', async () => {
    let newer = 0
    const list = await openList(() => ({ body: { results: makePayments(-newer, 10), hasMore: false } }))
    await settle(list)
    newer = 2
    await list.refresh(false, AbortSignal.timeout(1_000))
    expect(list.fresh).toBe(0)
  })
})

describe('rules for what the service cannot do', () => {
  it('filters the loaded rows and stops reading after ten pages without a match', async () => {
    const list = await openList(honest(5_000))
    await settle(list)
    list.setRules({ name: 'seven', matches: (row) => row.reference === 'PMT-7' })
    list.demand(1)
    await settle(list)
    expect(ids(list)).toEqual(['p7'])
    expect(list.walk.kind).toBe('more')
    expect(list.rows.size).toBeLessThanOrEqual(1_300)
    const before = list.rows.size
    list.loadMore()
    await settle(list)
    expect(list.rows.size).toBeGreaterThan(before)
  })

  it('sorts rows as they come in, also those far behind', async () => {
    const list = await openList(honest(600))
    list.setRules({
      name: 'down',
      compare: (left, right) => Number(right.reference?.slice(4)) - Number(left.reference?.slice(4)),
    })
    list.demand(600)
    await until(() => list.walk.kind === 'complete')
    expect(ids(list)).toEqual(Array.from({ length: 600 }, (_, index) => `p${599 - index}`))
    expect(list.indexOf('p599')).toBe(0)
  })

  it('looks at many rows slice by slice', async () => {
    const list = await openList(honest(10_000))
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
  const list = await openList((after) => {
    const { body } = honest(500)(after)
    return { body: { ...body, results: body.results.map((row) => ({ ...row, status })) } }
  })
  list.demand(100)
  await settle(list)
  const asked = service?.requests.length
  status = 'Cancelled'
  expect(await list.readAgain('p150', AbortSignal.timeout(1_000))).toBe(true)
  expect(service?.requests.slice(asked)).toEqual(['100'])
  expect(list.rows.get('p150')?.status).toBe('Cancelled')
  expect(list.rows.get('p50')?.status).toBe('Pending')
  expect(list.rows.get('p250')?.status).toBe('Pending')
})

it('keeps what was ticked by id', async () => {
  const list = await openList(honest(100))
  await settle(list)
  list.toggle('p5')
  list.toggle('p6')
  list.toggle('p5')
  expect([...list.selected]).toEqual(['p6'])
})
