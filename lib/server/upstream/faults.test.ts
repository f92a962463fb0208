import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { endpoints } from '@/lib/api-contract/endpoints'
import { listOmissions } from '@/lib/api-contract/record-fields'
import { retryOnRateLimit } from './retry'
import { getConnection } from './connection'
import type { AppError } from '../runtime/app-error'
import { callEndpoint } from './call-endpoint'
import { RetryBudget } from './upstream-state'
import { type FaultService, type Script, startFaultService } from '../testing/fault-service'
import { makeSession } from '../testing/store-fixture'
import { callUpstream, type UpstreamCall, type UpstreamReply } from './call-upstream'

const session = makeSession('admin')
const empty: Script = { body: JSON.stringify({ results: [], hasMore: false }) }

let script: (count: number) => Script | Promise<Script>
let service: FaultService

beforeAll(async () => {
  service = await startFaultService(() => script(service.requests.length))
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
})
beforeEach(() => {
  service.requests.length = 0
  globalThis.debitdeskUpstreamStates = undefined
  globalThis.debitdeskLimits = undefined
  script = () => empty
})
afterAll(() => service.close())

// Each as a different user, because concurrent reads are limited per user.
const list = (retry = false): Promise<unknown> => callEndpoint(makeSession('admin'), 'listPayments', { retry })
const fail = (retry = false): Promise<AppError> =>
  list(retry).then(
    () => Promise.reject(new Error('it was answered')),
    (error: AppError) => error,
  )

describe('a service that asks to slow down', () => {
  it('and says for how long is not asked before that (UP-07)', async () => {
    script = () => ({ status: 429, headers: { 'retry-after': '7' } })
    expect(await fail(true)).toMatchObject({ code: 'upstream-slow-down', evidence: { retryAfter: 7 } })
    expect(service.requests).toHaveLength(1)
  })

  it('and does not say for how long is asked three times by who is patient, else once (UP-08)', async () => {
    script = () => ({ status: 429 })
    expect(await fail(true)).toMatchObject({ code: 'upstream-slow-down', evidence: { retryAfter: 5 } })
    expect(service.requests).toHaveLength(3)
    await fail()
    expect(service.requests).toHaveLength(4)
  })

  it('waits longer each time, by chance, and no longer than the deadline lets it (UP-08)', async () => {
    const reply: UpstreamReply = { status: 429, headers: {}, mediaType: null, json: undefined, text: '' }
    const at: number[] = []
    const ask = async () => {
      at.push(performance.now())
      return reply
    }
    await retryOnRateLimit(ask, { budget: new RetryBudget(), deadline: 10_000, random: () => 0.2 })
    const [first = 0, second = 0, third = 0] = at
    expect([second - first >= 195, third - second >= 395, at.length]).toEqual([true, true, 3])
    at.length = 0
    await retryOnRateLimit(ask, { budget: new RetryBudget(), deadline: 500, random: () => 0.9 })
    expect(at).toHaveLength(1)
  })

  it('is not asked for a write again', async () => {
    script = () => ({ status: 429 })
    const create = callEndpoint(session, 'createCustomer', { body: { name: 'A' }, retry: true })
    await expect(create).rejects.toMatchObject({ code: 'upstream-slow-down' })
    expect(service.requests).toHaveLength(1)
  })

  it('meets at most a tenth more requests than people made (UP-10)', async () => {
    script = () => ({ status: 429 })
    for (let wave = 0; wave < 4; wave += 1) await Promise.all(Array.from({ length: 100 }, () => fail(true)))
    expect(service.requests.length).toBeGreaterThan(400)
    expect(service.requests.length).toBeLessThanOrEqual(440)
  })
})

describe('a service whose sockets break', () => {
  it('meets at most a tenth more reads than people made', async () => {
    script = (count) => (count % 2 === 0 ? { resetBefore: true } : empty)
    for (let turn = 0; turn < 200; turn += 1) await list().catch(() => undefined)
    expect(service.requests.length).toBeLessThanOrEqual(220)
  })

  it('is left alone after five in a row, but for a cancellation that is marked as sending', async () => {
    script = () => ({ resetBefore: true })
    for (let turn = 0; turn < 8; turn += 1) expect((await fail()).code).toBe('upstream-unreachable')
    expect(service.requests).toHaveLength(5)
    expect(await fail()).toMatchObject({ evidence: { written: false, retryAfter: expect.any(Number) } })
    script = () => ({ status: 202 })
    const call = { params: { paymentId: 'p' }, body: { text: 'x' } }
    expect((await callUpstream(getConnection('default'), endpoints.cancelPayment, call)).status).toBe(202)
    script = () => empty
    expect(await list()).toMatchObject({ results: [] })
  })

  it('half of the time is read again as soon as it is well (UP-34)', async () => {
    script = (count) => (count % 2 === 0 ? { status: 500 } : { resetBefore: true })
    for (let turn = 0; turn < 40; turn += 1) await list().catch(() => undefined)
    script = () => empty
    expect(await list()).toMatchObject({ results: [] })
  })
})

