import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeClock } from '../simulation/clock'
import { at, startTestService, type TestService, until } from '../testing/test-service'

/** Stands still, so that tests control when a cancellation takes effect. */
const clock = makeClock({ speed: 0 })
let service: TestService
let pending: unknown[]

beforeAll(async () => {
  service = await startTestService({ seedPayments: 500, clock, cancelDelay: 1_500 })
  pending = await service.walk('/Payments', { filter: "status eq 'Pending'" })
})
afterAll(() => service.close())

const body = { text: 'Asked by phone' }
const take = () => String(at(pending.pop(), 'id'))
const cancel = (id: string, headers: Record<string, string> = {}, sent: unknown = body) =>
  service.call('DELETE', `/Payments/${id}`, { body: sent, headers })

async function read(from: TestService, id: string): Promise<unknown> {
  const [row] = await from.walk('/Payments', { filter: `id eq '${id}'` })
  return row
}

const becomesCancelled = (from: TestService, id: string) =>
  until('the cancellation', async () => {
    const row = await read(from, id)
    return at(row, 'status') === 'Cancelled' ? row : undefined
  })

const linesOf = (id: string, outcome: string) =>
  service.requests.filter((one) => one.path === `/Payments/${id}` && one.outcome === outcome)

describe('a cancellation', () => {
  test('is accepted without a body, and takes effect a while later', async () => {
    const id = take()
    const before = await read(service, id)
    const reply = await cancel(id)
    expect([reply.status, reply.text]).toEqual([202, ''])
    expect(at(await read(service, id), 'status')).toBe('Pending')
    clock.advance(1_500)
    const after = await becomesCancelled(service, id)
    expect(after).toEqual({ ...Object(before), status: 'Cancelled', modifiedAt: at(after, 'modifiedAt') })
    expect(String(at(after, 'modifiedAt')) > String(at(before, 'modifiedAt'))).toBe(true)
  })

  test('can name the payment by its handle', async () => {
    const handle = String(at(pending.pop(), 'handle'))
    expect((await cancel(handle)).status).toBe(202)
  })

  test.each(['Scheduled', 'Settled', 'Rejected', 'Chargeback', 'Cancelled'])(
    'of a payment that is %s is a conflict',
    async (status) => {
      const [row] = await service.walk('/Payments', { filter: `status eq '${status}'` })
      const reply = await cancel(String(at(row, 'id')))
      expect([reply.status, at(reply.json, 'type')]).toEqual([409, expect.stringMatching(/\/not-pending$/u)])
      expect(at(reply.json, 'detail')).toContain(status)
    },
  )

  test('of an unknown payment is not found', async () => {
    expect((await cancel(randomUUID())).status).toBe(404)
  })

  test.each([{}, { text: '' }, { text: '  ' }, { text: 'x'.repeat(501) }, { text: 5 }, { text: 'a', more: true }])(
    'with the body %j is refused',
    async (sent) => {
      const id = take()
      expect((await cancel(id, {}, sent)).status).toBe(400)
      expect((await service.call('DELETE', `/Payments/${id}`)).status).toBe(400)
      expect(linesOf(id, 'accepted')).toEqual([])
    },
  )

  test('asked for twenty times at once is effective once', async () => {
    const id = take()
    const replies = await Promise.all(Array.from({ length: 20 }, () => cancel(id)))
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 202))
    expect(linesOf(id, 'accepted')).toHaveLength(1)
    expect(linesOf(id, 'accepted-again')).toHaveLength(19)
  })

  test('stands in the request log with its key and body', async () => {
    const [id, key] = [take(), randomUUID()]
    await cancel(id, { 'idempotency-key': key })
    expect(linesOf(id, 'accepted')).toEqual([
      {
        at: expect.any(String),
        method: 'DELETE',
        path: `/Payments/${id}`,
        status: 202,
        idempotencyKey: key,
        outcome: 'accepted',
        body: JSON.stringify(body),
      },
    ])
  })
})

