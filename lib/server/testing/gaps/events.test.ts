import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { beforeAll, expect, vi } from 'vitest'
import { findInboxBySecret, keepSigningSecret, openInbox } from '../../webhooks/inbox'
import { receiveMessage } from '../../webhooks/receive-message'
import { listPaymentEvents, viewInbox } from '../../webhooks/queries'
import { createTenantScope } from '../../auth/tenant-scope'
import { cancellations, defaultConnectionId } from '../../store/schema'
import { requireStore } from '../../store/store'
import { setMemoryStore } from '../store-fixture'
import { gapOf, type GapTest } from './gap'

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

/** What becomes of a delivery: whether the payment's open cancellation is read at once, and what the payment is told of. */
async function learnOf(paymentId: string, body: string, headers: Record<string, string> = {}) {
  const db = await requireStore()
  const later = new Date(Date.now() + 600_000)
  const open = { clientKey: randomUUID(), userId: randomUUID(), userEmail: 'a@example.com', reason: 'x' }
  const row = { id: randomUUID(), connectionId: defaultConnectionId, paymentId, state: 'accepted', ...open } as const
  await db.insert(cancellations).values({ ...row, dueAt: later })
  expect(await deliver(body, headers)).toMatchObject({ body })
  const [read] = await db.select().from(cancellations).where(eq(cancellations.id, row.id))
  const { events } = await listPaymentEvents({ scope: createTenantScope(defaultConnectionId) }, paymentId)
  return { isReadAgain: read?.dueAt?.getTime() !== later.getTime(), told: events.map(({ eventType }) => eventType) }
}

const one = JSON.stringify({ objectType: 'payment', eventType: 'settled', data: { id: randomUUID() } })
const payment = () => `pay_${randomUUID()}`
const onlyStored = (forms: readonly (readonly [string, (id: string) => string])[]) =>
  forms.map(([told, write]): GapTest => {
    const run = async () => {
      const id = payment()
      expect(await learnOf(id, write(id))).toEqual({ isReadAgain: false, told: [] })
    }
    return [`${told}, which is only stored`, run]
  })

gapOf('event kinds and payload', [
  [
    'the payload of one deployment',
    async () => {
      const id = payment()
      const body = JSON.stringify({ objectType: 'payment', eventType: 'settled', data: { id } })
      expect(await learnOf(id, body)).toEqual({ isReadAgain: true, told: ['settled'] })
    },
  ],
  [
    'its names in another letter case, the id a number',
    async () =>
      expect(await learnOf('4711', '{"ObjectType":"Payment","EventType":"settled","Data":{"Id":4711}}')).toEqual({
        isReadAgain: true,
        told: ['settled'],
      }),
  ],
  [
    'the payload that Standard Webhooks recommends',
    async () => {
      const id = payment()
      const body = JSON.stringify({ type: 'payment.cancelled', timestamp: '2026-11-30T10:00:00Z', data: { id } })
      expect(await learnOf(id, body)).toEqual({ isReadAgain: true, told: ['cancelled'] })
    },
  ],
  ...onlyStored([
    [
      'a CloudEvent whose type is a reverse-DNS name',
      (id: string) => JSON.stringify({ specversion: '1.0', type: 'example.payment.settled', data: { id } }),
    ],
    ['a type that names no record', (id: string) => JSON.stringify({ type: 'invoice.paid', data: { id } })],
    [
      'the id elsewhere',
      (id: string) => JSON.stringify({ objectType: 'payment', eventType: 'settled', paymentId: id }),
    ],
    ['a form', (id: string) => `event=settled&id=${id}`],
    ['nothing', () => ''],
  ]),
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
