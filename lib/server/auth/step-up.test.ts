import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { listExports } from '../store/export-schema'
import { sessions } from '../store/schema'
import { type AuthClient, AuthDesk, supporter, testOrigin } from '../testing/auth-fixture'
import { askFor } from '../testing/ledger-fixture'
import { type PaymentLedgerService, startPaymentLedgerService } from '../testing/payment-ledger-service'
import { loadRouteFiles, type RouteFile } from '../testing/route-files'

let service: PaymentLedgerService
let files: readonly RouteFile[]
let admin: AuthClient

beforeAll(async () => {
  service = await startPaymentLedgerService()
  Object.assign(process.env, {
    UPSTREAM_URL: service.url,
    UPSTREAM_TOKEN: 'a-token-for-tests',
    CANCEL_VELOCITY: '3/10m',
  })
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  files = await loadRouteFiles()
})

const desk = new AuthDesk()

beforeAll(async () => {
  await desk.addUser('admin@example.com', 'admin')
})
beforeEach(async () => {
  service.mend()
  admin = await desk.signIn('admin@example.com')
})
afterAll(() => service.close())

/** The code of the problem record, or the status of a success. */
async function ask(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body: object | null,
  params: Record<string, string> = {},
) {
  const folder = Object.entries(params).reduce((found, [name, value]) => found.replace(value, `[${name}]`), path)
  const handler = files.find((file) => file.path === folder)?.exported[method]
  if (!handler) throw new Error(`there is no ${method} ${path}`)
  const request = new Request(`${testOrigin}${path}`, {
    method,
    headers: {
      cookie: admin.cookieHeader,
      origin: testOrigin,
      'x-debitdesk': '1',
      'content-type': 'application/json',
    },
    body: body && JSON.stringify(body),
  })
  const response = await handler(request, { params: Promise.resolve(params) })
  const { type = '' } = await response.json()
  return response.ok ? response.status : String(type).split('/').at(-1)
}

const forget = () => desk.db.update(sessions).set({ provenAt: new Date(Date.now() - 6 * 60_000) })
const prove = () => ask('POST', '/api/desk/sessions/current/proof', { password: supporter.password })

const filter = { kind: 'compare', field: 'status', comparison: 'eq', value: 'Pending' }
const list = { list: 'listPayments', rest: null, order: null, filters: {}, columns: ['id'], zone: 'UTC' }
const weighty: [string, 'POST' | 'PUT' | 'DELETE', string, object | null][] = [
  ['creating a merchant', 'POST', '/api/service/Merchants', { name: 'Mine' }],
  [
    'subscribing an address',
    'POST',
    '/api/service/Merchants/webhooks/subscribe',
    { webhookUrl: 'https://thief.example/all' },
  ],
  ['subscribing the inbox', 'POST', '/api/desk/inbox/subscription', {}],
  ['setting a signing secret', 'PUT', '/api/desk/inbox/signing-secret', { secret: `whsec_${btoa('x'.repeat(32))}` }],
  ['removing a signing secret', 'DELETE', '/api/desk/inbox/signing-secret', null],
  ['renewing the inbox address', 'POST', '/api/desk/inbox/address', {}],
  ['exporting everything', 'POST', '/api/desk/exports', { ...list, asked: null }],
]

describe('what weighs most', () => {
  it.each(weighty)('%s needs a recent password', async (_, method, path, body) => {
    await forget()
    const before = service.requests.length
    expect(await ask(method, path, body)).toBe('step-up')
    expect(service.requests).toHaveLength(before)
    expect(await prove()).toBe(200)
    expect(await ask(method, path, body)).not.toBe('step-up')
  })

  it('is not what a filter narrows down', async () => {
    await desk.db.delete(listExports)
    await forget()
    expect(await ask('POST', '/api/desk/exports', { ...list, asked: filter })).toBe(202)
  })
})

it('single cancellations need it too once there are many, through either door', async () => {
  const payments = Array.from({ length: 6 }, () => service.add())
  const [first, second, third, fourth, fifth, sixth] = payments
  if (!first || !second || !third || !fourth || !fifth || !sixth) throw new Error('no payments')
  const post = (payment: typeof first) => ask('POST', '/api/desk/cancellations', askFor(payment))
  const remove = ({ id }: typeof first) =>
    ask('DELETE', `/api/service/Payments/${id}`, { text: 'By script' }, { paymentId: id })
  expect([await post(first), await remove(second), await post(third)]).toEqual([202, 202, 202])
  const asked = askFor(fourth)
  expect(await ask('POST', '/api/desk/cancellations', asked)).toBe('step-up')
  expect(await remove(fifth)).toBe('step-up')
  // Earlier ones are not new cancellations.
  expect(service.deletes).toHaveLength(3)
  expect(await prove()).toBe(200)
  expect(await ask('POST', '/api/desk/cancellations', asked)).toBe(202)
  expect([await remove(fifth), await post(sixth)]).toEqual([202, 202])
  expect(await remove(service.add())).toBe('step-up')
})
