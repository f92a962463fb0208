import { afterEach, describe, expect, it } from 'vitest'
import { makePayments } from '@/lib/client/testing/list-service'
import { readKeys, setListStage } from './testing/open-list'

const stage = setListStage()

afterEach(stage.close)

describe('a hostile service', () => {
  it('stops at an offset that repeats itself (UP-22)', async () => {
    await stage.open((_, count) => ({
      body: { results: makePayments(count * 10, 10), hasMore: true, nextOffset: 'same' },
    }))
    await stage.finish()
    expect(stage.list.pagination).toEqual({ kind: 'incomplete', reason: 'offset-repeated' })
    expect(stage.list.size).toBe(20)
    expect(stage.service.requests).toEqual([null, 'same'])
  })

  it('stops at offsets that go in a circle (UP-22)', async () => {
    await stage.open((after, count) => ({
      body: { results: makePayments(count * 10, 10), hasMore: true, nextOffset: after === 'A' ? 'B' : 'A' },
    }))
    await stage.finish()
    expect(stage.list.pagination).toEqual({ kind: 'incomplete', reason: 'offset-repeated' })
    expect(stage.service.requests).toEqual([null, 'A', 'B'])
  })

  it('stops at a service that ignores after and gives page one for ever (UP-36)', async () => {
    await stage.open((_, count) => ({
      body: { results: makePayments(0, 10), hasMore: true, nextOffset: `offset-${count}` },
    }))
    await stage.finish()
    expect(stage.list.pagination).toEqual({ kind: 'incomplete', reason: 'nothing-new' })
    expect(stage.list.size).toBe(10)
    expect(stage.service.requests).toHaveLength(21)
  })

  it('ends at a service that refuses the offset that it named, and keeps the rows (UP-36)', async () => {
    await stage.open((after) =>
      after === null
        ? { body: { results: makePayments(0, 10), hasMore: true, nextOffset: 'next' } }
        : {
            status: 422,
            headers: { 'content-type': 'application/problem+json' },
            body: { type: 'x/upstream-refused' },
          },
    )
    await stage.finish()
    expect(stage.list.pagination).toEqual({ kind: 'incomplete', reason: 'offset-refused' })
    expect(stage.list.size).toBe(10)
  })

  it.each([[undefined], [null], [''], [{}], [['a']], [true]])(
    'stops where more is promised with nextOffset %j (UP-23)',
    async (nextOffset) => {
      await stage.open(() => ({ body: { results: makePayments(0, 10), hasMore: true, nextOffset } }))
      await stage.finish()
      expect(stage.list.pagination).toEqual({ kind: 'incomplete', reason: 'no-offset' })
      expect(stage.list.size).toBe(10)
      expect(stage.service.requests).toHaveLength(1)
    },
  )

  it('goes on with a nextOffset that is a number (UP-23)', async () => {
    await stage.open((after) => ({
      body: { results: makePayments(after === null ? 0 : 10, 10), hasMore: after === null, nextOffset: 0 },
    }))
    await stage.finish()
    expect(stage.list.pagination).toEqual({ kind: 'complete' })
    expect(stage.service.requests).toEqual([null, '0'])
  })

  it('sends back a hostile nextOffset as one value, and none that is too long (UP-25)', async () => {
    const hostile = '../&limit=1#\r\nx: y?%2f'
    await stage.open((after) => ({
      body: {
        results: makePayments(after ? 10 : 0, 10),
        hasMore: true,
        nextOffset: after === null ? hostile : 'x'.repeat(100_000),
      },
    }))
    await stage.finish()
    expect(stage.service.requests).toEqual([null, hostile])
    expect(stage.list.pagination).toEqual({ kind: 'incomplete', reason: 'offset-too-long' })
  })

  it('does not take a page that is too long for the whole (UP-36)', async () => {
    await stage.open(() => ({ body: { results: makePayments(0, 10_001), hasMore: false } }))
    await stage.finish()
    expect(stage.list.pagination).toEqual({ kind: 'incomplete', reason: 'page-too-long' })
    expect(stage.list.size).toBe(10_000)
  })

  it('takes a literal false for the end, also beside a nextOffset (UP-24)', async () => {
    await stage.open(() => ({ body: { results: makePayments(0, 10), hasMore: false, nextOffset: 'x' } }))
    await stage.finish()
    expect(stage.list.pagination).toEqual({ kind: 'complete' })
    expect(stage.service.requests).toHaveLength(1)
  })

  it.each([[undefined], ['true'], ['false'], [1], [null]])(
    'does not take hasMore %j for a word (UP-24)',
    async (hasMore) => {
      await stage.open(() => ({ body: { results: makePayments(0, 10), hasMore, nextOffset: 'x' } }))
      await stage.finish()
      expect(stage.list.pagination).toEqual({ kind: 'incomplete', reason: 'no-word' })
      expect(stage.service.requests).toHaveLength(1)
    },
  )

  it('shows an id once, with what was said last, in its first place (UP-26)', async () => {
    await stage.open((after) => ({
      body:
        after === null
          ? {
              results: [{ id: 'a', status: 'Pending' }, { id: 'b' }, { id: 'a', status: 'Scheduled' }],
              hasMore: true,
              nextOffset: '2',
            }
          : { results: [{ id: 'c' }, { id: 'b', status: 'Settled' }], hasMore: false },
    }))
    await stage.finish()
    expect(readKeys(stage.list)).toEqual(['a', 'b', 'c'])
    expect(stage.list.rowAt(0)?.status).toBe('Scheduled')
    expect(stage.list.rowAt(1)?.status).toBe('Settled')
    expect(stage.list.repeated).toBe(2)
  })

  it.each([
    ['grows', (from: number) => Math.max(0, from - 5)],
    ['turns round', (from: number) => (from === 20 ? 0 : from)],
  ])('never claims to be whole where the list %s between its pages, and doubles no row (UP-27)', async (_, shift) => {
    await stage.open((after) => {
      const from = Number(after ?? 0)
      return { body: { results: makePayments(shift(from), 10), hasMore: from < 20, nextOffset: from + 10 } }
    })
    await stage.finish()
    expect(stage.list.pagination).toEqual({ kind: 'incomplete', reason: 'changed' })
    expect(new Set(readKeys(stage.list)).size).toBe(stage.list.size)
  })

  it('claims to be whole where a page names one of its own rows twice: nothing has moved (UP-26)', async () => {
    await stage.open((after) => ({
      body:
        after === null
          ? { results: makePayments(0, 10), hasMore: true, nextOffset: '10' }
          : { results: [...makePayments(10, 10), ...makePayments(12, 1)], hasMore: false },
    }))
    await stage.finish()
    expect([stage.list.pagination, stage.list.size, stage.list.repeated]).toEqual([{ kind: 'complete' }, 20, 1])
  })

  it('bears a list that shrinks between its pages (UP-27)', async () => {
    await stage.open((after) => ({
      body: { results: after === null ? makePayments(0, 10) : [], hasMore: after === null, nextOffset: '10' },
    }))
    await stage.finish()
    expect([stage.list.pagination, stage.list.size]).toEqual([{ kind: 'complete' }, 10])
  })

  it('shows rows without an id and counts what is no row at all (UP-20)', async () => {
    await stage.open(() => ({
      body: { results: [{ status: 'Pending' }, {}, null, 7, { id: 'a' }], hasMore: false },
    }))
    await stage.finish()
    expect(stage.list.size).toBe(3)
    expect(new Set(readKeys(stage.list)).size).toBe(3)
    expect(stage.list.indexOf(stage.list.keyAt(1))).toBe(1)
    expect(stage.list.unreadable).toBe(2)
  })
})