describe('many at once', () => {
  it('are at most 128 under way, the others wait for their turn', async () => {
    let under = 0
    let most = 0
    script = async () => {
      under += 1
      most = Math.max(most, under)
      await new Promise((resolve) => setTimeout(resolve, 150))
      under -= 1
      return empty
    }
    await Promise.all(Array.from({ length: 300 }, () => list()))
    expect([most <= 128, service.requests.length]).toEqual([true, 300])
  })

  it('wait no longer than their own time, and of what is given up meanwhile nothing is sent', async () => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    script = async () => {
      await held
      return empty
    }
    const running = Promise.all(Array.from({ length: 128 }, () => list()))
    await vi.waitUntil(() => service.requests.length === 128, { timeout: 10_000 })
    const call = (options: UpstreamCall) => callUpstream(getConnection('default'), endpoints.listPayments, options)
    const unsent = { code: 'upstream-timeout', evidence: { written: false, isHeldBack: true } }
    await expect(call({ deadline: 30 })).rejects.toMatchObject(unsent)
    await expect(call({ signal: AbortSignal.timeout(30) })).rejects.toMatchObject(unsent)
    release()
    await running
    expect(service.requests).toHaveLength(128)
  })
})

describe('a reply that is odd', () => {
  const raw = (head: string, body = '') => ({
    raw: `HTTP/1.1 ${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  })

  it.each<[string, Script, string]>([
    ['204 on a list', { status: 204, headers: {} }, 'upstream-bad-reply'],
    ['205 on a list', { status: 205, headers: {} }, 'upstream-bad-reply'],
    ['200 without a body on a list', { headers: {}, body: '' }, 'upstream-bad-reply'],
    ['200 with null', { body: 'null' }, 'upstream-bad-reply'],
    ['304, for which nobody asked', { status: 304, headers: {} }, 'upstream-bad-reply'],
    ['418', { status: 418 }, 'upstream-refused'],
    ['599', { status: 599 }, 'upstream-error'],
    ['600', raw('600 Odd', '{}'), 'upstream-error'],
  ])('%s is told as what it is (UP-32)', async (_, answer, code) => {
    script = () => answer
    expect((await fail()).code).toBe(code)
  })

  it('after a 103 is read as if there had been none (UP-32)', async () => {
    const body = '{"results":[],"hasMore":false}'
    const head = 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'
    const rest = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    script = () => ({ raw: head + rest })
    expect(await list()).toMatchObject({ results: [], continuation: { kind: 'end' } })
  })

  it('with an absurd Date changes nothing (UP-35)', async () => {
    for (const date of ['Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', 'yesterday']) {
      script = () => ({ ...empty, headers: { 'content-type': 'application/json', date } })
      expect(await list()).toMatchObject({ results: [] })
    }
  })

  it.each(['status', 'amount', 'currency', 'id'])(
    'that says a payment’s %s twice is not believed in that, its other payments are (UP-30)',
    async (key) => {
      const payment = `{"${key}":"Cancelled","note":"\\"${key}\\":","inner":{"${key}":1},"${key}" : "Pending"}`
      script = () => ({ body: `{"results":[{"id":"1","status":"Pending"},${payment}],"hasMore":false}` })
      const { results } = await callEndpoint(session, 'listPayments')
      expect(results[0]).toMatchObject({ id: '1', status: 'Pending' })
      expect(results[1]).toMatchObject({ [key]: null, inner: { [key]: 1 } })
      expect(results.map((row) => listOmissions(row))).toEqual([[], [{ field: key, why: 'twice' }]])
    },
  )

  it('that gives its list twice, with different payments, is refused with the reason', async () => {
    script = () => ({ body: '{"results":[{"id":"1"}],"results":[{"id":"2"}],"hasMore":false}' })
    const { code, evidence } = await fail()
    expect(code).toBe('upstream-bad-reply')
    expect(evidence.detail).toContain('results is given twice, with different values')
  })

  it('that says the same of two payments, or inside one, is read', async () => {
    const payment = '{"id":"1","status":"status","customer":{"id":"2"},"mandate":{"id":"3","status":"x"}}'
    script = () => ({ body: `{"results":[${payment},${payment}],"hasMore":false}` })
    expect(await list()).toMatchObject({ results: { length: 2 } })
  })

  it.each([
    ['a later refusal of every parameter', (path: string): Script => (path.includes('?') ? { status: 400 } : empty)],
    [
      'a page size of ten at most',
      (path: string): Script => (/limit=(?!10(?!\d))/u.test(path) ? { status: 422 } : empty),
    ],
  ])('%s is found out once, at the cost of four requests (UP-36)', async (_, answer) => {
    script = () => answer(service.requests.at(-1)?.path ?? '')
    const read = () => callEndpoint(session, 'listPayments', { query: { limit: '100' } })
    expect(await read()).toMatchObject({ results: [] })
    expect(service.requests).toHaveLength(5)
    await read()
    expect(service.requests).toHaveLength(6)
  })

  it('that refuses a filter, too, is not taken for one that refuses every page size (UP-36)', async () => {
    script = () => (service.requests.at(-1)?.path.includes('?') ? { status: 400 } : empty)
    const filtered = callEndpoint(session, 'listPayments', { query: { filter: "id eq 'x'", limit: '2' } })
    await expect(filtered).rejects.toMatchObject({ code: 'upstream-refused' })
    expect(await callEndpoint(session, 'listPayments', { query: { limit: '100' } })).toMatchObject({ results: [] })
  })

  it.each([{}, { filter: "id eq 'x'" }])('that refuses a page once in passing keeps its size: %j', async (query) => {
    let refusals = 1
    script = () => (refusals-- > 0 ? { status: 400 } : empty)
    const read = () => callEndpoint(session, 'listPayments', { query: { ...query, limit: '100' } })
    await read()
    service.requests.length = 0
    await read()
    expect(service.requests.map(({ path }) => new URL(path, 'http://x').searchParams.get('limit'))).toEqual(['100'])
  })

  it('that refuses every page size is not asked with each of them again and again', async () => {
    script = () => ({ status: 400 })
    const read = () => callEndpoint(session, 'listPayments', { query: { limit: '100' } }).catch(() => undefined)
    for (let turn = 0; turn < 10; turn += 1) await read()
    expect(service.requests.length).toBeLessThanOrEqual(13)
  })
})

describe('a status that seldom refuses a page size', () => {
  const page = (): Promise<unknown> => callEndpoint(makeSession('admin'), 'listPayments', { query: { limit: '100' } })

  it.each([403, 404, 500])(
    'of %i means that the list takes none where it is answered without one (UP-36)',
    async (status) => {
      script = () => (service.requests.at(-1)?.path.includes('limit=') ? { status } : empty)
      for (let turn = 0; turn < 3; turn += 1) expect(await page()).toMatchObject({ results: [] })
      const asked = service.requests.map(({ path }) => path.includes('limit='))
      expect(asked).toEqual([true, false, true, false, false])
    },
  )

  it.each([403, 404, 503])('of %i costs no more than one request in a minute where it stays', async (status) => {
    script = () => ({ status })
    await Promise.all(Array.from({ length: 20 }, () => page().catch(() => undefined)))
    await page().catch(() => undefined)
    expect(service.requests).toHaveLength(22)
  })

  it('once in passing hides no refusal of the page size that follows', async () => {
    script = () => ({ status: 503 })
    await page().catch(() => undefined)
    script = () => (service.requests.at(-1)?.path.includes('limit=100') ? { status: 400 } : empty)
    expect(await page()).toMatchObject({ results: [] })
  })

  it('is none where the same page is answered right after it', async () => {
    script = (count) => (count === 1 ? { status: 500 } : empty)
    for (let turn = 0; turn < 2; turn += 1) expect(await page()).toMatchObject({ results: [] })
    expect(service.requests.map(({ path }) => path.includes('limit='))).toEqual([true, false, true, true])
  })

  it('is not asked about where a page of the size was answered before, nor with a filter', async () => {
    script = () => ({ status: 500 })
    await callEndpoint(session, 'listPayments', { query: { filter: 'x', limit: '100' } }).catch(() => undefined)
    expect(service.requests).toHaveLength(1)
    script = () => empty
    await page()
    script = () => ({ status: 500 })
    await page().catch(() => undefined)
    expect(service.requests).toHaveLength(3)
  })
})
