import { afterEach, describe, expect, it, vi } from 'vitest'
import { listPayments } from '@/lib/api-contract/payments'
import { findPayment } from './find-payment'
import { rememberPageOffset } from './page-context'
import type { DeskReply } from './testing/desk-server'
import { makePayments } from './testing/list-service'
import { setDeskForEach } from './testing/page'

const desk = setDeskForEach()
afterEach(() => sessionStorage.clear())

const readQuery = (path: string) => new URL(path, 'http://desk').searchParams
const reads = () => desk.arrived.filter(({ path }) => path.startsWith('/api/service/Payments?'))
/** The `after` of every read; null if absent. */
const places = () => reads().map(({ path }) => readQuery(path).get('after'))
const doubted = () => desk.arrived.filter(({ path }) => path === '/api/desk/capabilities').map(({ body }) => body)

/** A page as the desk passes it on. */
const page = (body: unknown): DeskReply => ({ json: listPayments.reply.parse(body) })
const problem = (status: number, code: string, headers = {}): DeskReply => ({
  status,
  headers,
  json: { type: `urn:debitdesk:${code}`, title: code, status },
})

/** Sets the replies to reads of the list. */
function answerReads(answer: (after: string | null, filter: string | null) => DeskReply): void {
  desk.answerWith(({ path }) => {
    const query = readQuery(path)
    return path.startsWith('/api/service/') ? answer(query.get('after'), query.get('filter')) : { json: { proofs: {} } }
  })
}

type Options = Partial<Parameters<typeof findPayment>[1]>

const find = (id: string, options: Options = {}) =>
  findPayment(id, { proofs: {}, signal: AbortSignal.timeout(20_000), ...options })

/** Looks in a list of so many payments, whose service applies filters. */
async function look(id: string, proofs: Record<string, boolean>, total: number, ending: 'end' | 'nothing' = 'end') {
  answerReads((after, filter) => {
    const first = after === null ? 0 : Number(after)
    const count = Math.min(100, total - first)
    const hasMore = first + count < total
    const results = makePayments(first, count).filter(
      (row) => filter === null || filter === `id eq '${String(row['id'])}'`,
    )
    if (hasMore) return page({ results, hasMore, nextOffset: String(first + count) })
    return page(ending === 'end' ? { results, hasMore: false } : { results })
  })
  const progress: number[] = []
  const finding = await find(id, { proofs, onProgress: (looked) => progress.push(looked) })
  return { finding, progress }
}

