import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Role } from '@/lib/api-contract/permission'
import type { OpenDatabase } from '@/lib/database/database'
import { serviceHandler } from '../upstream/gateway'
import type { CallableEndpointId } from '../upstream/call-endpoint'
import { parseSettings } from '../runtime/settings'
import { activity } from '../store/schema'
import { type FaultService, type Script, startFaultService } from '../testing/fault-service'
import { keepSession, makeSession, setMemoryStore } from '../testing/store-fixture'
import { appendActivity } from './append'
import { recordSettings } from './record-settings'
import { verifyChain } from './hash-chain'

const origin = 'http://127.0.0.1:3000'
const own = { origin, 'x-debitdesk': '1', 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
const customerId = '0b8f8a2e-4a53-4c7e-9f0e-3f2f6a1c5d10'

let store: OpenDatabase
let service: FaultService
let script: Script
let before = 0

beforeAll(async () => {
  service = await startFaultService(() => script)
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_TOKEN = 'canary-token'
  process.env.NEXTAUTH_URL = origin
  store = await setMemoryStore()
})
beforeEach(async () => {
  before = await store.db.$count(activity)
  service.requests.length = 0
})
afterAll(async () => {
  await service.close()
  await store.close()
  globalThis.debitdeskStore = undefined
})

const readRows = () => store.db.select().from(activity).orderBy(activity.sequence).offset(before)

type Asked = { role?: Role; method: string; params?: Record<string, string>; body?: unknown }

async function ask(id: CallableEndpointId, { role = 'admin', method, params, body }: Asked) {
  const session = makeSession(role)
  await keepSession(store.db, { ...session, email: session.userId })
  const handle = serviceHandler(id, async () => session)
  const init = { method, headers: { ...own, 'x-debitdesk-peer': '192.0.2.9' }, body: body && JSON.stringify(body) }
  return handle(new Request(`${origin}/api/service/x`, init as RequestInit), { params: Promise.resolve(params) })
}

it('tells who asked for a write, of what, and what the service answered, with the ids of reply and request', async () => {
  script = { status: 201, body: JSON.stringify({ id: customerId, handle: 'cus_1' }) }
  const response = await ask('createCustomer', { method: 'POST', body: { name: 'canary name', city: 'Aarhus' } })
  const requestId = response.headers.get('x-request-id')
  const traceId = response.headers.get('traceparent')?.slice(3, 35)
  expect(service.requests[0]?.headers.traceparent).toContain(traceId)
  const rows = await readRows()
  expect(rows).toMatchObject([
    {
      actor: 'admin@example.com',
      action: 'customer.create',
      objectKind: 'customer',
      objectId: customerId,
      details: {
        outcome: 'done',
        asked: { fields: ['name', 'city'] },
        answer: { status: 201, id: customerId, handle: 'cus_1' },
        request: { requestId, traceId, peer: '192.0.2.9', sessionId: expect.any(String), userId: expect.any(String) },
      },
    },
  ])
  expect(JSON.stringify(rows)).not.toContain('canary')
})

it.each<[string, Script, string, Record<string, unknown>]>([
  [
    'refused',
    { status: 409, body: '{"detail":"It has payments."}' },
    'refused',
    { status: 409, detail: 'It has payments.' },
  ],
  ['never reached', { resetBefore: true }, 'unknown', { code: 'upstream-unreachable' }],
  ['failed', { status: 500 }, 'unknown', { code: 'upstream-error', status: 500 }],
])('tells of a write that was %s', async (_, answer, outcome, told) => {
  script = answer
  await ask('deleteCustomer', { method: 'DELETE', params: { customerId } })
  expect(await readRows()).toMatchObject([
    { action: 'customer.delete', objectId: customerId, details: { outcome, answer: told } },
  ])
})

it('hands the token of a new merchant to whoever asked, and keeps it in no log', async () => {
  const written: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0)
  script = { status: 201, body: JSON.stringify({ id: customerId, handle: 'mer_1', token: 'the-new-canary' }) }
  const response = await ask('createMerchant', { method: 'POST', body: { name: 'Mine' } })
  vi.restoreAllMocks()
  expect(await response.json()).toMatchObject({ reply: { token: 'the-new-canary' } })
  expect(response.headers.get('cache-control')).toContain('private, no-store')
  const rows = await readRows()
  expect(rows).toMatchObject([{ action: 'merchant.create', details: { answer: { handle: 'mer_1' } } }])
  expect(JSON.stringify([rows, written])).not.toContain('the-new-canary')
})

it('keeps the address of a webhook, which may hold a secret, as a host and a fingerprint', async () => {
  script = { status: 200, body: '{}' }
  await ask('subscribeWebhook', {
    method: 'POST',
    body: { webhookUrl: 'https://shop.example/hooks/canary?key=canary' },
  })
  const rows = await readRows()
  expect(rows).toMatchObject([{ action: 'webhook.subscribe', details: { asked: { host: 'shop.example' } } }])
  expect(JSON.stringify(rows)).not.toContain('canary')
})

