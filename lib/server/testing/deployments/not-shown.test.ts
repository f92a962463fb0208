import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Ledger } from '../../cancellations/ledger'
import { requestCancellation } from '../../cancellations/request-cancellation'
import type { Failure } from '../../failure'
import { serviceHandler } from '../../gateway'
import { type PerformableId, type PerformInput, perform } from '../../perform'
import { type FaultService, type Script, startFaultService } from '../fault-service'
import { makeSession } from '../make-session'
import { settleLedger } from '../settle-ledger'
import { makeActor } from '../test-ledger'
import { say } from './deployment'
import { openDeploymentLedger, pointAt } from './exercise-deployment'

/* The gaps of the interface one by one, each with several answers that a deployment may legitimately give. */

const session = makeSession('admin')
const id = '0b8f8a2e-4a53-4c7e-9f0e-3f2f6a1c5d10'
const words = (body: string, status = 200): Script => ({ status, headers: { 'content-type': 'text/plain' }, body })
const html: Script = { headers: { 'content-type': 'text/html' }, body: '<p>words</p>' }
const nothing = (status: number): Script => ({ status, headers: {}, body: '' })

let script: (path: string, method: string) => Script
let service: FaultService

beforeAll(async () => {
  service = await startFaultService(({ path, method }) => script(path, method))
  pointAt({ service, settings: { UPSTREAM_URL: service.url, UPSTREAM_AUTH: 'none' }, payments: [] })
})
beforeEach(() => {
  globalThis.debitdeskLimits = undefined
  globalThis.debitdeskWires = undefined
  service.requests.length = 0
})
afterAll(() => service.close())

const fail = (endpointId: PerformableId, input: PerformInput): Promise<Failure> =>
  perform(session, endpointId, input).then(
    () => Promise.reject(new Error('it was done')),
    (error: Failure) => error,
  )

describe('the success of a write', () => {
  const writes: [PerformableId, PerformInput][] = [
    ['createCustomer', { body: { name: 'A' } }],
    ['updateCustomer', { params: { customerIdOrHandle: 'x' }, body: { city: 'B' } }],
    ['deleteCustomer', { params: { customerId: id } }],
    ['createMerchant', { body: { name: 'A' } }],
    ['createAgreement', { body: { scheme: 'x' } }],
    ['deleteAgreement', { params: { agreementId: id } }],
    ['subscribeWebhook', { body: { webhookUrl: 'https://shop.example/' } }],
    ['unsubscribeWebhook', { body: { webhookUrl: 'https://shop.example/' } }],
  ]
  const answers: [string, Script, unknown][] = [
    ['200 with a record', say({ id: '1' }), { status: 200, reply: { id: '1' } }],
    ['200 with nothing', nothing(200), { status: 200, reply: null }],
    ['200 with words', words('done'), { status: 200, reply: 'done' }],
    ['200 with HTML', { headers: { 'content-type': 'text/html' }, body: '<p>ok</p>' }, { status: 200, reply: null }],
    [
      '201 with a Location alone',
      { status: 201, headers: { location: '/x/1' }, body: '' },
      { status: 201, reply: null },
    ],
    ['202', nothing(202), { status: 202, reply: null }],
    ['204', nothing(204), { status: 204, reply: null }],
    ['208', say(true, 208, 'text/json'), { status: 208, reply: true }],
  ]

  it.each(writes)('of %s is any 2xx with anything in it', async (endpointId, input) => {
    for (const [, answer, done] of answers) {
      script = () => answer
      expect(await perform(session, endpointId, input)).toEqual(done)
    }
  })
})

describe('one record', () => {
  const reads: [PerformableId, PerformInput][] = [
    ['getCustomer', { params: { customerIdOrHandle: 'x' } }],
    ['getMandate', { params: { mandateIdOrHandle: 'x' } }],
    ['getAgreement', { params: { agreementIdOrHandle: 'x' } }],
  ]

  it.each(reads)('of %s may have few fields or many, and stand in a list of one', async (endpointId, input) => {
    for (const answer of [{}, { id: 1 }, { id: '1', more: { deep: [] } }, [{ handle: 'h' }]]) {
      script = () => say(answer)
      expect(await perform(session, endpointId, input)).toMatchObject({ id: expect.toSatisfy(() => true) })
    }
  })

  it.each(reads)('of %s that does not exist may be 404, 410, or nothing at all', async (endpointId, input) => {
    for (const answer of [nothing(404), say({ title: 'No' }, 404), nothing(410), nothing(204), say(null), say([])]) {
      script = () => answer
      expect((await fail(endpointId, input)).code).toBe('not-found')
    }
  })

  it.each(reads)('of %s that is no record at all is not taken for one', async (endpointId, input) => {
    for (const answer of [words('here it is'), say([{}, {}]), say(7)]) {
      script = () => answer
      expect((await fail(endpointId, input)).code).toBe('upstream-bad-reply')
    }
  })
})

describe('the merchant, the subscriptions and the word of being up', () => {
  it.each(['getMerchant', 'listWebhooks', 'getStatus'] as const)(
    'of %s have any shape, also none',
    async (endpointId) => {
      const shapes = [{ name: 'A' }, [{ name: 'A' }], 'A', [], null, 7, { results: [], hasMore: false }]
      for (const shape of shapes) {
        script = () => say(shape)
        expect(await perform(session, endpointId)).toEqual(shape)
      }
      script = () => nothing(204)
      const handle = serviceHandler(endpointId, async () => session)
      const response = await handle(new Request('http://127.0.0.1/x'), { params: Promise.resolve({}) })
      expect([response.status, await response.json()]).toEqual([200, null])
    },
  )
})

