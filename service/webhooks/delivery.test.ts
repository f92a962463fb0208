import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Clock, makeClock } from '../simulation/clock'
import { at, startTestService, type TestService, until } from '../testing/test-service'

type Received = { path: string; headers: IncomingHttpHeaders; body: string }

let server: Server
let port: number
let received: Received[] = []
let answer: (response: ServerResponse, path: string) => void
let clock: Clock
let service: TestService
let pending: string[]

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body })
      answer(response, request.url ?? '')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  port = typeof address === 'object' && address ? address.port : 0
  clock = makeClock({ speed: 0 })
  service = await startTestService({
    seedPayments: 200,
    clock,
    cancelDelay: 1_000,
    allowedCallbacks: [`127.0.0.1:${port}`],
    resolve: async (host) =>
      host === 'rebinding.example.com' && received.length > 0 ? ['127.0.0.1'] : ['93.184.216.34'],
  })
  // The last ones are handed over to the scheme last, so that moving the clock does not affect them.
  const rows = await service.walk('/Payments', { filter: "status eq 'Pending'", orderby: 'scheduleDate' })
  pending = rows.map((row) => String(at(row, 'id')))
})
afterAll(async () => {
  await service.close()
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  received = []
  answer = (response) => response.writeHead(204).end()
})

const address = (path: string) => `http://127.0.0.1:${port}${path}`

async function subscribe(path: string): Promise<string> {
  const reply = await service.call('POST', '/Merchants/webhooks/subscribe', { body: { webhookUrl: address(path) } })
  return String(at(reply.json, 'secret'))
}

const unsubscribe = (path: string) =>
  service.call('POST', '/Merchants/webhooks/unsubscribe', { body: { webhookUrl: address(path) } })

/** Cancels a payment, which creates one event. */
async function causeEvent(): Promise<string> {
  const id = pending.pop() ?? ''
  expect((await service.call('DELETE', `/Payments/${id}`, { body: { text: 'Asked by phone' } })).status).toBe(202)
  clock.advance(1_000)
  return id
}

const arrivals = (count: number) =>
  until(`${count} callbacks`, async () => (received.length >= count ? received : undefined))
const settle = () => new Promise((resolve) => setTimeout(resolve, 400))

/** Verifies a Standard Webhooks signature without a library. */
function isSigned(secret: string, { headers, body }: Received): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const expected = createHmac('sha256', key).update(signed).digest('base64')
  return timingSafeEqual(Buffer.from(`v1,${expected}`), Buffer.from(String(headers['webhook-signature'])))
}

describe('a delivery', () => {
  test('carries what happened, signed so that both a library and ten lines verify it', async () => {
    const secret = await subscribe('/signed')
    const id = await causeEvent()
    const [first] = await arrivals(1)
    expect(first && isSigned(secret, first)).toBe(true)
    const headers = Object.fromEntries(
      Object.entries(first?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    )
    const body: unknown = new Webhook(secret).verify(first?.body ?? '', headers)
    expect(body).toEqual({
      objectType: 'payment',
      eventType: 'cancelled',
      timeStamp: expect.any(String),
      data: expect.objectContaining({ id, status: 'Cancelled' }),
    })
    expect(first?.body.length).toBeLessThan(20_000)
    await unsubscribe('/signed')
  })

  test('that fails is tried again on the schedule, with the same id, and signed at the real time', async () => {
    const secret = await subscribe('/failing')
    answer = (response) => response.writeHead(500).end('no')
    await causeEvent()
    await arrivals(1)
    await settle()
    expect(received).toHaveLength(1)
    clock.advance(6_000)
    await arrivals(2)
    await settle()
    answer = (response) => response.writeHead(200).end()
    clock.advance(6 * 60_000)
    await arrivals(3)
    await settle()
    clock.advance(48 * 3_600_000)
    await settle()
    const mine = received.filter(({ headers }) => headers['webhook-id'] === received[0]?.headers['webhook-id'])
    expect(mine).toHaveLength(3)
    // The clock was six minutes ahead when the last was sent; receivers take five.
    for (const { headers, body } of mine)
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
        objectType: 'payment',
      })
    await unsubscribe('/failing')
  })

  test('that is redirected has failed and is not followed', async () => {
    await subscribe('/redirected')
    answer = (response) => response.writeHead(302, { location: '/elsewhere' }).end()
    await causeEvent()
    await arrivals(1)
    await settle()
    expect(received.map(({ path }) => path)).not.toContain('/elsewhere')
    await unsubscribe('/redirected')
  })

  test('is not started after its subscription has ended', async () => {
    await subscribe('/ended')
    answer = (response) => response.writeHead(500).end()
    await causeEvent()
    await arrivals(1)
    await unsubscribe('/ended')
    received = []
    clock.advance(48 * 3_600_000)
    await settle()
    expect(received).toEqual([])
  })

  test('whose receiver answers without end is over after 64 KB', async () => {
    await subscribe('/endless')
    let written = 0
    answer = (response) => {
      response.writeHead(200)
      const write = () => {
        if (response.destroyed) return
        written += 65_536
        response.write(Buffer.alloc(65_536))
        setImmediate(write)
      }
      write()
    }
    await causeEvent()
    await arrivals(1)
    await until('the endless answer to be cut off', async () => {
      const before = written
      await settle()
      return written === before ? true : undefined
    })
    expect(written).toBeLessThan(50_000_000)
    await unsubscribe('/endless')
  })

  test('to a name that has come to mean this machine is not sent', async () => {
    const body = { webhookUrl: 'https://rebinding.example.com/' }
    expect((await service.call('POST', '/Merchants/webhooks/subscribe', { body })).status).toBe(201)
    await subscribe('/witness')
    received.push({ path: '', headers: {}, body: '' })
    await causeEvent()
    await arrivals(2)
    await settle()
    expect(received.map(({ path }) => path)).toEqual(['', '/witness'])
    await service.call('POST', '/Merchants/webhooks/unsubscribe', { body })
    await unsubscribe('/witness')
  })
})