describe('an Idempotency-Key', () => {
  test('replays the stored answer for the same request, and refuses another', async () => {
    const [id, key] = [take(), randomUUID()]
    expect((await cancel(id, { 'idempotency-key': key })).status).toBe(202)
    const replay = await cancel(id, { 'idempotency-key': key })
    expect([replay.status, replay.headers.get('idempotency-replayed'), replay.text]).toEqual([208, 'true', ''])
    expect(linesOf(id, 'replayed')).toHaveLength(1)
    const other = await cancel(id, { 'idempotency-key': key }, { text: 'Something else' })
    expect([other.status, at(other.json, 'type')]).toEqual([422, expect.stringMatching(/\/key-reused$/u)])
    expect((await cancel(take(), { 'idempotency-key': key })).status).toBe(422)
  })

  test('replays a refusal with its own status, even after the payment has changed', async () => {
    const [row] = await service.walk('/Payments', { filter: "status eq 'Settled'" })
    const headers = { 'idempotency-key': randomUUID() }
    const first = await cancel(String(at(row, 'id')), headers)
    const replay = await cancel(String(at(row, 'id')), headers)
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([409, null])
    expect([replay.status, replay.headers.get('idempotency-replayed'), at(replay.json, 'detail')]).toEqual([
      409,
      'true',
      at(first.json, 'detail'),
    ])
  })

  test('used ten times at once runs the request once', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => service.call('POST', '/Customers', { body: { name: 'Once' }, headers })),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 208)).toHaveLength(9)
    expect(new Set(replies.map(({ json }) => at(json, 'id'))).size).toBe(1)
    expect(await service.walk('/Customers', { filter: "name eq 'once'" })).toHaveLength(1)
  })

  test.each(['', 'with space', 'é', 'x'.repeat(256)])('must be sound: %j', async (key) => {
    expect((await cancel(take(), { 'idempotency-key': key })).status).toBe(400)
  })

  test('of a request that was not understood can be used again', async () => {
    const [id, headers] = [take(), { 'idempotency-key': randomUUID() }]
    expect((await cancel(id, headers, {})).status).toBe(400)
    expect((await cancel(id, headers)).status).toBe(202)
  })
})

test('the log holds the writes that were understood, without what anybody can make it long with', async () => {
  const before = service.requests.length
  const id = take()
  await service.call('POST', '/nowhere', { body: {}, token: null })
  await service.call('POST', '/Customers', { body: { name: 'Ann' }, token: null })
  await cancel(id, {}, { text: 'x'.repeat(501) })
  await service.call('DELETE', `/Payments/${id}?${'x'.repeat(5_000)}`, {
    raw: `{"text":"Paid"${' '.repeat(100_000)}}`,
    headers: { 'content-type': 'application/json' },
  })
  await service.call('DELETE', `/Payments/${randomUUID()}`, { body })
  expect(service.requests.slice(before)).toMatchObject([
    { path: `/Payments/${id}?${'x'.repeat(300)}`.slice(0, 300), outcome: 'accepted', body: '{"text":"Paid"}' },
    { status: 404, outcome: 'refused', body: JSON.stringify(body) },
  ])
})

test('an accepted cancellation survives a restart, and the log goes on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'service-'))
  try {
    const first = await startTestService({ folder, seedPayments: 50, cancelDelay: 1_000 })
    const [row] = await first.walk('/Payments', { filter: "status eq 'Pending'" })
    const id = String(at(row, 'id'))
    expect((await first.call('DELETE', `/Payments/${id}`, { body })).status).toBe(202)
    await first.close()
    const second = await startTestService({ folder, seedPayments: 50 })
    await becomesCancelled(second, id)
    expect(await second.walk('/Payments')).toHaveLength(50)
    await second.close()
    const log = await readFile(join(folder, 'requests.log'), 'utf8')
    expect(
      log
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
    ).toEqual([
      expect.objectContaining({
        method: 'DELETE',
        path: `/Payments/${id}`,
        status: 202,
        outcome: 'accepted',
        idempotencyKey: null,
      }),
    ])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('an accepted cancellation takes effect after a restart, however far ahead the clock was', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'service-'))
  try {
    const ahead = makeClock({ speed: 0 })
    const first = await startTestService({ folder, seedPayments: 50, clock: ahead, cancelDelay: 1_000 })
    ahead.advance(3_600_000)
    const [row] = await first.walk('/Payments', { filter: "status eq 'Pending'", orderby: 'scheduleDate desc' })
    const id = String(at(row, 'id'))
    expect((await first.call('DELETE', `/Payments/${id}`, { body })).status).toBe(202)
    await first.close()
    const resumed = makeClock()
    const second = await startTestService({ folder, clock: resumed })
    expect(resumed.now().getTime()).toBeGreaterThanOrEqual(ahead.now().getTime())
    await becomesCancelled(second, id)
    await second.close()
  } finally {
    await rm(folder, { recursive: true })
  }
})
