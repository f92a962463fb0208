import { randomBytes, randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { createTenantScope } from '../auth/tenant-scope'
import { inboxMessages } from '../store/inbox-schema'
import { defaultConnectionId } from '../store/schema'
import { setMemoryStore } from '../testing/store-fixture'
import { findInbox, keepSigningSecret, openInbox } from './inbox'
import { viewInbox } from './queries'
import { receiveMessage } from './receive-message'

const secret = `whsec_${randomBytes(32).toString('base64')}`
const body = JSON.stringify({ objectType: 'customer', eventType: 'modified', data: { id: randomUUID() } })
let store: OpenDatabase

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  store = await setMemoryStore()
  await openInbox(store.db, defaultConnectionId)
  await keepSigningSecret(store.db, defaultConnectionId, secret)
})
beforeEach(() => store.db.delete(inboxMessages))
afterAll(() => store.close())

/** Delivers with further signatures before the right one. */
async function deliver(id: string, further: readonly string[] = []): Promise<void> {
  const at = new Date()
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': [...further, new Webhook(secret).sign(id, at, body)].join(' '),
  }
  const inbox = await findInbox(store.db, defaultConnectionId)
  if (!inbox) throw new Error('there is no inbox')
  await receiveMessage(store.db, inbox, new Request('http://desk.example/hooks/x', { method: 'POST', body, headers }))
}

const readMessages = async () =>
  (await viewInbox({ role: 'admin', scope: createTenantScope(defaultConnectionId) })).messages

it('verifies headers as received, however many signatures there are, and stores a part of them', async () => {
  const further = Array.from({ length: 100 }, () => `v1,${randomBytes(32).toString('base64')}`)
  await deliver('msg_1', further)
  const [message] = await readMessages()
  expect(message).toMatchObject({ verdict: 'valid', headers: { 'webhook-id': 'msg_1' } })
  expect(message?.headers['webhook-signature']).toBe(further.join(' ').slice(0, 500))
})

it('tells deliveries apart by the whole of a long id', async () => {
  for (const end of ['1', '2', '2']) await deliver(`${'x'.repeat(4_000)}${end}`)
  const messages = await readMessages()
  expect(messages.map(({ times }) => times)).toEqual([2, 1])
  expect(messages.map(({ headers }) => headers['webhook-id']?.length)).toEqual([500, 500])
})
