import { afterEach, describe, expect, it } from 'vitest'
import { CallError } from './api-client'
import { findPayment } from './find-payment'
import { rememberPageOffset } from './page-context'
import { type ListService, makePayments, startListService } from './testing/list-service'

let service: ListService | undefined

afterEach(async () => {
  sessionStorage.clear()
  await service?.close()
})

type Asked = { filter?: string; after?: string }
const asked: Asked[] = []

async function look(id: string, proofs: Record<string, boolean>, total: number, ending: 'end' | 'nothing' = 'end') {
  asked.length = 0
  service = await startListService((after) => {
    const first = after === null ? 0 : Number(after)
    const count = Math.min(100, total - first)
    const hasMore = first + count < total
    const results = makePayments(first, count)
    if (hasMore) return { body: { results, hasMore, nextOffset: String(first + count) } }
    return { body: ending === 'end' ? { results, hasMore: false } : { results } }
  })
  const { read } = service
  const progress: number[] = []
  const finding = await findPayment(id, {
    proofs,
    signal: AbortSignal.timeout(20_000),
    onProgress: (looked) => progress.push(looked),
    fetchPage: async (query, signal) => {
      asked.push(query)
      const page = await read(query.after, signal)
      // An API that supports the filter returns the matches.
      return query.filter
        ? { ...page, results: page.results.filter((row) => query.filter === `id eq '${row.id}'`) }
        : page
    },
  })
  return { finding, progress }
}

