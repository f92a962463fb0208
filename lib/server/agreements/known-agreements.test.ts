import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import {
  createKnownAgreement,
  deleteKnownAgreement,
  forgetAgreement,
  listKnownAgreements,
  rememberAgreement,
} from './known-agreements'
import { agreements } from '../store/schema'
import { type FaultService, type RecordedRequest, type Script, startFaultService } from '../testing/fault-service'
import { makeSession, setMemoryStore } from '../testing/store-fixture'

const admin = makeSession('admin')
const viewer = makeSession('viewer')
const id = randomUUID()

let service: FaultService
let store: OpenDatabase
let answer: (request: RecordedRequest) => Script

const json = (value: unknown, status = 200): Script => ({ status, body: JSON.stringify(value) })

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  service = await startFaultService((request) => answer(request))
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
  store = await setMemoryStore()
})
beforeEach(async () => {
  service.requests.length = 0
  answer = () => json({})
  await store.db.delete(agreements)
})
afterAll(async () => {
  await service.close()
  await store.close()
})

it('remembers what was opened, for everybody, and what a later reading left unsaid', async () => {
  await rememberAgreement(viewer, { id, handle: 'am_1', scheme: 'nets-bs', status: 'Pending', test: true }, 'opened')
  await rememberAgreement(admin, { id, status: 'Active' }, 'opened')
  const { agreements: known } = await listKnownAgreements(admin)
  expect(known).toMatchObject([
    { agreementId: id, handle: 'am_1', scheme: 'nets-bs', status: 'Active', test: true, rememberedBy: viewer.email },
  ])
})

it('adds those that the merchant record names, and says when it could not be read', async () => {
  answer = () => json({ agreements: [{ id, handle: 'am_1' }, 'am_2'] })
  const both = await listKnownAgreements(viewer)
  expect(both.merchant).toBe('read')
  expect(both.agreements.map(({ agreementId, source }) => [agreementId, source])).toEqual(
    expect.arrayContaining([
      [id, 'merchant'],
      ['am_2', 'merchant'],
    ]),
  )
  answer = () => json({}, 500)
  expect(await listKnownAgreements(viewer)).toMatchObject({ merchant: 'unreadable', agreements: { length: 2 } })
  // A wrong base address is answered so, too.
  answer = () => json({}, 404)
  expect(await listKnownAgreements(viewer)).toMatchObject({ merchant: 'unreadable', agreements: { length: 2 } })
})

it('remembers what the store can hold of those that the merchant record names', async () => {
  const named = [
    { id, handle: 'am_1', scheme: 'nets\0bs', status: 'Act\uD800ive' },
    { id: 'b', handle: 'am\0' },
    { id: 'c\0', handle: 'am_3' },
    'd\0',
    Array.from({ length: 2_000 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join(''),
    { handle: 'am\uD800' },
  ]
  answer = () => json({ agreements: named })
  const { merchant, agreements: known } = await listKnownAgreements(viewer)
  expect(merchant).toBe('read')
  expect(known).toHaveLength(2)
  expect(known).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ agreementId: id, scheme: 'nets\uFFFDbs', status: 'Act\uFFFDive' }),
      expect.objectContaining({ agreementId: 'b', handle: null }),
    ]),
  )
})

it('remembers what was made here, sent under its key', async () => {
  const key = randomUUID()
  answer = ({ method }) => (method === 'POST' ? json({ id, handle: 'am_1', scheme: 'nets-ls' }, 201) : json({}))
  await createKnownAgreement(admin, { scheme: 'nets-ls' }, key)
  expect(service.requests[0]?.headers['idempotency-key']).toBe(key)
  expect((await listKnownAgreements(viewer)).agreements).toMatchObject([{ agreementId: id, source: 'made' }])
})

it('forgets what was deleted, also when it was gone already, but not what the service kept', async () => {
  await rememberAgreement(admin, { id, handle: 'am_1' }, 'opened')
  answer = ({ method }) => (method === 'DELETE' ? json({ title: 'Open payments' }, 409) : json({}))
  await expect(deleteKnownAgreement(admin, id)).rejects.toMatchObject({ code: 'upstream-refused' })
  expect((await listKnownAgreements(admin)).agreements).toHaveLength(1)
  answer = ({ method }) => (method === 'DELETE' ? json({}, 404) : json({}))
  await deleteKnownAgreement(admin, id)
  expect((await listKnownAgreements(admin)).agreements).toEqual([])
})

it('forgets by handle too', async () => {
  await rememberAgreement(admin, { id, handle: 'am_1' }, 'opened')
  await forgetAgreement(admin.scope, 'am_1')
  expect((await listKnownAgreements(admin)).agreements).toEqual([])
})

it('refuses a viewer who creates or deletes, and nothing is sent', async () => {
  await expect(createKnownAgreement(viewer, { scheme: 'x' }, randomUUID())).rejects.toMatchObject({ code: 'forbidden' })
  await expect(deleteKnownAgreement(viewer, id)).rejects.toMatchObject({ code: 'forbidden' })
  expect(service.requests).toEqual([])
})

it.each([
  ['aBcDaQ0z', 'AbCdAq0Z', ['AbCdAq0Z']],
  [id, id.toUpperCase(), []],
])('deleting %s leaves %s alone unless both are one UUID', async (deleted, other, left) => {
  for (const one of new Set([other, ...(left.length > 0 ? [deleted] : [])]))
    await rememberAgreement(admin, { id: one }, 'opened')
  await deleteKnownAgreement(admin, deleted)
  const known = await store.db.select().from(agreements)
  expect(known.map(({ agreementId }) => agreementId)).toEqual(left)
})

it('a handle is compared exactly', async () => {
  await rememberAgreement(admin, { id: randomUUID(), handle: 'am_One' }, 'opened')
  await forgetAgreement(admin.scope, 'am_one')
  expect(await store.db.select().from(agreements)).toHaveLength(1)
})