describe('looking a payment up', () => {
  it('asks once, by a filter, where that is proven', async () => {
    const { finding } = await look('p7', { 'eq:id': true }, 100)
    expect(finding).toMatchObject({ kind: 'found', payment: { id: 'p7' } })
    expect(reads().map(({ path }) => Object.fromEntries(readQuery(path)))).toEqual([
      { filter: "id eq 'p7'", limit: '100' },
    ])
    expect((await look('p700', { 'eq:id': true }, 100)).finding).toEqual({ kind: 'absent' })
  })

  it('walks the list where the provider drops the filter, and has the proof doubted', async () => {
    answerReads((after) => {
      const results = makePayments(after === null ? 0 : 100, 100)
      return page(after === null ? { results, hasMore: true, nextOffset: '100' } : { results, hasMore: false })
    })
    const mayBeHandle = true
    expect(await find('p150', { proofs: { 'eq:id': true }, mayBeHandle })).toMatchObject({
      kind: 'found',
      payment: { id: 'p150' },
    })
    expect(await find('p250', { proofs: { 'eq:id': true, 'eq:handle': true }, mayBeHandle })).toEqual({
      kind: 'absent',
    })
    const doubt = { list: 'listPayments', abilities: ['eq:id'] }
    await vi.waitFor(() => expect(doubted()).toEqual([doubt, doubt]))
    // What nobody asked for is worth one read.
    const before = reads().length
    expect(await find('p150', { proofs: { 'eq:id': true }, quiet: true })).toEqual({ kind: 'incomplete', scanned: 0 })
    expect(reads()).toHaveLength(before + 1)
  })

  it('doubts no filter of a service that compares without case', async () => {
    answerReads(() => page({ results: makePayments(150, 1), hasMore: false }))
    const sent = vi.spyOn(globalThis, 'fetch')
    expect(await find('P150', { proofs: { 'eq:id': true } })).toEqual({ kind: 'absent' })
    // The read alone.
    expect(sent).toHaveBeenCalledTimes(1)
    sent.mockRestore()
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
    answerReads((after) =>
      page(after === null ? { results: makePayments(0, 100), hasMore: true, nextOffset: '100' } : last),
    )
    expect(await find('p999')).toMatchObject({ kind: 'incomplete' })
  })

  it('does not say that there is none where the filter brings an entry that cannot be read', async () => {
    answerReads(() => page({ results: [7], hasMore: false }))
    expect(await find('p1', { proofs: { 'eq:id': true } })).toEqual({ kind: 'incomplete', scanned: 0 })
  })

  it('gives up after 50 pages', async () => {
    const { finding } = await look('p9999', {}, 20_000)
    expect(finding).toEqual({ kind: 'gave-up', scanned: 5_000 })
    expect(reads()).toHaveLength(50)
  })

  it('begins where the payment was seen last', async () => {
    rememberPageOffset('p9950', '9900')
    const { finding } = await look('p9950', {}, 20_000)
    expect(finding).toMatchObject({ kind: 'found' })
    expect(places()).toEqual(['9900'])
  })

  it('does not go round in a circle', async () => {
    answerReads(() => page({ results: makePayments(0, 10), hasMore: true, nextOffset: 'x' }))
    expect(await find('p99')).toEqual({ kind: 'incomplete', scanned: 20 })
  })

  it('forgets the place where it was where that fails in any way, and reads the list from its start', async () => {
    rememberPageOffset('p7', 'stale')
    answerReads((after) => (after === null ? page({ results: [], hasMore: false }) : problem(502, 'upstream-error')))
    expect(await find('p7')).toEqual({ kind: 'absent' })
    expect(await find('p7')).toEqual({ kind: 'absent' })
    expect(places()).toEqual(['stale', null, null])
  })

  it('does not say that there is none where the service refuses its own place to go on', async () => {
    rememberPageOffset('p99', 'stale')
    answerReads((after) =>
      after === null ? page({ results: [], hasMore: true, nextOffset: 'next' }) : problem(422, 'upstream-refused'),
    )
    expect(await find('p99')).toEqual({ kind: 'incomplete', scanned: 0 })
    expect(places()).toEqual(['stale', null, 'next'])
  })

  it('finds a UUID in any case, and any other id only as it is spelled', async () => {
    const uuid = '0b0a7c8d-aaaa-4bbb-8ccc-00000000000f'
    answerReads(() => page({ results: [{ id: 'aBcDaQ0z' }, { id: uuid }], hasMore: false }))
    expect(await find(uuid.toUpperCase())).toMatchObject({ kind: 'found', payment: { id: uuid } })
    expect(await find('AbCdAq0Z')).toEqual({ kind: 'absent' })
  })

  it('waits as long as the service asks, and goes on', async () => {
    const at: number[] = []
    answerReads(() => {
      at.push(performance.now())
      if (at.length === 1) return problem(429, 'upstream-slow-down', { 'retry-after': '1' })
      return page({ results: [], hasMore: false })
    })
    expect([await find('p1'), at.length]).toEqual([{ kind: 'absent' }, 2])
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(990)
    answerReads(() => problem(429, 'upstream-slow-down', { 'retry-after': '30' }))
    await expect(find('p1')).rejects.toMatchObject({ status: 429, retryAfter: 30 })
  })
})