describe('looking a payment up', () => {
  it('asks once, by a filter, where that is proven', async () => {
    const { finding } = await look('p7', { 'eq:id': true }, 100)
    expect(finding).toMatchObject({ kind: 'found', payment: { id: 'p7' } })
    expect(asked).toEqual([{ filter: "id eq 'p7'", limit: 100 }])
    expect((await look('p700', { 'eq:id': true }, 100)).finding).toEqual({ kind: 'absent' })
  })

  it('walks the list where the provider drops the filter, and has the proof doubted', async () => {
    service = await startListService((after) => {
      const results = makePayments(after === null ? 0 : 100, 100)
      return { body: after === null ? { results, hasMore: true, nextOffset: '100' } : { results, hasMore: false } }
    })
    const { read } = service
    const doubted: string[] = []
    const lookUp = (id: string, proofs: Record<string, boolean>, quiet = false) =>
      findPayment(id, {
        proofs,
        mayBeHandle: !quiet,
        quiet,
        signal: AbortSignal.timeout(20_000),
        fetchPage: ({ after }, signal) => read(after, signal),
        doubt: (ability) => doubted.push(ability),
      })
    expect(await lookUp('p150', { 'eq:id': true })).toMatchObject({ kind: 'found', payment: { id: 'p150' } })
    expect(await lookUp('p250', { 'eq:id': true, 'eq:handle': true })).toEqual({ kind: 'absent' })
    expect(doubted).toEqual(['eq:id', 'eq:id'])
    // What nobody asked for is worth one read.
    const before = service.requests.length
    expect(await lookUp('p150', { 'eq:id': true }, true)).toEqual({ kind: 'incomplete', scanned: 0 })
    expect(service.requests.length).toBe(before + 1)
  })

  it('doubts no filter of a service that compares without case', async () => {
    service = await startListService(() => ({ body: { results: makePayments(150, 1), hasMore: false } }))
    const { read } = service
    const doubted: string[] = []
    const finding = await findPayment('P150', {
      proofs: { 'eq:id': true },
      signal: AbortSignal.timeout(20_000),
      fetchPage: ({ after }, signal) => read(after, signal),
      doubt: (ability) => doubted.push(ability),
    })
    expect([finding, doubted]).toEqual([{ kind: 'absent' }, []])
  })

  it('walks the list where it is not, and tells how far it came', async () => {
    const { finding, progress } = await look('p250', {}, 1_000)
    expect(finding).toMatchObject({ kind: 'found', payment: { id: 'p250' } })
    expect(progress).toEqual([100, 200])
  })

  it('says that there is none only when the whole list was seen', async () => {
    expect((await look('p999', {}, 250)).finding).toEqual({ kind: 'absent' })
    expect((await look('p999', {}, 250, 'nothing')).finding).toEqual({ kind: 'incomplete', scanned: 250 })
  })

  it.each([
    ['an entry that cannot be read', { results: [...makePayments(100, 1), 7], hasMore: false }],
    ['an entry without an id', { results: [...makePayments(100, 1), { amount: 1 }], hasMore: false }],
    ['an entry of an earlier page', { results: [...makePayments(99, 2)], hasMore: false }],
  ])('does not say that there is none where the list has %s', async (_, last) => {
    service = await startListService((after) => ({
      body: after === null ? { results: makePayments(0, 100), hasMore: true, nextOffset: '100' } : last,
    }))
    const { read } = service
    const finding = await findPayment('p999', {
      proofs: {},
      signal: AbortSignal.timeout(20_000),
      fetchPage: ({ after }, signal) => read(after, signal),
    })
    expect(finding).toMatchObject({ kind: 'incomplete' })
  })

  it('does not say that there is none where the filter brings an entry that cannot be read', async () => {
    const finding = await findPayment('p1', {
      proofs: { 'eq:id': true },
      signal: AbortSignal.timeout(20_000),
      fetchPage: async () => ({ results: [], unreadable: 1, continuation: { kind: 'end' } }),
    })
    expect(finding).toEqual({ kind: 'incomplete', scanned: 0 })
  })

  it('gives up after 50 pages', async () => {
    const { finding } = await look('p9999', {}, 20_000)
    expect(finding).toEqual({ kind: 'gave-up', scanned: 5_000 })
    expect(service?.requests).toHaveLength(50)
  })

  it('begins where the payment was seen last', async () => {
    rememberPageOffset('p9950', '9900')
    const { finding } = await look('p9950', {}, 20_000)
    expect(finding).toMatchObject({ kind: 'found' })
    expect(service?.requests).toEqual(['9900'])
  })

  it('does not go round in a circle', async () => {
    service = await startListService(() => ({ body: { results: makePayments(0, 10), hasMore: true, nextOffset: 'x' } }))
    const { read } = service
    const finding = await findPayment('p99', {
      proofs: {},
      signal: AbortSignal.timeout(5_000),
      fetchPage: (query, signal) => read(query.after, signal),
    })
    expect(finding).toEqual({ kind: 'incomplete', scanned: 20 })
  })

  it('forgets the place where it was where that fails in any way, and reads the list from its start', async () => {
    rememberPageOffset('p7', 'stale')
    const places: (string | undefined)[] = []
    const lookUp = () =>
      findPayment('p7', {
        proofs: {},
        signal: AbortSignal.timeout(5_000),
        fetchPage: async ({ after }) => {
          places.push(after)
          if (after !== undefined) throw new CallError(502, 'upstream-error', null, null)
          return { results: [], unreadable: 0, continuation: { kind: 'end' } }
        },
      })
    expect(await lookUp()).toEqual({ kind: 'absent' })
    expect(await lookUp()).toEqual({ kind: 'absent' })
    expect(places).toEqual(['stale', undefined, undefined])
  })

  it('does not say that there is none where the service refuses its own place to go on', async () => {
    rememberPageOffset('p99', 'stale')
    const places: (string | undefined)[] = []
    const finding = await findPayment('p99', {
      proofs: {},
      signal: AbortSignal.timeout(5_000),
      fetchPage: async ({ after }) => {
        places.push(after)
        if (after !== undefined) throw new CallError(422, 'upstream-refused', null, null)
        return { results: [], unreadable: 0, continuation: { kind: 'more', after: 'next' } }
      },
    })
    expect([finding, places]).toEqual([{ kind: 'incomplete', scanned: 0 }, ['stale', undefined, 'next']])
  })

  it('finds a UUID in any case, and any other id only as it is spelled', async () => {
    const uuid = '0b0a7c8d-aaaa-4bbb-8ccc-00000000000f'
    const results = [{ id: 'aBcDaQ0z' }, { id: uuid }]
    service = await startListService(() => ({ body: { results, hasMore: false } }))
    const { read } = service
    const lookUp = (id: string) =>
      findPayment(id, {
        proofs: {},
        signal: AbortSignal.timeout(20_000),
        fetchPage: ({ after }, signal) => read(after, signal),
      })
    expect(await lookUp(uuid.toUpperCase())).toMatchObject({ kind: 'found', payment: { id: uuid } })
    expect(await lookUp('AbCdAq0Z')).toEqual({ kind: 'absent' })
  })

  it('waits as long as the service asks, and goes on', async () => {
    const at: number[] = []
    const finding = await findPayment('p1', {
      proofs: {},
      signal: AbortSignal.timeout(20_000),
      fetchPage: async () => {
        at.push(performance.now())
        if (at.length === 1) throw new CallError(429, 'upstream-slow-down', null, 1)
        return { results: [], unreadable: 0, continuation: { kind: 'end' } }
      },
    })
    expect([finding, at.length]).toEqual([{ kind: 'absent' }, 2])
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(990)
    const long = findPayment('p1', {
      proofs: {},
      signal: AbortSignal.timeout(20_000),
      fetchPage: async () => Promise.reject(new CallError(429, 'upstream-slow-down', null, 30)),
    })
    await expect(long).rejects.toMatchObject({ status: 429, retryAfter: 30 })
  })
})
