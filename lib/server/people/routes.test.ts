import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { POST as erase } from '@/app/api/desk/people/erase/route'
import { POST as exportKept } from '@/app/api/desk/people/export/route'
import { POST as show } from '@/app/api/desk/people/route'
import type { OpenDatabase } from '@/lib/database/database'
import { createUser } from '../auth/users'
import { activity, defaultConnectionId, sessions } from '../store/schema'
import { AuthClient, testOrigin } from '../testing/auth-fixture'
import { type FaultService, startFaultService } from '../testing/fault-service'
import { setMemoryStore } from '../testing/store-fixture'

const password = 'moss-covered lantern'
const id = '0b8f8a2e-4a53-4c7e-9f0e-3f2f6a1c5d10'
const nobody = { customer: '', name: '', number: '', addressLine1: '', addressLine2: '', others: [], ids: [] }

let store: OpenDatabase
let service: FaultService
let status = 200
const client = new AuthClient()

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  service = await startFaultService(({ path }) =>
    path.includes(id) && path.startsWith('/Customers')
      ? { status, body: JSON.stringify({ id, name: 'Åse Ås', number: '4711', mandates: [] }) }
      : { status: 400, body: '{}' },
  )
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  process.env.NEXTAUTH_URL = testOrigin
  store = await setMemoryStore()
  await createUser(store.db, { email: 'admin@example.com', password, role: 'admin', connectionId: defaultConnectionId })
  await client.signIn('admin@example.com', password)
})
afterAll(async () => {
  await service.close()
  await store.close()
  globalThis.debitdeskStore = undefined
})

function send(handler: typeof show, body: unknown): Promise<Response> {
  const headers = {
    origin: testOrigin,
    'x-debitdesk': '1',
    cookie: client.cookieHeader,
    'content-type': 'application/json',
  }
  const request = new Request(`${testOrigin}/api/desk/people`, { method: 'POST', headers, body: JSON.stringify(body) })
  return handler(request, { params: Promise.resolve(undefined) })
}

it('names the field and the rule where nothing, or too much, is to be looked for', async () => {
  const reply = await send(show, nobody)
  expect(reply.status).toBe(400)
  expect(await reply.json()).toMatchObject({ errors: { customer: ['or another field must be filled in'] } })
  const long = await send(show, { ...nobody, name: 'x'.repeat(201) })
  expect(await long.json()).toMatchObject({ errors: { name: [expect.stringContaining('200')] } })
})

it('adds what the provider knows of the customer, and fails where it cannot be asked', async () => {
  const reply = await send(show, { ...nobody, customer: id })
  expect(await reply.json()).toMatchObject({
    customer: { name: 'Åse Ås' },
    searched: ['Åse Ås', '4711'],
    payments: null,
  })
  status = 500
  expect((await send(show, { ...nobody, customer: id })).status).toBe(502)
  status = 404
  expect(await (await send(show, { ...nobody, customer: id })).json()).toMatchObject({ customer: null })
  status = 200
})

it('sends a private file, and records that it left without the person’s data', async () => {
  const reply = await send(exportKept, { ...nobody, customer: id })
  expect(reply.headers.get('cache-control')).toContain('private, no-store')
  expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="kept-data-[\d-]+\.json"$/u)
  expect(await reply.json()).toMatchObject({ about: { atTheProvider: { name: 'Åse Ås' } }, note: [] })
  const [entry] = await store.db.select().from(activity).where(eq(activity.action, 'person.exported'))
  expect(entry).toMatchObject({ actor: 'admin@example.com', objectId: id })
  expect(JSON.stringify(entry)).not.toMatch(/Åse|4711/u)
})

it('logs no id where what was typed as one may be a name', async () => {
  expect((await send(erase, { person: { ...nobody, customer: 'Åse Ås' }, expected: 0 })).status).toBe(200)
  const [entry] = await store.db.select().from(activity).where(eq(activity.action, 'person.erased'))
  expect(entry).toMatchObject({ objectId: 'none' })
})

it('erases and exports only after a recent password', async () => {
  await store.db.update(sessions).set({ provenAt: new Date(Date.now() - 6 * 60_000) })
  const person = { ...nobody, customer: id }
  for (const reply of [await send(exportKept, person), await send(erase, { person, expected: 0 })])
    expect(await reply.json()).toMatchObject({ type: expect.stringMatching(/step-up$/u), proof: 'password' })
  expect((await send(show, person)).status).toBe(200)
})
