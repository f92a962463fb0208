import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { probeCapabilities } from '../../upstream/capabilities'
import { requestCancellation } from '../../cancellations/request-cancellation'
import { readFirstPage } from '../../upstream/page-data'
import { callEndpoint } from '../../upstream/call-endpoint'
import { makeActor, settleLedger } from '../test-ledger'
import { startEnterpriseDeployment } from './enterprise-deployment'
import { openDeployment, loadList } from './exercise-deployment'

const { deployment, session, ledger } = await openDeployment(startEnterpriseDeployment)
afterAll(() => deployment.tokens.close())

describe('a large house', () => {
  it('gives fifty rows where one hundred are too many, and is asked for so many from then on', async () => {
    expect(await readFirstPage(session, 'listPayments', {})).toMatchObject({
      page: { results: { length: 50 }, continuation: { kind: 'more' } },
    })
    const { rows, pages, end } = await loadList(session, 'listPayments')
    expect([new Set(rows.map((row) => row.id)).size, pages, end]).toEqual([120, 3, { kind: 'end' }])
    const limits = deployment.service.requests.map(({ path }) => new URL(path, 'http://x').searchParams.get('limit'))
    expect(limits).toEqual(['100', '50', '100', '50', '50', '50'])
  })

  it('tells amounts as text and states as numbers, which are kept as told', async () => {
    const { results } = await callEndpoint(session, 'listPayments', { query: { limit: '10' } })
    expect(results[0]).toMatchObject({ amount: '100.00', status: '0', currency: 'EUR', links: [{ rel: 'self' }] })
  })

  it('finds nothing by a filter that it misunderstands, so that none is proven', async () => {
    for (const list of ['listPayments', 'listCustomers', 'listMandates'] as const) {
      const proofs = await probeCapabilities(session, list)
      expect(Object.entries(proofs).filter(([ability, holds]) => holds && !ability.startsWith('order:'))).toEqual([])
    }
  })

  it('reads single records with more than is documented', async () => {
    expect(await callEndpoint(session, 'getStatus')).toBe('Enterprise debit 9.1')
    expect(await callEndpoint(session, 'getMerchant')).toEqual({ merchant: { legal: { name: 'Enterprise SA' } } })
    expect(await callEndpoint(session, 'listWebhooks')).toMatchObject({
      results: [{ webhookUrl: 'https://shop.example/h' }],
    })
    expect(await callEndpoint(session, 'getCustomer', { params: { customerIdOrHandle: 'p-1' } })).toMatchObject({
      riskClass: 3,
      mandates: [],
    })
    expect(await callEndpoint(session, 'getMandate', { params: { mandateIdOrHandle: 'm-1' } })).toMatchObject({
      status: '1',
    })
    expect(await callEndpoint(session, 'getAgreement', { params: { agreementIdOrHandle: 'a-1' } })).toMatchObject({
      limits: { day: '1000.00' },
    })
  })

  it('confirms writes with nothing but a status', async () => {
    const body = { name: 'Ann' }
    const webhookUrl = 'https://shop.example/hook'
    // The new record is only known by its Location.
    const created = (of: string) => ({ status: 201, reply: { id: of } })
    const done = { status: 204, reply: null }
    expect(await callEndpoint(session, 'createCustomer', { body })).toEqual(created('p-71'))
    expect(await callEndpoint(session, 'updateCustomer', { params: { customerIdOrHandle: 'p-1' }, body })).toEqual(done)
    expect(await callEndpoint(session, 'deleteCustomer', { params: { customerId: 'p-1' } })).toEqual(done)
    expect(await callEndpoint(session, 'createMerchant', { body })).toEqual(created('me'))
    expect(await callEndpoint(session, 'createAgreement', { body: { scheme: 'sepa-core' } })).toEqual(created('a-2'))
    expect(await callEndpoint(session, 'deleteAgreement', { params: { agreementId: 'a-1' } })).toEqual(done)
    expect(await callEndpoint(session, 'subscribeWebhook', { body: { webhookUrl } })).toEqual({
      status: 201,
      reply: null,
    })
    expect(await callEndpoint(session, 'unsubscribeWebhook', { body: { webhookUrl } })).toEqual(done)
  })

  it('names its fields in capitals when it refuses, and they are found all the same', async () => {
    const refused = callEndpoint(session, 'createCustomer', { body: { name: 'A', number: '1' } })
    await expect(refused).rejects.toMatchObject({
      code: 'upstream-refused',
      evidence: { errors: { number: ['is taken'] }, upstream: { status: 422, traceId: '00-ab-cd-00' } },
    })
  })

  it('has its payments cancelled: numbers for states, 204, ids in either case', async () => {
    const [payment] = deployment.payments
    const seen = { amount: '100.00', currency: 'EUR', status: '0', modifiedAt: null }
    const asked = { key: randomUUID(), paymentId: payment?.id ?? '', reason: 'Ordered twice', seen }
    const { cancellation } = await requestCancellation(ledger, makeActor(), asked)
    expect(cancellation.outcome).toBe('requested')
    expect(await settleLedger(ledger, cancellation.id)).toMatchObject({ state: 'cancelled', attempts: 1 })
  })

  it('is not sent a cancellation of what is settled, whatever its number', async () => {
    const settled = deployment.payments.find(({ status }) => status === 'settled')
    const asked = { key: randomUUID(), paymentId: settled?.id ?? '', reason: 'Too late', seen: null }
    await expect(requestCancellation(ledger, makeActor(), asked)).rejects.toMatchObject({ code: 'not-cancellable' })
  })

  it('is asked for one token by each connection', () => {
    // This file's ledger has its own connection.
    expect(deployment.tokens.requests).toHaveLength(2)
    expect(deployment.service.requests.every(({ headers }) => headers.authorization?.startsWith('Bearer '))).toBe(true)
  })
})
