import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { createRequestContext, runWithContext } from '../runtime/request-context'
import { declare } from '../http/route-declaration'
import { cancellations, defaultConnectionId } from '../store/schema'
import { setMemoryStore } from '../testing/store-fixture'
import { ask, last, makeServerStarter } from '../http/testing/test-server'
import { pageSections } from './route-label'
import { renderMetrics } from './scrape'

const token = 'a-token-for-the-tests-of-the-metrics'
const start = makeServerStarter()
const scrape = (authorization = `Bearer ${token}`) =>
  ask('/metrics', `${last}${authorization === '' ? '' : `Authorization: ${authorization}\r\n`}`)

let store: OpenDatabase

beforeAll(async () => {
  store = await setMemoryStore()
})
beforeEach(() => {
  globalThis.debitdeskInstruments = undefined
  globalThis.debitdeskStoreReading = undefined
})
afterAll(() => store.close())

describe('GET /metrics', () => {
  const handle = async () => {
    throw new Error('Next is not asked')
  }

  it('answers a scrape with the token, never cached', async () => {
    const { exchange } = await start(handle, { metricsToken: token })
    const reply = await exchange(scrape())
    expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n/u)
    expect(reply).toMatch(/\r\ncontent-type: text\/plain; version=0\.0\.4; charset=utf-8\r\n/iu)
    expect(reply).toMatch(/\r\ncache-control: no-store\r\n/iu)
    expect(reply).toContain('nodejs_eventloop_lag_p99_seconds')
    expect(reply).toMatch(/^debitdesk_store_up 1$/mu)
  })

  it.each([
    '',
    'Bearer',
    'Bearer wrong',
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
    `Basic ${token}`,
    `Bearer ${token} ${token}`,
  ])('does not exist for %j', async (authorization) => {
    const { exchange } = await start(handle, { metricsToken: token })
    const reply = await exchange(scrape(authorization))
    expect(reply).toMatch(/^HTTP\/1\.1 404 /u)
    expect(reply).not.toContain('debitdesk_')
  })

  it('does not exist without a METRICS_TOKEN, nor for another method', async () => {
    const without = await start(handle)
    expect(await without.exchange(scrape())).toMatch(/^HTTP\/1\.1 404 /u)
    await without.close()
    const { exchange } = await start(handle, { metricsToken: token })
    expect(await exchange(scrape().replace('GET', 'POST'))).toMatch(/^HTTP\/1\.1 404 /u)
  })
})

