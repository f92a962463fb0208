import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Clock, makeClock } from '../simulation/clock'
import { type Received, startReceiver } from '../testing/webhook-receiver'
import { at, startTestService, type TestService, until } from '../testing/test-service'

const [second, hour] = [1_000, 3_600_000]
let receiver: Awaited<ReturnType<typeof startReceiver>>
let clock: Clock
let service: TestService
let pending: string[]
const asked: string[] = []
let paths = 0
let path: string

beforeAll(async () => {
  receiver = await startReceiver()
  clock = makeClock({ speed: 0 })
  service = await startTestService({ seedPayments: 300, clock, cancelDelay: 1_000, allowedCallbacks: [receiver.host] })
  // The last ones are handed over to the scheme last, so that moving the clock does not affect them.
  const rows = await service.walk('/Payments', { filter: "status eq 'Pending'", orderby: 'scheduleDate' })
  pending = rows.map((row) => String(at(row, 'id')))
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})
beforeEach(() => {
  path = `/${(paths += 1)}`
  receiver.answer = (response) => void response.writeHead(204).end()
})

const subscribe = (headers: Record<string, string> = {}) =>
  service.call('POST', '/Merchants/webhooks/subscribe', { body: { webhookUrl: receiver.address(path) }, headers })
const unsubscribe = () =>
  service.call('POST', '/Merchants/webhooks/unsubscribe', { body: { webhookUrl: receiver.address(path) } })

async function entry(): Promise<unknown> {
  const { json } = await service.call('GET', '/Merchants/webhooks')
  return Array.isArray(json) ? json.find((one) => at(one, 'webhookUrl') === receiver.address(path)) : undefined
}

/** Cancels a payment, which creates one event. */
async function causeEvent(): Promise<void> {
  const id = pending.pop() ?? ''
  asked.push(id)
  const reply = await service.call('DELETE', `/Payments/${id}`, { body: { text: 'Asked by phone' } })
  expect(reply.status).toBe(202)
  clock.advance(second)
}

/** The events of our own cancellations; over time mandates and other payments are cancelled too. */
const mine = () =>
  receiver.received.filter(
    ({ path: to, body }) => to === path && body.includes('"cancelled"') && asked.some((id) => body.includes(id)),
  )
const arrivals = (count: number) =>
  until(`${count} callbacks`, async () => (mine().length >= count ? mine() : undefined))
/** The failure must be recorded before the clock moves, because the next attempt is scheduled from then on. */
const failureRecorded = () => until('the failure to be noted', async () => at(await entry(), 'failingSince'))
const settle = () => new Promise((resolve) => setTimeout(resolve, 300))

/** Counts the signatures made with a secret. */
function countSigned(secret: unknown, { headers, body }: Received): number {
  const key = Buffer.from(String(secret).replace('whsec_', ''), 'base64')
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((one) => one === expected).length
}

describe('a new secret', () => {
  test('signs along with the one before for a day, so that no receiver refuses anything', async () => {
    const before = at((await subscribe()).json, 'secret')
    const renewed = await subscribe({ prefer: 'return=minimal, New-Secret' })
    const after = at(renewed.json, 'secret')
    expect([renewed.status, after === before]).toEqual([200, false])
    await causeEvent()
    const [both] = await arrivals(1)
    expect(both && [countSigned(before, both), countSigned(after, both)]).toEqual([1, 1])
    for (const secret of [before, after]) {
      const headers = Object.fromEntries(
        Object.entries(both?.headers ?? {}).map(([name, value]) => [name, String(value)]),
      )
      expect(new Webhook(String(secret)).verify(both?.body ?? '', headers)).toMatchObject({ eventType: 'cancelled' })
    }
    clock.advance(24 * hour)
    await causeEvent()
    const last = (await arrivals(2)).at(-1)
    expect(last && [countSigned(before, last), countSigned(after, last)]).toEqual([0, 1])
    await unsubscribe()
  })

  test('is told once and made only when asked for', async () => {
    await subscribe()
    const [plain, key] = [await subscribe(), { prefer: 'new-secret', 'idempotency-key': 'renew-once' }]
    expect(plain.json).toEqual({ webhookUrl: receiver.address(path) })
    const [renewed, replayed] = [await subscribe(key), await subscribe(key)]
    expect([at(renewed.json, 'secret'), at(replayed.json, 'secret')]).toEqual([expect.any(String), undefined])
    await causeEvent()
    const [first] = await arrivals(1)
    expect(first && countSigned(at(renewed.json, 'secret'), first)).toBe(1)
    await unsubscribe()
  })
})

