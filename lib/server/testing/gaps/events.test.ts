import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { beforeAll, expect, vi } from 'vitest'
import { findInboxBySecret, keepSigningSecret, openInbox } from '../../webhooks/inbox'
import { receiveMessage } from '../../webhooks/receive-message'
import { listPaymentEvents, viewInbox } from '../../webhooks/queries'
import { createTenantScope } from '../../auth/tenant-scope'
import { defaultConnectionId } from '../../store/schema'
import { requireStore } from '../../store/store'
import { setMemoryStore } from '../store-fixture'
import { gapOf } from './gap'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
let address: string

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  await setMemoryStore()
  ;({ address } = await openInbox(await requireStore(), defaultConnectionId))
})

/** A delivery as shown by the inbox. */
async function deliver(body: string, headers: Record<string, string> = {}) {
  const request = new Request(address, { method: 'POST', body, headers })
  const db = await requireStore()
  const inbox = await findInboxBySecret(db, address.split('/').at(-1) ?? '')
  if (!inbox) throw new Error('there is no inbox')
  await receiveMessage(db, inbox, request)
  const [message] = (await viewInbox({ role: 'admin', scope: createTenantScope(defaultConnectionId) })).messages
  return { body: message?.body, verdict: message?.verdict }
}

const one = JSON.stringify({ objectType: 'payment', eventType: 'settled', data: { id: randomUUID() } })
gapOf('event kinds and payload', [
  ['the payload of one deployment', async () => expect(await deliver(one)).toMatchObject({ body: one })],
  [
    'its names in another letter case, the id a number',
    async () => {
      await deliver('{"ObjectType":"Payment","EventType":"settled","Data":{"Id":4711}}')
      const { events } = await listPaymentEvents({ scope: createTenantScope(defaultConnectionId) }, '4711')
      expect(events.map(({ eventType }) => eventType)).toEqual(['settled'])
    },
  ],
  [
    'a CloudEvent',
    async () =>
      expect(await deliver('{"specversion":"1.0","type":"x.y","data":{}}')).toMatchObject({ verdict: 'not-checked' }),
  ],
  [
    'a form',
    async () =>
      expect(
        await deliver('event=settled&id=7', { 'content-type': 'application/x-www-form-urlencoded' }),
      ).toMatchObject({ body: 'event=settled&id=7' }),
  ],
  ['nothing', async () => expect(await deliver('')).toMatchObject({ body: '' })],
])
gapOf('delivery headers, signing and retries', [
  ['unsigned', async () => expect(await deliver(one)).toMatchObject({ verdict: 'not-checked' })],
  [
    'signed as Standard Webhooks has it, delivered twice',
    async () => {
      await keepSigningSecret(await requireStore(), defaultConnectionId, secret)
      const [id, at] = [`msg_${randomUUID()}`, new Date()]
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': new Webhook(secret).sign(id, at, one),
      }
      expect(await deliver(one, headers)).toMatchObject({ verdict: 'valid' })
      expect(await deliver(one, headers)).toMatchObject({ verdict: 'valid' })
      expect(
        (await viewInbox({ role: 'admin', scope: createTenantScope(defaultConnectionId) })).messages[0],
      ).toMatchObject({
        times: 2,
      })
    },
  ],
  [
    'signed in a way of its own',
    async () =>
      expect(await deliver(one, { 'x-hub-signature-256': 'sha256=00' }).catch(({ code }) => code)).toBe(
        'bad-signature',
      ),
  ],
])
