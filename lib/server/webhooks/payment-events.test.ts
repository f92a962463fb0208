import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { inboxMessages } from '../store/inbox-schema'
import { makeSession, setMemoryStore } from '../testing/store-fixture'
import { listPaymentEvents, viewInbox } from './queries'

const session = makeSession('viewer')
let store: OpenDatabase

beforeAll(async () => {
  store = await setMemoryStore()
})
afterAll(() => store.close())

async function deliver(paymentId: string, count: number): Promise<void> {
  const { connectionId } = session.scope
  const message = { connectionId, paymentId, headers: {}, body: '', verdict: 'not-checked' } as const
  await store.db.insert(inboxMessages).values(Array.from({ length: count }, () => message))
}

it('says whether the newest 50 events of a payment are all', async () => {
  await deliver('few', 50)
  const few = await listPaymentEvents(session, 'few')
  expect([few.events.length, few.isWhole]).toEqual([50, true])
  await deliver('many', 51)
  const many = await listPaymentEvents(session, 'many')
  expect([many.events.length, many.isWhole]).toEqual([50, false])
  const newest = Math.max(...many.events.map(({ sequence }) => sequence))
  expect(many.events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 50 }, (_, at) => newest - at))
})

it('the inbox shows the newest 50 deliveries, or all that are stored', async () => {
  await store.db.delete(inboxMessages)
  await deliver('some', 50)
  expect(await viewInbox(session)).toMatchObject({ isWhole: true, messages: { length: 50 } })
  await deliver('more', 350)
  const newest = await viewInbox(session)
  expect([newest.messages.length, newest.isWhole]).toEqual([50, false])
  const all = await viewInbox(session, { all: true })
  expect([all.messages.length, all.isWhole]).toEqual([400, true])
  expect(all.messages.slice(0, 50)).toEqual(newest.messages)
})