describe('requests', () => {
  const open = { kind: 'open', why: 'test' } as const
  const answered = async (target: string, params: Record<string, string | string[]>) => {
    const handler = declare(open, async () => new Response('{}'))
    const { exchange, close } = await start(async (request, response) => {
      await handler(new Request(`http://desk.example${request.url}`), { params: Promise.resolve(params) })
      response.end()
    })
    await exchange(ask(target, last))
    await close()
  }

  it.each([
    ['/api/desk/bulk/b-1/rows?after=2', { bulkId: 'b-1' }, '/api/desk/bulk/[bulkId]/rows'],
    ['/api/service/Payments/%C3%A5%20b', { paymentId: 'å b' }, '/api/service/Payments/[paymentId]'],
    ['/api/service/Payments/a:b', { paymentId: 'a:b' }, '/api/service/Payments/[paymentId]'],
    ['/hooks/canary-secret', { secret: 'canary-secret' }, '/hooks/[secret]'],
    ['/api/canary/canary', { unknown: ['canary', 'canary'] }, '/api/[...unknown]'],
  ])('of %s count under their template', async (target, params, route) => {
    await answered(target, params)
    const text = await renderMetrics()
    expect(text).toContain(`debitdesk_http_requests_total{method="GET",route="${route}",status="200"} 1`)
    expect(text).not.toContain('canary')
  })

  it('of whatever clients invent make no label', async () => {
    const { exchange } = await start(async (_, response) => void response.writeHead(404).end())
    for (let index = 0; index < 30; index += 1) {
      await exchange(ask(`/canary-${index}`, last))
      await exchange(`PROPFIND /payments/canary-${index} HTTP/1.1\r\nHost: desk\r\n${last}\r\n`)
      await exchange(ask(`//canary-${index}`, last))
    }
    const text = await renderMetrics()
    expect(text).not.toContain('anary')
    expect(text.match(/^debitdesk_http_requests_total\{.*$/gmu)).toHaveLength(3)
  })

  it('of pages count under the first folder of the page', () => {
    const folders = ['app', 'app/(dashboard)'].flatMap((folder) =>
      readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !/^(?:\(.*|_.*|api|hooks)$/u.test(entry.name))
        .filter(({ name }) =>
          readdirSync(`${folder}/${name}`, { recursive: true, encoding: 'utf8' }).some((path) =>
            path.endsWith('page.tsx'),
          ),
        )
        .map(({ name }) => name),
    )
    expect(folders.toSorted((one, other) => one.localeCompare(other))).toEqual(
      pageSections.toSorted((one, other) => one.localeCompare(other)),
    )
  })

  it('have no duration while their events go on', async () => {
    const { exchange } = await start(async (_, response) => {
      response.setHeader('content-type', 'text/event-stream')
      response.end('data: 1\n\n')
    })
    await exchange(ask('/', last))
    const text = await renderMetrics()
    expect(text).toContain('debitdesk_http_requests_total{method="GET",route="/",status="200"} 1')
    expect(text).not.toContain('debitdesk_http_request_duration_seconds_count')
  })

  it('have the route of the handler in their context alone', async () => {
    const context = createRequestContext({ headers: {}, socket: {} } as never)
    const handler = declare(open, async () => new Response('{}'))
    await runWithContext(context, () =>
      handler(new Request('http://desk.example/api/desk/notes/7'), { params: Promise.resolve({ noteId: '7' }) }),
    )
    expect(context.route).toBe('/api/desk/notes/[noteId]')
  })
})

describe('the gauges of the store', () => {
  const add = (
    state: 'unknown' | 'needs-person' | 'cancelled',
    minutes: number,
    { isHandled = false, paymentId = crypto.randomUUID() } = {},
  ) =>
    store.db.insert(cancellations).values({
      id: crypto.randomUUID(),
      connectionId: defaultConnectionId,
      paymentId,
      clientKey: crypto.randomUUID(),
      userId: crypto.randomUUID(),
      userEmail: 'canary@example.com',
      reason: 'canary',
      state,
      undecidedSince: new Date(Date.now() - minutes * 60_000),
      createdAt: new Date(Date.now() - minutes * 60_000),
      closedAt: state === 'unknown' ? null : new Date(),
      handled: isHandled ? { at: '', by: '', userId: '', note: '' } : null,
    })
  const read = (text: string, name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length + 1),
    )

  it('count open cancellations by state, with the age of the oldest', async () => {
    await add('unknown', 7)
    await add('unknown', 3)
    await add('needs-person', 9)
    await add('needs-person', 20, { isHandled: true })
    const paymentId = 'taken-over'
    await add('needs-person', 30, { paymentId })
    await add('cancelled', 10, { paymentId })
    await add('cancelled', 11)
    const text = await renderMetrics()
    expect(read(text, 'debitdesk_cancellations{state="unknown"}')).toBe(2)
    expect(read(text, 'debitdesk_cancellations{state="needs-person"}')).toBe(1)
    expect(read(text, 'debitdesk_cancellations{state="sending"}')).toBe(0)
    expect(text).not.toContain('state="cancelled"')
    const age = read(text, 'debitdesk_cancellations_oldest_seconds{state="unknown"}')
    expect(age).toBeGreaterThanOrEqual(7 * 60 - 1)
    expect(age).toBeLessThan(8 * 60)
    expect(text).not.toContain('canary')
  })

  it('are read once in ten seconds', async () => {
    const before = await renderMetrics()
    await add('unknown', 1)
    const reads = 'debitdesk_store_duration_seconds_count{operation="read"}'
    const after = await renderMetrics()
    expect([read(before, reads), read(after, reads)]).toEqual([1, 1])
    const unknown = 'debitdesk_cancellations{state="unknown"}'
    expect(read(after, unknown)).toBe(read(before, unknown))
  })

  it('are absent while the store fails', async () => {
    const opened = globalThis.debitdeskStore
    await renderMetrics()
    globalThis.debitdeskStore = Promise.reject(new Error('down'))
    globalThis.debitdeskStore.catch(() => undefined)
    globalThis.debitdeskStoreReading = undefined
    const text = await renderMetrics()
    globalThis.debitdeskStore = opened
    expect(read(text, 'debitdesk_store_up')).toBe(0)
    expect(text).not.toMatch(/^debitdesk_(?:cancellations|bulks)\{/mu)
    expect(text).not.toContain('queue="mail"')
  })
})