describe('a receiver', () => {
  test('that answers 410 is sent nothing more until it is subscribed again', async () => {
    await subscribe()
    receiver.answer = (response) => void response.writeHead(410).end()
    await causeEvent()
    await until('the receiver to be disabled', async () => at(await entry(), 'disabledAt'))
    expect(at(await entry(), 'disabledBecause')).toBe('gone')
    await causeEvent()
    clock.advance(48 * hour)
    await settle()
    expect(mine()).toHaveLength(1)
    receiver.answer = (response) => void response.writeHead(204).end()
    expect((await subscribe()).status).toBe(200)
    expect(Object.keys(Object(await entry()))).not.toContain('disabledAt')
    await causeEvent()
    await arrivals(2)
    await unsubscribe()
  })

  test('that answers 410 to several at once is sent none of them again', async () => {
    await subscribe()
    const held: (() => void)[] = []
    receiver.answer = (response) => void held.push(() => response.writeHead(410).end())
    for (let count = 0; count < 3; count += 1) await causeEvent()
    await arrivals(3)
    for (const answer of held) answer()
    await until('the receiver to be disabled', async () => at(await entry(), 'disabledAt'))
    await settle()
    clock.advance(48 * hour)
    await settle()
    expect(mine()).toHaveLength(3)
    await unsubscribe()
  })

  test('that takes nothing for three days is given up', async () => {
    await subscribe()
    receiver.answer = (response) => void response.writeHead(500).end()
    await causeEvent()
    // The schedule of a delivery, slightly late each time; 60 hours in all.
    for (const hours of [0.01, 0.1, 0.6, 2.5, 6, 12, 16, 23]) {
      const { length } = await arrivals(1)
      await settle()
      expect(await entry()).toMatchObject({ webhookUrl: receiver.address(path) })
      clock.advance(hours * hour)
      await arrivals(length + 1)
    }
    clock.advance(27 * hour)
    await until('the receiver to be disabled', async () => at(await entry(), 'disabledAt'))
    expect(at(await entry(), 'disabledBecause')).toBe('failing')
    await unsubscribe()
  })

  test('that takes one delivery meanwhile is not', async () => {
    await subscribe()
    for (const hours of [30, 30, 30]) {
      receiver.answer = (response) => void response.writeHead(500).end()
      await causeEvent()
      await failureRecorded()
      const { length } = mine()
      receiver.answer = (response) => void response.writeHead(204).end()
      await until('the next try to succeed', async () => {
        // On a busy machine a failure is recorded after the clock has moved, so its next attempt is still to come.
        clock.advance(second * 6)
        return (mine().length > length && at(await entry(), 'failingSince') === undefined) || undefined
      })
      clock.advance(hours * hour)
    }
    await settle()
    expect(Object.keys(Object(await entry()))).not.toContain('disabledAt')
    await unsubscribe()
  })

  test.each([
    [429, '120'],
    [502, '120'],
    [503, 'date'],
    [504, '120'],
    [429, undefined],
  ])('that answers %i with Retry-After %s is left alone for as long, by every event', async (status, retryAfter) => {
    await subscribe()
    const wait = retryAfter === undefined ? 60 : 120
    const header = retryAfter === 'date' ? new Date(clock.now().getTime() + 121 * second).toUTCString() : retryAfter
    receiver.answer = (response) => void response.writeHead(status, header ? { 'retry-after': header } : {}).end()
    await causeEvent()
    await arrivals(1)
    await failureRecorded()
    receiver.answer = (response) => void response.writeHead(204).end()
    await causeEvent()
    clock.advance((wait - 10) * second)
    await settle()
    expect(mine()).toHaveLength(1)
    clock.advance(12 * second)
    expect(new Set((await arrivals(3)).map(({ headers }) => headers['webhook-id'])).size).toBe(2)
    await unsubscribe()
  })

  test('that asked for a pause is left alone for as long by what was in flight then, and its pause is never shortened', async () => {
    await subscribe()
    const held: ((status: number, retryAfter?: string) => void)[] = []
    receiver.answer = (response) =>
      void held.push((status, retryAfter) =>
        response.writeHead(status, retryAfter ? { 'retry-after': retryAfter } : {}).end(),
      )
    for (let count = 0; count < 3; count += 1) await causeEvent()
    await arrivals(3)
    held[0]?.(429, '3600')
    await failureRecorded()
    held[1]?.(500)
    held[2]?.(503, '60')
    await settle()
    receiver.answer = (response) => void response.writeHead(204).end()
    clock.advance(hour - 60 * second)
    await settle()
    expect(mine()).toHaveLength(3)
    clock.advance(120 * second)
    expect(new Set((await arrivals(6)).map(({ headers }) => headers['webhook-id'])).size).toBe(3)
    await unsubscribe()
  })

  test('that answers a byte a second is over after some seconds', async () => {
    await subscribe()
    let closed = false
    receiver.answer = (response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'), 1_000)
      response.on('close', () => {
        closed = true
        clearInterval(timer)
      })
    }
    await causeEvent()
    expect(await until('the connection to be closed', async () => (closed ? true : undefined))).toBe(true)
    await unsubscribe()
  })

  test('hears nothing more once its unsubscription is answered', async () => {
    for (let round = 0; round < 3; round += 1) {
      await subscribe()
      let open = 0
      receiver.answer = (response) => {
        open += 1
        response.on('close', () => (open -= 1))
      }
      const earlier = mine().length
      await Promise.all([causeEvent(), causeEvent(), causeEvent()])
      // The first time deliveries are about to begin, and then they are in flight.
      if (round > 0) await arrivals(earlier + 1)
      await unsubscribe()
      const { connections } = receiver
      const arrived = mine().length
      // Deliveries in flight are aborted, not left to end after the 15 s in which a reply must begin, and no new ones begin.
      await until('every connection to be closed', async () => (open === 0 ? true : undefined), 10_000)
      clock.advance(hour)
      await settle()
      const later = mine().slice(arrived)
      expect(later.filter(({ connection }) => connection > connections)).toEqual([])
    }
  })
})
