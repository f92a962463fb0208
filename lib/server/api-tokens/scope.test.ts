import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasPermission, type Role, roles } from '@/lib/api-contract/permission'
import { attempts } from '../store/schema'
import { testOrigin } from '../testing/auth-fixture'
import { fillParams, loadRouteFiles } from '../testing/route-files'
import { TokenDesk } from '../testing/token-desk'

/* What a token is accepted for, by the declarations of all routes. */

let desk: TokenDesk
const keys = new Map<Role, { token: string; cookie: string }>()

beforeAll(async () => {
  desk = await TokenDesk.start()
  for (const role of roles) {
    const { cookie } = await desk.addPerson(role, role)
    keys.set(role, { cookie, token: (await desk.makeToken(cookie, role)).token })
  }
})
beforeEach(async () => {
  globalThis.debitdeskRates?.clear()
  await desk.db.delete(attempts)
})
afterAll(() => desk.stop())

/** Any of these means that the handler was not asked. */
const refusals = ['token-not-accepted', 'token-invalid', 'signed-out', 'cross-origin', 'step-up', 'forbidden']

/** What scripts may call. Whatever else is added stays closed to them until it is listed here. */
const accepted = [
  'DELETE /api/desk/bulk/[bulkId]',
  'DELETE /api/service/Customers/[customerIdOrHandle]',
  'DELETE /api/service/Merchants/agreements/[agreementIdOrHandle]',
  'DELETE /api/service/Payments/[paymentId]',
  'GET /api/desk/bulk',
  'GET /api/desk/bulk/[bulkId]',
  'GET /api/desk/bulk/[bulkId]/result',
  'GET /api/desk/bulk/[bulkId]/rows',
  'GET /api/desk/cancellations',
  'GET /api/desk/cancellations/[cancellationId]',
  'GET /api/desk/exports',
  'GET /api/desk/exports/[exportId]',
  'GET /api/desk/exports/[exportId]/file',
  'GET /api/desk/exports/[exportId]/statement',
  'GET /api/desk/openapi/scripts',
  'GET /api/service',
  'GET /api/service/Customers',
  'GET /api/service/Customers/[customerIdOrHandle]',
  'GET /api/service/Customers/mandates',
  'GET /api/service/Customers/mandates/[mandateIdOrHandle]',
  'GET /api/service/Merchants',
  'GET /api/service/Merchants/agreements/[agreementIdOrHandle]',
  'GET /api/service/Merchants/webhooks',
  'GET /api/service/Payments',
  'PATCH /api/desk/bulk/[bulkId]/rows',
  'POST /api/desk/bulk',
  'POST /api/desk/bulk/[bulkId]',
  'POST /api/desk/bulk/[bulkId]/start',
  'POST /api/desk/cancellations',
  'POST /api/desk/cancellations/[cancellationId]/check',
  'POST /api/desk/exports',
  'POST /api/desk/exports/[exportId]',
  'POST /api/service/Customers',
  'POST /api/service/Merchants/agreements',
  'POST /api/service/Merchants/webhooks/unsubscribe',
  'PUT /api/service/Customers/[customerIdOrHandle]',
]

const routes = (await loadRouteFiles()).flatMap(({ path, folder, exported }) =>
  Object.entries(exported).flatMap(([method, handler]) =>
    handler.declaration.kind === 'permission' ? [{ name: `${method} ${path}`, method, folder, handler }] : [],
  ),
)
const withoutHead = routes.filter(({ method }) => method !== 'HEAD')

describe('the routes that accept a token', () => {
  it('are exactly these', () => {
    const declared = withoutHead.filter(({ handler: { declaration } }) => 'acceptsApiTokens' in declaration)
    expect(declared.map(({ name }) => name).toSorted()).toEqual(accepted)
  })

  it('are none of pages, teams, tokens, sign-ins, rules, notes, approvals or events', () => {
    const never =
      /team|tokens|sessions|password|rule|notes|approval|events|merchants|inbox|schedules|second-factor|auth/u
    // The service's own address for merchants begins with a capital.
    expect(accepted.filter((name) => never.test(name))).toEqual([])
  })
})

describe.each(routes)('$name', ({ name, method, folder, handler }) => {
  const isAccepted = accepted.includes(name.replace('HEAD ', 'GET '))

  async function send(role: Role, extra: Record<string, string> = {}) {
    const hasBody = !['GET', 'HEAD'].includes(method)
    const request = new Request(`${testOrigin}/${folder}`, {
      method,
      headers: {
        authorization: `Bearer ${keys.get(role)?.token}`,
        ...(hasBody && { 'content-type': 'application/json' }),
        ...extra,
      },
      ...(hasBody && { body: '{}' }),
    })
    const response = await handler(request, { params: Promise.resolve(fillParams(folder, randomUUID())) })
    const { type = '' } = response.ok ? {} : await response.json()
    if (response.ok) await response.body?.cancel()
    return { status: response.status, code: String(type).split('/').at(-1) ?? '' }
  }

  it('is open to a token as declared, and no further than its role', async () => {
    const { declaration } = handler
    for (const role of roles) {
      const { code } = await send(role)
      const isAllowed = declaration.kind === 'permission' && hasPermission(role, declaration.permission)
      const expected = isAccepted ? (isAllowed ? 'let in' : 'forbidden') : 'token-not-accepted'
      expect([role, refusals.includes(code) ? code : 'let in']).toEqual([role, expected])
    }
  })

  it('judges a token beside a cookie by the token alone, even one that is wrong', async () => {
    const page = { cookie: keys.get('admin')?.cookie ?? '', origin: testOrigin, 'x-debitdesk': '1' }
    const wrong = { ...page, authorization: `Bearer dd_${'0'.repeat(12)}_${'x'.repeat(43)}` }
    expect((await send('admin', wrong)).code).toBe(isAccepted ? 'token-invalid' : 'token-not-accepted')
    const weak = { ...page, authorization: `Bearer ${keys.get('viewer')?.token}` }
    const { declaration } = handler
    const isRead = declaration.kind === 'permission' && hasPermission('viewer', declaration.permission)
    const { code } = await send('admin', weak)
    expect(refusals.includes(code) ? code : 'let in').toBe(
      isAccepted ? (isRead ? 'let in' : 'forbidden') : 'token-not-accepted',
    )
  })
})