it.each<[string, Script, Record<string, unknown>]>([
  [
    'a refusal quotes',
    {
      status: 400,
      body: JSON.stringify({
        type: 'https://shop.example/hooks/the-canary',
        title: 'About THE-CANARY-SECRET',
        detail: `No answer at /hooks/the-canary?key, nor ${encodeURIComponent('https://shop.example/the-canary')}`,
        errors: { 'webhookUrl[/the-canary]': ['the canary is none'], 'webhookUrl.key': ['canary'] },
      }),
    },
    { code: 'upstream-refused', status: 400, fields: ['webhookUrl'] },
  ],
  [
    'a success has as its id',
    { status: 201, body: JSON.stringify({ id: 'shop.example/hooks/the canary', handle: 'the-canary' }) },
    { status: 201 },
  ],
])('keeps the address of a webhook that %s out of the answer as well', async (_, answer, told) => {
  script = answer
  const webhookUrl = 'https://shop.example/hooks/the%20canary/secret?canary=canary-key'
  await ask('subscribeWebhook', { method: 'POST', body: { webhookUrl } })
  const rows = await readRows()
  expect(rows).toMatchObject([{ details: { asked: { host: 'shop.example' } } }])
  expect(rows[0]?.details).toHaveProperty('answer', told)
  expect(JSON.stringify(rows)).not.toMatch(/canary/iu)
})

it('writes a read down nowhere, and a denial once a minute of each person', async () => {
  script = { body: '{"results":[],"hasMore":false}' }
  await ask('listCustomers', { method: 'GET', role: 'support' })
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
  for (let time = 0; time < 5; time += 1)
    expect(
      (await ask('deleteAgreement', { method: 'DELETE', role: 'viewer', params: { agreementId: customerId } })).status,
    ).toBe(403)
  vi.restoreAllMocks()
  await vi.waitFor(async () => expect(await readRows()).not.toEqual([]))
  expect(await readRows()).toMatchObject([
    { actor: 'viewer@example.com', action: 'access.denied', details: { outcome: 'refused', code: 'forbidden' } },
  ])
})

it('lets a read and a write pass when it cannot be written to', async () => {
  const written: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0)
  await store.db.execute('alter table activity rename to activity_away')
  script = { body: '{"results":[],"hasMore":false}' }
  expect((await ask('listCustomers', { method: 'GET' })).status).toBe(200)
  script = { status: 201, body: '{}' }
  expect((await ask('createCustomer', { method: 'POST', body: { name: 'Ann' } })).status).toBe(200)
  await store.db.execute('alter table activity_away rename to activity')
  vi.restoreAllMocks()
  expect(written.join('')).toContain('activity-not-written')
})

it('takes any text as one bounded row: line breaks, escapes, JSON, ten thousand characters, half a surrogate, NUL (AU-06)', async () => {
  const texts = ['a\r\nb', '\u{1B}[31mred', '","actor":"root', 'x'.repeat(10_000), '\u{D800}', 'a\0b', '\u{202E}evil']
  for (const text of texts) {
    await store.db.transaction((tx) =>
      appendActivity(tx, {
        connectionId: 'default',
        actor: text,
        action: 'cancellation.intended',
        objectKind: 'payment',
        objectId: text,
        details: { text, deep: [[[[[[[[[[text]]]]]]]]]], at: Number.NaN },
      }),
    )
  }
  const rows = await readRows()
  expect(rows).toHaveLength(texts.length)
  for (const row of rows) expect(JSON.stringify(row).length).toBeLessThan(6_000)
  expect(rows[0]?.details).toMatchObject({ text: 'a\r\nb' })
  expect(await verifyChain(store.db)).toMatchObject({ holds: true })
})

it('names what changed of the settings since the last start, never a secret', async () => {
  const secret = 'canary secret that is long enough to be one'
  const given = { UPSTREAM_URL: 'https://service.example', UPSTREAM_TOKEN: 'canary-one', NEXTAUTH_SECRET: secret }
  const start = (more: Record<string, string>) =>
    recordSettings(store.db, 'default', parseSettings({ ...given, ...more }))
  await start({})
  await start({})
  await start({ UPSTREAM_TOKEN: 'canary-two', CANCEL_GRACE: '30 s' })
  const rows = await readRows()
  expect(rows).toMatchObject([
    { action: 'setting.changed', details: { settings: { UPSTREAM_TOKEN: '(set)', CANCEL_GRACE: 15_000 } } },
    { action: 'setting.changed', details: { changed: ['CANCEL_GRACE', 'UPSTREAM_TOKEN'] } },
  ])
  expect(JSON.stringify(rows)).not.toContain('canary')
})
