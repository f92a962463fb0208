import { randomBytes, randomUUID } from 'node:crypto'
import { desc, eq, like, sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { createTenantScope } from '@/lib/server/auth/tenant-scope'
import { activity, cancellations, defaultConnectionId } from '@/lib/server/store/schema'
import { inboxes, inboxMessages } from '@/lib/server/store/inbox-schema'
import { type FaultService, startFaultService } from '@/lib/server/testing/fault-service'
import { makeSession, setMemoryStore } from '@/lib/server/testing/store-fixture'
import { subscribeInbox } from '@/lib/server/webhooks/commands'
import { findInbox, hideInbox, keepSigningSecret, openInbox, removeSigningSecret } from '@/lib/server/webhooks/inbox'
import { viewInbox } from '@/lib/server/webhooks/queries'
import { POST } from './route'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const reader = { role: 'admin' as const, scope: createTenantScope(defaultConnectionId) }
let store: OpenDatabase
let address: string
let service: FaultService
/** What it answers to a subscription. */
let told: object = {}

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  service = await startFaultService(() => ({ body: JSON.stringify(told) }))
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  Object.assign(process.env, { UPSTREAM_URL: service.url, UPSTREAM_TOKEN: 'a-token-for-tests' })
  store = await setMemoryStore()
  ;({ address } = await openInbox(store.db, defaultConnectionId))
})
beforeEach(async () => {
  await store.db.delete(inboxMessages)
  globalThis.debitdeskRates = undefined
})
afterAll(async () => {
  await service.close()
  await store.close()
})

function event(id: string = randomUUID()): string {
  return JSON.stringify({
    objectType: 'payment',
    eventType: 'settled',
    timeStamp: new Date().toISOString(),
    data: { id },
  })
}

function sign(body: string, id = `msg_${randomUUID()}`, at = new Date(), by = secret): Record<string, string> {
  const signature = new Webhook(by).sign(id, at, body)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signature,
  }
}

