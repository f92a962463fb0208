import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { DELETE as deletePayment } from '@/app/api/service/Payments/[paymentId]/route'
import type { CancellationList, CancellationView } from '@/lib/domain/cancellations/cancellation'
import { runWorker, type Worker } from '@/lib/server/cancellations/worker'
import { memberships, users } from '@/lib/server/store/schema'
import { type AuthClient, AuthDesk, testOrigin } from '@/lib/server/testing/auth-fixture'
import { askFor } from '@/lib/server/testing/ledger-fixture'
import {
  type PaymentLedgerService,
  type ServicePayment,
  startPaymentLedgerService,
} from '@/lib/server/testing/payment-ledger-service'
import { openLedger } from '@/lib/server/cancellations/open-ledger'
import { GET as getOne } from './[cancellationId]/route'
import { GET, POST } from './route'

let service: PaymentLedgerService
let worker: Worker
let ann: AuthClient
let bo: AuthClient

beforeAll(async () => {
  service = await startPaymentLedgerService()
  Object.assign(process.env, {
    UPSTREAM_URL: service.url,
    UPSTREAM_TOKEN: 'a-token-for-tests',
    CANCEL_GRACE: '0.3 s',
    CANCEL_VELOCITY: 'off',
  })
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
})

const desk = new AuthDesk()

beforeAll(async () => {
  await desk.addUser('bo@example.com', 'admin')
  await desk.addUser('viewer@example.com', 'viewer')
  ann = await desk.signIn()
  bo = await desk.signIn('bo@example.com')
  worker = await runWorker(await openLedger('default'))
})

beforeEach(() => service.mend())

afterAll(async () => {
  await worker.stop()
  await service.close()
})

type Asked = {
  client?: Pick<AuthClient, 'cookieHeader'>
  headers?: Record<string, string>
  body?: unknown
  signal?: AbortSignal
}

