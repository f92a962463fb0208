import { describe, expect, it } from 'vitest'
import { page } from './pagination'
import { payment } from './payments'

const payments = page(payment)
const read = (container: unknown) => payments.safeParse(container)
const continuation = (container: Record<string, unknown>) => read({ results: [], ...container }).data?.continuation

describe('a page of a list', () => {
  it.each([
    ['a bare array', []],
    ['results missing', { hasMore: false }],
    ['results null', { results: null, hasMore: false }],
    ['results an object', { results: { 0: {} }, hasMore: false }],
    ['results text', { results: '[]', hasMore: false }],
    ['nothing', undefined],
    ['text', 'results'],
  ])('is refused as a whole when it is %s (UP-21)', (_, container) => {
    expect(read(container).success).toBe(false)
  })

  it('keeps the other rows when one cannot be read, and counts it', () => {
    const { data } = read({ results: [{ id: 'a' }, null, 'x', [], 7, { id: 'b' }], hasMore: false })
    expect(data?.results.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(data?.unreadable).toBe(4)
  })

  it('takes at most 10,000 items of one reply and then says that the list is incomplete (UP-21)', () => {
    const { data } = read({ results: Array.from({ length: 100_001 }, (_, id) => ({ id: `${id}` })), hasMore: false })
    expect(data?.results).toHaveLength(10_000)
    expect(data?.continuation).toEqual({ kind: 'incomplete', reason: 'page-too-long' })
    const whole = read({ results: Array.from({ length: 10_000 }, () => ({})), hasMore: false })
    expect(whole.data?.continuation).toEqual({ kind: 'end' })
  })
})

describe('how the walk goes on', () => {
  it('with the offset that was told, whatever characters it has', () => {
    expect(continuation({ hasMore: true, nextOffset: 'abc' })).toEqual({ kind: 'more', after: 'abc' })
    expect(continuation({ hasMore: true, nextOffset: 40 })).toEqual({ kind: 'more', after: '40' })
    expect(continuation({ hasMore: true, nextOffset: '&limit=1#../\r\n' })).toMatchObject({ kind: 'more' })
  })

  it.each([undefined, null, '', {}, [], true, Number.NaN])(
    'not at all when more is promised with the offset %j (UP-23)',
    (nextOffset) => {
      expect(continuation({ hasMore: true, nextOffset })).toEqual({ kind: 'incomplete', reason: 'no-offset' })
    },
  )

  it('not with an offset longer than 4 KB (UP-25)', () => {
    expect(continuation({ hasMore: true, nextOffset: 'x'.repeat(4096) })).toMatchObject({ kind: 'more' })
    expect(continuation({ hasMore: true, nextOffset: 'x'.repeat(4097) })).toEqual({
      kind: 'incomplete',
      reason: 'offset-too-long',
    })
  })

  it('to the end on a literal false, offset or not', () => {
    expect(continuation({ hasMore: false })).toEqual({ kind: 'end' })
    expect(continuation({ hasMore: false, nextOffset: 'abc' })).toEqual({ kind: 'end' })
  })

  it.each([undefined, null, 'false', 'true', 0, 1, ''])('not at all when hasMore is %j: that is no word', (hasMore) => {
    expect(continuation({ hasMore, nextOffset: 'abc' })).toEqual({ kind: 'incomplete', reason: 'no-word' })
  })
})