describe('the last page of a list', () => {
  it.each([
    ['null', { hasMore: false, nextOffset: null }, { kind: 'end' }],
    ['missing', { hasMore: false }, { kind: 'end' }],
    ['empty', { hasMore: false, nextOffset: '' }, { kind: 'end' }],
    ['a number', { hasMore: false, nextOffset: 7 }, { kind: 'end' }],
    ['opaque, with more to come', { hasMore: true, nextOffset: '+/=&?#%' }, { kind: 'more', after: '+/=&?#%' }],
    ['the number zero, with more to come', { hasMore: true, nextOffset: 0 }, { kind: 'more', after: '0' }],
    ['null, and hasMore too', { hasMore: null, nextOffset: null }, { kind: 'incomplete', reason: 'no-word' }],
  ])('has a nextOffset that is %s', async (_, end, continuation) => {
    script = () => say({ results: [{ id: 'a' }], ...end })
    expect(await perform(session, 'listPayments')).toMatchObject({ results: [{ id: 'a' }], continuation })
  })
})

describe('a refusal of what was typed', () => {
  it.each([
    ['400, fields as documented', say({ errors: { name: ['is odd'] } }, 400)],
    [
      '422, fields in PascalCase, as problem+json',
      say({ errors: { Name: ['is odd'] } }, 422, 'application/problem+json'),
    ],
    ['409, fields in capitals, one message without a list', say({ errors: { NAME: 'is odd' } }, 409)],
    ['400, in plain text, as a path', words(JSON.stringify({ errors: { '$.name': ['is odd'] } }), 400)],
    ['400, behind the name of an argument', say({ errors: { 'input.Name': ['is odd'] } }, 400)],
  ])('is read: %s', async (_, answer) => {
    script = () => answer
    const refused = await fail('createCustomer', { body: { name: 'A' } })
    expect(refused).toMatchObject({ code: 'upstream-refused', evidence: { errors: { name: ['is odd'] } } })
  })

  it.each([
    ['words alone', words('no', 400)],
    ['nothing', nothing(422)],
    ['HTML', { status: 400, headers: { 'content-type': 'text/html' }, body: '<b>no</b>' }],
    ['a list of errors', say({ errors: [{ field: 'name', message: 'is odd' }] }, 400)],
  ])('without fields is told as a refusal: %s', async (_, answer) => {
    script = () => answer
    const refused = await fail('createCustomer', { body: { name: 'A' } })
    expect([refused.code, refused.evidence.errors]).toEqual(['upstream-refused', undefined])
  })
})

describe('a cancellation', () => {
  const payment = { id, amount: 100, currency: 'DKK', status: 'Pending', paymentDate: '2026-12-01' }
  let ledger: Ledger
  let status: string

  beforeAll(async () => {
    ledger = await openDeploymentLedger({ service, settings: { UPSTREAM_AUTH: 'none' }, payments: [] })
  })
  beforeEach(() => {
    status = 'Pending'
  })

  function cancel(answer: Script, effect: string) {
    script = (_, method) => {
      if (method !== 'DELETE') return say({ results: [{ ...payment, status }], hasMore: false })
      status = effect
      return answer
    }
    return requestCancellation(ledger, makeActor(), { key: randomUUID(), paymentId: id, reason: 'Twice', seen: null })
  }

  it.each([
    ['200 with a record', say({ ...payment, status: 'Cancelled' })],
    ['200 with words', words('Accepted')],
    ['202 with nothing', nothing(202)],
    ['204', nothing(204)],
  ])('is accepted by %s, and cancelled only once a read says so', async (_, answer) => {
    const { cancellation } = await cancel(answer, 'cancelled')
    expect(cancellation.outcome).toBe('requested')
    expect(await settleLedger(ledger, cancellation.id)).toMatchObject({ state: 'cancelled', attempts: 1 })
  })

  it('is unknown after a 202 that cannot be read, and cancelled all the same once a read says so', async () => {
    const { cancellation } = await cancel({ ...html, status: 202 }, 'cancelled')
    expect(cancellation.outcome).toBe('unknown')
    expect(await settleLedger(ledger, cancellation.id)).toMatchObject({ state: 'cancelled', attempts: 1 })
  })

  it.each([
    ['400 in words', words('too late', 400)],
    ['409 as problem+json', say({ title: 'Too late' }, 409, 'application/problem+json')],
    ['422 with nothing', nothing(422)],
    ['412 in HTML', { status: 412, headers: { 'content-type': 'text/html' }, body: '<p>no</p>' }],
  ])('is declined by %s, and not cancelled once reads agree', async (_, answer) => {
    const { cancellation } = await cancel(answer, 'Pending')
    const row = await settleLedger(ledger, cancellation.id)
    expect(row).toMatchObject({ state: 'not-cancelled', outcomeReason: 'service-declined', attempts: 1 })
  })

  it.each([
    ['401', nothing(401)],
    ['403 as a record', say({ title: 'No' }, 403)],
  ])('is refused by %s, and closed at once', async (_, answer) => {
    const { cancellation } = await cancel(answer, 'Pending')
    expect(cancellation).toMatchObject({ outcome: 'not-cancelled', reason: 'refused', closed: true })
  })
})