function request(method: string, path: string, { client, headers, body, signal }: Asked): Request {
  return new Request(`${testOrigin}${path}`, {
    method,
    headers: {
      origin: testOrigin,
      'sec-fetch-site': 'same-origin',
      'x-debitdesk': '1',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(client && { cookie: client.cookieHeader }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
}

const noParams = { params: Promise.resolve({}) }

/** Our own endpoint. */
function post(body: unknown, asked: Asked = { client: ann }): Promise<Response> {
  return POST(request('POST', '/api/desk/cancellations', { ...asked, body }), noParams)
}

/** The documented endpoint. */
function remove({ id }: ServicePayment, asked: Asked): Promise<Response> {
  const params = Promise.resolve({ paymentId: id })
  return deletePayment(request('DELETE', `/api/service/Payments/${id}`, asked), { params })
}

async function list(query: string, client = ann): Promise<CancellationView[]> {
  const response = await GET(request('GET', `/api/desk/cancellations${query}`, { client }), noParams)
  expect(response.status).toBe(200)
  const { cancellations }: CancellationList = await response.json()
  return cancellations
}

const deletesOf = ({ id }: ServicePayment) => service.deletes.filter(({ paymentId }) => paymentId === id)

async function untilClosed({ id }: ServicePayment): Promise<CancellationView | undefined> {
  return vi.waitUntil(async () => (await list(`?paymentId=${id}`)).find(({ closed }) => closed), {
    timeout: 30_000,
    interval: 100,
  })
}

describe("the desk's own door", () => {
  test('answers 202 with the view, and the list tells when it is cancelled', async () => {
    const payment = service.add()
    const response = await post(askFor(payment))
    expect(response.status).toBe(202)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('idempotency-replayed')).toBeNull()
    const view: CancellationView = await response.json()
    expect(view).toMatchObject({ paymentId: payment.id, outcome: 'requested', requestedBy: 'support@example.com' })
    expect(await untilClosed(payment)).toMatchObject({ id: view.id, outcome: 'cancelled' })
    const one = await getOne(request('GET', `/api/desk/cancellations/${view.id}`, { client: bo }), {
      params: Promise.resolve({ cancellationId: view.id }),
    })
    expect(await one.json()).toMatchObject({ id: view.id, outcome: 'cancelled', closed: true })
  })

  test('says that a submission came before', async () => {
    const instruction = askFor(service.add())
    await post(instruction)
    const again = await post(instruction)
    expect(again.status).toBe(202)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  test('tells the difference, the payment as it is and what became of the request', async () => {
    const payment = service.add()
    service.change(payment.id, { amount: 1 })
    const response = await post(askFor(payment))
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({
      type: expect.stringMatching(/changed-since-seen$/u),
      difference: { amount: { seen: 124_500, now: 1 } },
      payment: { id: payment.id, amount: 1 },
      cancellation: { outcome: 'not-cancelled', reason: 'changed' },
    })
  })

  const bad: [string, (payment: ServicePayment) => unknown][] = [
    ['no reason', (payment) => askFor(payment, { reason: ' ' })],
    ['a reason over the limit', (payment) => askFor(payment, { reason: 'x'.repeat(10_000) })],
    ['NUL in the reason', (payment) => askFor(payment, { reason: 'a\0b' })],
    ['a lone surrogate in the reason', (payment) => askFor(payment, { reason: 'a\ud800' })],
    ['a key that is no UUID', (payment) => askFor(payment, { key: '1' })],
    ['a payment id that leaves its template', (payment) => askFor(payment, { paymentId: '..' })],
    ['an encoded slash', (payment) => askFor(payment, { paymentId: `a%2f${payment.id}` })],
    ['a word of the path', (payment) => askFor(payment, { paymentId: 'mandates' })],
    ['nothing seen', (payment) => ({ ...askFor(payment), seen: undefined })],
    ['a member that is not known', (payment) => ({ ...askFor(payment), connectionId: 'other' })],
  ]
  test.each(bad)('refuses %s with 400 and calls nobody', async (_, write) => {
    const payment = service.add()
    const before = service.requests.length
    const response = await post(write(payment))
    expect(response.status).toBe(400)
    expect(service.requests).toHaveLength(before)
    expect(await list(`?paymentId=${payment.id}`)).toEqual([])
  })

  test('goes on when the browser has gone away', async () => {
    const payment = service.add()
    const leaving = new AbortController()
    service.next(payment, { before: () => leaving.abort() })
    await post(askFor(payment), { client: ann, signal: leaving.signal }).catch(() => undefined)
    expect(await untilClosed(payment)).toMatchObject({ outcome: 'cancelled' })
    expect(deletesOf(payment)).toMatchObject([{ effective: true }])
  })
})

describe('the documented door', () => {
  test('cancels with {text} alone, taking what it reads as seen', async () => {
    const payment = service.add()
    const response = await remove(payment, { client: ann, body: { text: 'By script' } })
    expect(response.status).toBe(202)
    expect(await response.json()).toMatchObject({ outcome: 'requested', text: 'By script' })
    expect(await untilClosed(payment)).toMatchObject({ outcome: 'cancelled' })
  })

  test('honours an Idempotency-Key and refuses one that is no UUID', async () => {
    const payment = service.add()
    const asked = { client: ann, body: { text: 'By script' }, headers: { 'idempotency-key': randomUUID() } }
    const first = await remove(payment, asked)
    const second = await remove(payment, asked)
    expect([first.status, second.status]).toEqual([202, 202])
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect((await remove(payment, { ...asked, headers: { 'idempotency-key': 'again' } })).status).toBe(400)
    expect(deletesOf(payment)).toHaveLength(1)
  })

  test('is told 409 of a payment that cannot be cancelled', async () => {
    const payment = service.add({ status: 'Settled' })
    const response = await remove(payment, { client: ann, body: { text: 'By script' } })
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ cancellation: { reason: 'too-late', detail: 'Settled' } })
    expect(deletesOf(payment)).toEqual([])
  })
})

test('two people, one through each door, at once: one request, and the other is told of it', async () => {
  for (let race = 0; race < 10; race += 1) {
    const payment = service.add()
    const responses = await Promise.all([
      post(askFor(payment), { client: ann }),
      remove(payment, { client: bo, body: { text: 'By script' } }),
    ])
    const statuses = responses.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([202, 409]))
    const loser = responses[statuses.indexOf(409)]
    const winner = statuses[0] === 202 ? 'support@example.com' : 'bo@example.com'
    expect(await loser?.json()).toMatchObject({ cancellation: { requestedBy: winner, closed: false } })
    expect(deletesOf(payment)).toHaveLength(1)
  }
})

test('lists the latest of each payment and all that are open', async () => {
  const [once, twice] = [service.add(), service.add()]
  service.change(twice.id, { amount: 1 })
  await post(askFor(twice))
  service.next(once, { effect: false, answer: { status: 202, headers: {}, body: '' } })
  const open: CancellationView = await (await post(askFor(once))).json()
  service.next(twice, { effect: false, answer: { status: 202, headers: {}, body: '' } })
  const second: CancellationView = await (await post(askFor({ ...twice, amount: 1 }))).json()
  const both = await list(`?paymentId=${once.id}&paymentId=${twice.id.toUpperCase()}`)
  expect(both.map(({ id }) => id).toSorted()).toEqual([open.id, second.id].toSorted())
  const ids = (await list('?open=1')).map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining([open.id, second.id]))
  const refused = await GET(request('GET', '/api/desk/cancellations', { client: ann }), noParams)
  expect(refused.status).toBe(400)
})

test('lists of two payments whose ids differ only in case the one that was asked for', async () => {
  const pair = [service.add({ id: 'aBcDaQ0z' }), service.add({ id: 'AbCdAq0Z' })]
  for (const payment of pair) await post(askFor(payment))
  for (const { id } of pair) expect((await list(`?paymentId=${id}`)).map(({ paymentId }) => paymentId)).toEqual([id])
  expect(await list('?paymentId=abcdaq0z')).toEqual([])
})

test('who signed out, or may only read, sends nothing through either door', async () => {
  const payment = service.add()
  const viewer = await desk.signIn('viewer@example.com')
  const leaving = await desk.signIn()
  const stolen = { cookieHeader: leaving.cookieHeader }
  await leaving.signOut()
  for (const [client, status] of [
    [viewer, 403],
    [stolen, 401],
  ] as const) {
    expect((await post(askFor(payment), { client })).status).toBe(status)
    expect((await remove(payment, { client, body: { text: 'By script' } })).status).toBe(status)
  }
  expect(deletesOf(payment)).toEqual([])
  expect(await list(`?paymentId=${payment.id}`)).toEqual([])
})

test('who is disabled or loses the role while the dialog is open sends nothing through either door (CX-22)', async () => {
  const payment = service.add()
  const demoted = await desk.addUser('demoted@example.com', 'support')
  const disabled = await desk.addUser('disabled@example.com', 'support')
  const clients = [await desk.signIn('demoted@example.com'), await desk.signIn('disabled@example.com')]
  await desk.db.update(memberships).set({ role: 'viewer' }).where(eq(memberships.userId, demoted))
  await desk.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, disabled))
  for (const [index, status] of [403, 401].entries()) {
    expect((await post(askFor(payment), { client: clients[index] ?? ann })).status).toBe(status)
    expect((await remove(payment, { client: clients[index] ?? ann, body: { text: 'By script' } })).status).toBe(status)
  }
  expect(deletesOf(payment)).toEqual([])
  expect(await list(`?paymentId=${payment.id}`)).toEqual([])
})
