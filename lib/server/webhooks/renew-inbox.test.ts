import { randomBytes, randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { createTenantScope } from '../auth/tenant-scope'
import { AppError } from '../runtime/app-error'
import { defaultConnectionId } from '../store/schema'
import { type FaultService, startFaultService } from '../testing/fault-service'
import { makeSession, setMemoryStore } from '../testing/store-fixture'
import { renewInbox } from './commands'
import { findInbox, keepSigningSecret, openInbox } from './inbox'
import { viewInbox } from './queries'
import { receiveMessage } from './receive-message'

const makeSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const secret = makeSecret()
const reader = { role: 'admin' as const, scope: createTenantScope(defaultConnectionId) }
let store: OpenDatabase
let service: FaultService
/** The addresses that the service is subscribed to. */
let subscribed: string[] = []
/** Its list of them. */
let list: () => unknown
/** Its answer to a subscription, and what happens before. */
let subscribing: () => Promise<{ status?: number; body: string }>

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  service = await startFaultService(async ({ method, path }) => {
    if (method === 'GET') return { body: JSON.stringify(list()) }
    return path.endsWith('/subscribe') ? subscribing() : { body: '{}' }
  })
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  Object.assign(process.env, { UPSTREAM_URL: service.url, UPSTREAM_TOKEN: 'a-token-for-tests' })
  store = await setMemoryStore()
  await openInbox(store.db, defaultConnectionId)
})
beforeEach(() => {
  list = () => subscribed.map((webhookUrl) => ({ webhookUrl }))
  subscribing = async () => ({ body: '{}' })
})
afterAll(async () => {
  await service.close()
  await store.close()
})

const readAddress = async () => (await viewInbox(reader)).address ?? ''

/** What was subscribed and unsubscribed, in order. */
const readChanges = () =>
  service.requests
    .filter(({ method }) => method !== 'GET')
    .map(({ path, body }) => [path.split('/').at(-1), JSON.parse(body)])

/** Delivers, signed with this secret or not at all; `accepted`, or the code of the refusal. */
async function deliver(by: string | null): Promise<string> {
  const inbox = await findInbox(store.db, defaultConnectionId)
  if (!inbox) throw new Error('there is no inbox')
  const id = `msg_${randomUUID()}`
  const at = new Date()
  const headers = by !== null && {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(by).sign(id, at, '{}'),
  }
  const request = new Request(inbox.address, { method: 'POST', body: '{}', headers: { ...headers } })
  return receiveMessage(store.db, inbox, request).then(
    () => 'accepted',
    (error: { code: string }) => error.code,
  )
}

it.each([
  ['is', (now: string) => now],
  ['was before the desk moved', (now: string) => now.replace(/^.*(?=\/hooks)/u, 'https://old.example')],
])('a new address is subscribed in place of the old one, as that %s', async (_, spell) => {
  const now = (await viewInbox(reader)).address ?? ''
  const old = spell(now)
  subscribed = ['https://another.example/hooks/x', old]
  service.requests.length = 0
  const { address: next } = await renewInbox(makeSession('admin'))
  expect(next).not.toBe(now)
  expect(readChanges()).toEqual([
    ['subscribe', { webhookUrl: next }],
    ['unsubscribe', { webhookUrl: old }],
  ])
})

it.each([
  ['the list goes on', { results: [{ webhookUrl: 'https://another.example/hooks/x' }], hasMore: true }],
  ['an entry can’t be read', [{ webhookUrl: 'https://another.example/hooks/x' }, { endpoint: { at: 'elsewhere' } }]],
])('a new address is subscribed where %s, as the old one may be, too', async (_, listed) => {
  list = () => listed
  service.requests.length = 0
  const old = await readAddress()
  const { address: next } = await renewInbox(makeSession('admin'))
  expect(next).not.toBe(old)
  expect(readChanges()).toEqual([
    ['subscribe', { webhookUrl: next }],
    ['unsubscribe', { webhookUrl: old }],
  ])
})

it('a new address is not subscribed where the whole list has no old one', async () => {
  subscribed = ['https://another.example/hooks/x']
  service.requests.length = 0
  await renewInbox(makeSession('admin'))
  expect(readChanges()).toEqual([])
})

it('a new address leaves the signing secret in force, beside the one of its own subscription', async () => {
  const next = makeSecret()
  await keepSigningSecret(store.db, defaultConnectionId, secret)
  subscribed = [await readAddress()]
  subscribing = async () => ({ body: JSON.stringify({ secret: next }) })
  expect((await renewInbox(makeSession('admin'))).signingSecret).toBe('proven')
  expect([await deliver(null), await deliver(secret)]).toEqual(['bad-signature', 'accepted'])
  // From its first delivery on the new one alone counts.
  expect([await deliver(next), await deliver(secret)]).toEqual(['accepted', 'bad-signature'])
})

it('the old address comes back where the new one can’t be subscribed, with what an admin entered meanwhile', async () => {
  const entered = makeSecret()
  await keepSigningSecret(store.db, defaultConnectionId, secret)
  const before = await readAddress()
  subscribed = [before]
  subscribing = async () => {
    await keepSigningSecret(store.db, defaultConnectionId, entered)
    return { status: 500, body: '{}' }
  }
  await expect(renewInbox(makeSession('admin'))).rejects.toBeInstanceOf(AppError)
  expect(await readAddress()).toBe(before)
  expect([await deliver(secret), await deliver(entered)]).toEqual(['bad-signature', 'accepted'])
})