async function deliver(body: string, headers: Record<string, string> = {}, to = address): Promise<number> {
  const request = new Request(to, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
  const response = await POST(request, { params: Promise.resolve({ secret: to.split('/').at(-1) }) })
  return response.status
}

const verdicts = async () => (await viewInbox(reader)).messages.map(({ verdict }) => verdict)

describe('the inbox', () => {
  it('is opened once, also by two at a moment, and keeps its address', async () => {
    const both = await Promise.all([openInbox(store.db, defaultConnectionId), openInbox(store.db, defaultConnectionId)])
    expect(both.map((inbox) => inbox.address)).toEqual([address, address])
  })

  it('takes deliveries at its own address alone', async () => {
    expect(await deliver(event(), {}, `${address}x`)).toBe(404)
    expect(await deliver(event(), {}, address.slice(0, -1))).toBe(404)
    // What Postgres can't take, and what no secret looks like.
    for (const secret of ['\0', `${address.split('/').at(-1)?.slice(0, -1)}\0`, '%00', 'x'.repeat(5_000)])
      expect(await deliver(event(), {}, `${address.slice(0, address.lastIndexOf('/'))}/${secret}`)).toBe(404)
    expect((await viewInbox(reader)).messages).toEqual([])
  })

  it('keeps what came, and of its headers those on the list', async () => {
    expect(
      await deliver('{"a":"\\u0000"} \0', { cookie: 'a=b', authorization: 'Bearer x', 'user-agent': 'tester' }),
    ).toBe(204)
    expect((await viewInbox(reader)).messages[0]).toMatchObject({
      verdict: 'not-checked',
      body: '{"a":"\\u0000"} \u{FFFD}',
      headers: { 'content-type': 'application/json', 'user-agent': 'tester' },
      times: 1,
    })
  })

  it('refuses more than 20 KB (WH-15)', async () => {
    expect(await deliver('x'.repeat(20_480))).toBe(204)
    expect(await deliver('x'.repeat(20_481))).toBe(413)
  })

  it('keeps the newest 200', async () => {
    const earlier = Array.from({ length: 200 }, (_, index) => ({
      connectionId: defaultConnectionId,
      headers: {},
      body: `delivery ${index}`,
      verdict: 'not-checked' as const,
    }))
    await store.db.insert(inboxMessages).values(earlier)
    for (const number of [200, 201, 202]) expect(await deliver(`delivery ${number}`)).toBe(204)
    expect(await store.db.$count(inboxMessages)).toBe(200)
    const newest = (await viewInbox(reader)).messages.map(({ body }) => body)
    expect(newest).toEqual(Array.from({ length: 50 }, (_, index) => `delivery ${202 - index}`))
  })

  it('keeps at most two megabytes of bodies', async () => {
    for (let number = 0; number < 90; number += 1) await deliver(`${number}`.padEnd(20_000, 'x'))
    const rows = await store.db.select({ body: inboxMessages.body }).from(inboxMessages)
    const bytes = rows.reduce((sum, { body }) => sum + body.length, 0)
    expect(bytes).toBeGreaterThan(1_900_000)
    expect(bytes).toBeLessThanOrEqual(2_000_000)
  })

  it('does not grow with what was dropped, where no other process reclaims its room', async () => {
    if (store.kind !== 'pglite') return
    for (let number = 0; number < 480; number += 1) {
      if (number % 240 === 0) globalThis.debitdeskRates = undefined
      await deliver(randomBytes(10_000).toString('hex'))
    }
    const size = sql<number>`pg_total_relation_size('inbox_messages')::float8`
    const [found] = await store.db.select({ size }).from(sql`(select 1) as one`)
    // 480 of them wrote 14 MB.
    expect(found?.size).toBeLessThan(9_000_000)
  })

  it('keeps bodies sealed, and reads those that an earlier version kept plain', async () => {
    await store.db
      .insert(inboxMessages)
      .values({ connectionId: defaultConnectionId, headers: {}, body: 'plain', verdict: 'not-checked' })
    await deliver('Ann Hansen')
    const rows = await store.db.select({ body: inboxMessages.body }).from(inboxMessages)
    expect(JSON.stringify(rows)).not.toContain('Hansen')
    expect((await viewInbox(reader)).messages.map(({ body }) => body)).toEqual(['Ann Hansen', 'plain'])
  })

  it('shows its address without the secret to whoever only reads, as the provider spells it', async () => {
    const end = address.split('/').at(-1) ?? ''
    const elsewhere = `HTTPS://old.example:443/hooks/${end}/?a=b`
    const reply = { results: [{ webhookUrl: address }, elsewhere], [elsewhere]: { ends: [end] } }
    const shown = await hideInbox({ ...reader, role: 'viewer' }, reply)
    expect(JSON.stringify(shown)).not.toContain(end)
    expect(shown).toMatchObject({
      results: [{ webhookUrl: (await viewInbox({ ...reader, role: 'viewer' })).address }, elsewhere.replace(end, '…')],
    })
    expect(await hideInbox(reader, reply)).toBe(reply)
  })

  it('takes 240 a minute', async () => {
    const recent = Array.from({ length: 239 }, () => Date.now())
    const kind = `unsigned deliveries to ${defaultConnectionId}`
    globalThis.debitdeskRates = new Map([[kind, [...recent, Date.now() - 61_000]]])
    expect([await deliver('x'), await deliver('x')]).toEqual([204, 429])
  })
})

describe('signatures', () => {
  beforeAll(() => keepSigningSecret(store.db, defaultConnectionId, secret))

  it('are checked with a secret that lies sealed in the store', async () => {
    const [row] = await store.db.select().from(inboxes)
    expect(row?.signingSecret).toHaveLength(104)
    expect(row?.signingSecret).not.toContain(secret.slice(8, 20))
    expect((await findInbox(store.db, defaultConnectionId))?.signingSecret).toBe(secret)
    expect(JSON.stringify(await viewInbox(reader))).not.toContain('whsec')
  })

  it('are right, or the delivery is refused and counted, not stored (WH-02)', async () => {
    await keepSigningSecret(store.db, defaultConnectionId, secret)
    const body = event()
    expect(await deliver(body, sign(body))).toBe(204)
    expect((await viewInbox(reader)).refused).toBeNull()
    expect([
      await deliver(body.replace('settled', 'revoked'), sign(body)),
      await deliver(body),
      await deliver(body, sign(body, 'old', new Date(Date.now() - 301_000))),
      await deliver(body, { ...sign(body), 'webhook-id': 'another' }),
    ]).toEqual([403, 403, 403, 403])
    expect(await verdicts()).toEqual(['valid'])
    // The first is logged immediately, the others with the next write.
    await vi.waitFor(async () => expect((await viewInbox(reader)).refused?.count).toBe(4), { timeout: 20_000 })
    const { refused } = await viewInbox(reader)
    expect(Date.parse(refused?.last ?? '')).toBeGreaterThan(Date.parse(refused?.since ?? ''))
    await keepSigningSecret(store.db, defaultConnectionId, secret)
    expect((await viewInbox(reader)).refused).toBeNull()
  })

  it('are not passed over where the secret cannot be opened: all is refused, and people are told', async () => {
    await store.db.update(inboxes).set({ signingSecret: 'sealed with a secret that is gone' })
    const body = event()
    expect([await deliver(body), await deliver(body, sign(body))]).toEqual([503, 503])
    expect(await viewInbox(reader)).toMatchObject({ messages: [], signingSecret: 'locked' })
    await keepSigningSecret(store.db, defaultConnectionId, secret)
    expect(await deliver(body, sign(body))).toBe(204)
    expect(await viewInbox(reader)).toMatchObject({ signingSecret: 'proven' })
  })

  it('keep a budget and a place apart from what is not signed', async () => {
    const body = event()
    expect(await deliver(body, sign(body))).toBe(204)
    for (let number = 0; number < 300; number += 1) expect(await deliver('x'.repeat(10_000))).toBe(403)
    const another = event()
    expect(await deliver(another, sign(another))).toBe(204)
    // Without the signing secret everything is stored, but replaces nothing that was signed.
    await store.db.update(inboxes).set({ signingSecret: null })
    for (let number = 0; number < 210; number += 1) expect(await deliver('x')).toBe(204)
    await keepSigningSecret(store.db, defaultConnectionId, secret)
    expect(await store.db.$count(inboxMessages, eq(inboxMessages.verdict, 'valid'))).toBe(2)
    expect(await store.db.$count(inboxMessages)).toBe(202)
  })

  it('count a repeated delivery as the same', async () => {
    const body = event()
    const headers = sign(body, 'once')
    for (let number = 0; number < 3; number += 1) await deliver(body, headers)
    const { messages } = await viewInbox(reader)
    expect(messages.map(({ times }) => times)).toEqual([3])
  })

  it('decide whether an open cancellation is read at once; nothing else of it changes (WH-15)', async () => {
    const paymentId = randomUUID()
    const later = new Date(Date.now() + 600_000)
    const id = randomUUID()
    await store.db.insert(cancellations).values({
      id,
      connectionId: defaultConnectionId,
      paymentId,
      clientKey: randomUUID(),
      userId: randomUUID(),
      userEmail: 'a@example.com',
      reason: 'x',
      state: 'accepted',
      dueAt: later,
    })
    const read = async () => (await store.db.select().from(cancellations))[0]
    const before = await read()
    await deliver(event(paymentId), { 'webhook-signature': 'v1,AAAA', 'webhook-id': 'x', 'webhook-timestamp': '1' })
    expect(await read()).toEqual(before)
    const body = event(paymentId.toUpperCase())
    const headers = sign(body)
    // The second may be all that remains of a first that failed here after it was stored.
    for (let time = 0; time < 2; time += 1) {
      await store.db.update(cancellations).set({ dueAt: later })
      await deliver(body, headers)
      const after = await read()
      expect(after?.dueAt?.getTime()).toBeLessThan(Date.now() + 1_000)
      expect({ ...after, dueAt: null }).toEqual({ ...before, dueAt: null })
    }
    await store.db.update(cancellations).set({ dueAt: later, paymentId: 'pay_4711' })
    const named = event('pay_4711')
    await deliver(named, sign(named))
    expect((await read())?.dueAt?.getTime()).toBeLessThan(Date.now() + 1_000)
  })

  it('keeps what names nothing that can be stored', async () => {
    const body = event('a\0b')
    expect(await deliver(body, sign(body))).toBe(204)
  })
})

describe('a secret that came with the subscription', () => {
  beforeEach(async () => {
    await store.db.update(inboxes).set({ signingSecret: null, signingSecretCandidate: null })
    told = { secret }
    await subscribeInbox(makeSession('admin'))
  })
  afterAll(() => {
    told = {}
  })

  it('refuses nothing before a delivery has verified under it, and then all that does not', async () => {
    const body = event()
    const foreign = { 'webhook-signature': 'sha256=00', 'webhook-id': 'x', 'webhook-timestamp': '1' }
    expect([await deliver(body), await deliver(body, foreign)]).toEqual([204, 204])
    expect(await viewInbox(reader)).toMatchObject({ signingSecret: 'unproven', refused: null })
    expect(await deliver(body, sign(body))).toBe(204)
    expect((await viewInbox(reader)).signingSecret).toBe('proven')
    expect([await deliver(body), await deliver(body, foreign)]).toEqual([403, 403])
    expect(await verdicts()).toEqual(['valid', 'not-checked', 'not-checked'])
  })

  it('may be of another kind: a provider that signs in its own way is heard', async () => {
    told = { secret: randomBytes(32).toString('hex') }
    await subscribeInbox(makeSession('admin'))
    expect(await deliver(event(), { 'x-signature': 'ab' })).toBe(204)
    expect((await viewInbox(reader)).signingSecret).toBe('unproven')
  })

  it('stays proven where it is told again, and beside another until a delivery has verified under that', async () => {
    const body = event()
    const next = `whsec_${randomBytes(32).toString('base64')}`
    await deliver(body, sign(body))
    await subscribeInbox(makeSession('admin'))
    expect((await viewInbox(reader)).signingSecret).toBe('proven')
    told = { secret: next }
    await subscribeInbox(makeSession('admin'))
    await subscribeInbox(makeSession('admin'))
    expect((await viewInbox(reader)).signingSecret).toBe('proven')
    expect([await deliver(body), await deliver(body, sign(body))]).toEqual([403, 204])
    expect(await deliver(body, sign(body, undefined, undefined, next))).toBe(204)
    expect([await deliver(body), await deliver(body, sign(body))]).toEqual([403, 403])
    expect(await findInbox(store.db, defaultConnectionId)).toMatchObject({ signingSecret: next, candidate: null })
    const rows = await store.db
      .select({ action: activity.action })
      .from(activity)
      .where(like(activity.action, 'setting.signing-secret%'))
      .orderBy(desc(activity.sequence))
    expect(rows.slice(0, 3).map(({ action }) => action)).toEqual([
      'setting.signing-secret-proven',
      'setting.signing-secret-arrived',
      'setting.signing-secret-proven',
    ])
  })

  it('leaves one that an admin entered in force, and goes with the next that one enters', async () => {
    await keepSigningSecret(store.db, defaultConnectionId, secret)
    const foreign = `whsec_${randomBytes(32).toString('base64')}`
    told = { secret: foreign }
    for (let time = 0; time < 2; time += 1) {
      await subscribeInbox(makeSession('admin'))
      const body = event()
      expect([await deliver(body), await deliver(body, sign(body))]).toEqual([403, 204])
    }
    await keepSigningSecret(store.db, defaultConnectionId, secret)
    expect(await deliver('x', sign('x', undefined, undefined, foreign))).toBe(403)
  })

  it('opens an inbox whose own secret cannot be opened only with a delivery that verifies', async () => {
    await keepSigningSecret(store.db, defaultConnectionId, secret)
    await store.db.update(inboxes).set({ signingSecret: 'sealed with a secret that is gone' })
    await subscribeInbox(makeSession('admin'))
    const body = event()
    expect([await deliver(body), await deliver(body, sign(body)), await deliver(body)]).toEqual([503, 204, 403])
  })

  it('locks nothing out where it can no longer be opened before it was proven', async () => {
    await store.db.update(inboxes).set({ signingSecret: 'sealed with a secret that is gone' })
    expect(await deliver(event())).toBe(204)
  })

  it('can be removed, also when it was entered: then signatures are not checked', async () => {
    await keepSigningSecret(store.db, defaultConnectionId, secret)
    expect(await deliver(event())).toBe(403)
    await removeSigningSecret(store.db, defaultConnectionId)
    expect(await viewInbox(reader)).toMatchObject({ signingSecret: 'none', refused: null })
    expect(await deliver(event())).toBe(204)
  })
})
