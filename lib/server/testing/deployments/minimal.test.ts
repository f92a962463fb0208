import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { probeCapabilities } from '../../upstream/capabilities'
import { requestCancellation } from '../../cancellations/request-cancellation'
import type { AppError } from '../../runtime/app-error'
import { readFirstPage } from '../../upstream/page-data'
import { callEndpoint } from '../../upstream/call-endpoint'
import { makeActor, settleLedger } from '../test-ledger'
import { openDeployment, loadList } from './exercise-deployment'
import { startMinimalDeployment } from './minimal-deployment'

const { deployment, session, ledger } = await openDeployment(startMinimalDeployment)

const id = '0b8f8a2e-4a53-4c7e-9f0e-3f2f6a1c5d10'

describe('a service of few words', () => {
  it('gives its payments though it takes no parameter at all, and is asked in vain only once', async () => {
    expect(await readFirstPage(session, 'listPayments', {})).toMatchObject({
      page: { results: { length: 37 }, continuation: { kind: 'end' } },
    })
    expect(deployment.service.requests.map(({ path }) => path)).toEqual([
      '/Payments?limit=100',
      '/Payments?limit=50',
      '/Payments?limit=20',
      '/Payments',
      // A refusal only counts when repeated.
      '/Payments?limit=100',
    ])
    deployment.service.requests.length = 0
    await readFirstPage(session, 'listPayments', {})
    expect(deployment.service.requests.map(({ path }) => path)).toEqual(['/Payments'])
  })

  it('pages by numbers, and says of its end a number too', async () => {
    const { rows, pages, end } = await loadList(session, 'listCustomers')
    expect([rows.length, new Set(rows.map((row) => row.id)).size, pages, end]).toEqual([45, 45, 1, { kind: 'end' }])
    const page = await callEndpoint(session, 'listCustomers', { query: { limit: '20' } })
    expect(page.continuation).toEqual({ kind: 'more', after: '20' })
  })

  it('is asked for no filter and no order that it refuses', async () => {
    for (const list of ['listPayments', 'listCustomers', 'listMandates'] as const) {
      const proofs = await probeCapabilities(session, list)
      expect(Object.values(proofs).filter(Boolean)).toEqual([])
    }
  })

  it('reads single records of one field, and every write that is answered in words', async () => {
    expect(await callEndpoint(session, 'getStatus')).toBe('ok')
    expect(await callEndpoint(session, 'getMerchant')).toEqual({ name: 'Minimal Ltd' })
    expect(await callEndpoint(session, 'listWebhooks')).toEqual(['https://shop.example/hook'])
    const customer = await callEndpoint(session, 'getCustomer', { params: { customerIdOrHandle: 'x' } })
    expect(customer).toMatchObject({ name: 'Payer 1', id: null, mandates: null })
    expect(await callEndpoint(session, 'getMandate', { params: { mandateIdOrHandle: 'x' } })).toMatchObject({
      status: 'created',
      customer: null,
    })
    expect(await callEndpoint(session, 'getAgreement', { params: { agreementIdOrHandle: 'x' } })).toMatchObject({
      scheme: 'nets-bs',
    })
    const body = { name: 'Ann' }
    expect(await callEndpoint(session, 'createCustomer', { body })).toEqual({ status: 200, reply: 'created' })
    expect(await callEndpoint(session, 'updateCustomer', { params: { customerIdOrHandle: 'x' }, body })).toEqual({
      status: 200,
      reply: null,
    })
    expect(await callEndpoint(session, 'deleteCustomer', { params: { customerId: id } })).toEqual({
      status: 200,
      reply: 'gone',
    })
    expect(await callEndpoint(session, 'createMerchant', { body })).toMatchObject({ status: 200 })
    expect(await callEndpoint(session, 'createAgreement', { body: { scheme: 'x' } })).toMatchObject({ status: 200 })
    expect(await callEndpoint(session, 'deleteAgreement', { params: { agreementId: id } })).toMatchObject({
      status: 200,
    })
    const webhookUrl = 'https://shop.example/hook'
    expect(await callEndpoint(session, 'subscribeWebhook', { body: { webhookUrl } })).toMatchObject({ status: 200 })
    expect(await callEndpoint(session, 'unsubscribeWebhook', { body: { webhookUrl } })).toMatchObject({ status: 200 })
  })

  it('refuses a field in its own way, and knows nobody', async () => {
    const taken: AppError = await callEndpoint(session, 'createCustomer', { body: { name: 'A', number: '1' } }).catch(
      (e) => e,
    )
    expect(taken).toMatchObject({ code: 'upstream-refused', evidence: { errors: { number: ['is taken'] } } })
    const nobody = callEndpoint(session, 'getCustomer', { params: { customerIdOrHandle: 'nobody' } })
    await expect(nobody).rejects.toMatchObject({ code: 'not-found' })
  })

  it('has its payments cancelled: lower-case states, 200 with words', async () => {
    const [payment] = deployment.payments
    const seen = { amount: payment?.amount ?? 0, currency: 'DKK', status: 'pending', modifiedAt: null }
    const asked = { key: randomUUID(), paymentId: payment?.id ?? '', reason: 'Ordered twice', seen }
    const { cancellation } = await requestCancellation(ledger, makeActor(), asked)
    expect(cancellation.outcome).toBe('requested')
    expect(await settleLedger(ledger, cancellation.id)).toMatchObject({ state: 'cancelled', attempts: 1 })
  })

  it('is not sent a cancellation of what is settled', async () => {
    const settled = deployment.payments.find(({ status }) => status === 'settled')
    const asked = { key: randomUUID(), paymentId: settled?.id ?? '', reason: 'Too late', seen: null }
    await expect(requestCancellation(ledger, makeActor(), asked)).rejects.toMatchObject({ code: 'not-cancellable' })
    expect(deployment.service.requests.filter(({ method }) => method === 'DELETE')).toEqual([])
  })
})
