import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { probeCapabilities } from '../../upstream/capabilities'
import { requestCancellation } from '../../cancellations/request-cancellation'
import { readFirstPage } from '../../upstream/page-data'
import { callEndpoint } from '../../upstream/call-endpoint'
import { makeActor, settleLedger } from '../test-ledger'
import { openDeployment, loadList } from './exercise-deployment'
import { startLegacyDeployment } from './legacy-deployment'

const { deployment, session, ledger } = await openDeployment(startLegacyDeployment)

const id = '0b8f8a2e-4a53-4c7e-9f0e-3f2f6a1c5d10'
const silent = { kind: 'incomplete', reason: 'no-word' } as const

describe('an old service', () => {
  it('gives everything in one page, of which nobody says that it is everything', async () => {
    expect(await readFirstPage(session, 'listPayments', {})).toMatchObject({
      page: { results: { length: 240 }, continuation: silent },
    })
    expect(await loadList(session, 'listCustomers')).toMatchObject({ rows: { length: 130 }, pages: 1, end: silent })
    const mandates = await callEndpoint(session, 'listMandates')
    expect(mandates).toMatchObject({ results: [{ id: '1', status: 'CREATED' }], unreadable: 1, continuation: silent })
  })

  it('shows nothing less where it has its own idea of a field', async () => {
    const { results } = await callEndpoint(session, 'listPayments')
    expect(results[0]).toMatchObject({
      status: 'PENDING',
      currency: 'dkk',
      test: false,
      customer: null,
      mandate: { scheme: 'nets-bs', id: null },
      paymentDate: '2026-11-25',
      sequence: 0,
    })
  })

  it('ignores filter and order, so that nothing is proven', async () => {
    for (const list of ['listPayments', 'listCustomers', 'listMandates'] as const) {
      const proofs = await probeCapabilities(session, list)
      expect(Object.values(proofs).filter(Boolean)).toEqual([])
    }
  })

  it('ignores what comes after: the second page is the first', async () => {
    const again = await callEndpoint(session, 'listPayments', { query: { after: 'x', limit: '100' } })
    expect(again.results).toHaveLength(240)
  })

  it('reads JSON in plain text, whatever its shape', async () => {
    expect(await callEndpoint(session, 'getStatus')).toEqual({ service: 'debit', up: true })
    expect(await callEndpoint(session, 'getMerchant')).toEqual([{ name: 'OLD LTD' }])
    expect(await callEndpoint(session, 'listWebhooks')).toEqual({ webhooks: { main: 'https://shop.example/hook' } })
    expect(await callEndpoint(session, 'getCustomer', { params: { customerIdOrHandle: '1' } })).toMatchObject({
      number: '17',
      mandates: null,
      extra: { deep: [1, [2]] },
    })
    expect(await callEndpoint(session, 'getMandate', { params: { mandateIdOrHandle: '1' } })).toMatchObject({ id: '1' })
    expect(await callEndpoint(session, 'getAgreement', { params: { agreementIdOrHandle: '7' } })).toMatchObject({
      schemeData: 'cvr=12345678',
    })
  })

  it('confirms each write in another way', async () => {
    const body = { name: 'Ann' }
    const webhookUrl = 'https://shop.example/hook'
    const params = { customerIdOrHandle: '1' }
    expect(await callEndpoint(session, 'createCustomer', { body })).toEqual({ status: 201, reply: { id: '130' } })
    expect(await callEndpoint(session, 'updateCustomer', { params, body })).toEqual({ status: 200, reply: { id: '1' } })
    expect(await callEndpoint(session, 'deleteCustomer', { params: { customerId: id } })).toEqual({
      status: 200,
      reply: true,
    })
    expect(await callEndpoint(session, 'createMerchant', { body })).toEqual({ status: 202, reply: 'created' })
    expect(await callEndpoint(session, 'createAgreement', { body: { scheme: 'x' } })).toEqual({
      status: 201,
      reply: null,
    })
    expect(await callEndpoint(session, 'deleteAgreement', { params: { agreementId: id } })).toEqual({
      status: 202,
      reply: null,
    })
    expect(await callEndpoint(session, 'subscribeWebhook', { body: { webhookUrl } })).toMatchObject({ status: 202 })
    expect(await callEndpoint(session, 'unsubscribeWebhook', { body: { webhookUrl } })).toMatchObject({ status: 200 })
  })

  it('refuses in HTML, of which not a word is passed on', async () => {
    const refused = callEndpoint(session, 'createCustomer', { body: { name: 'A', number: '1' } })
    await expect(refused).rejects.toMatchObject({ code: 'upstream-refused', evidence: { upstream: { status: 400 } } })
    const nobody = await callEndpoint(session, 'getCustomer', { params: { customerIdOrHandle: 'nobody' } }).catch(
      (e) => e,
    )
    expect(nobody).toMatchObject({ code: 'not-found' })
    expect(JSON.stringify(nobody)).not.toContain('script')
  })

  it('has its payments cancelled: capital states, 202 with a body of its own', async () => {
    const [payment] = deployment.payments
    const seen = { amount: payment?.amount ?? 0, currency: 'DKK', status: 'Pending', modifiedAt: null }
    const asked = { key: randomUUID(), paymentId: payment?.id ?? '', reason: 'Ordered twice', seen }
    const { cancellation } = await requestCancellation(ledger, makeActor(), asked)
    expect(cancellation.outcome).toBe('requested')
    expect(await settleLedger(ledger, cancellation.id)).toMatchObject({ state: 'cancelled', attempts: 1 })
  })

  it('is asked for a second word before a payment is cancelled that it does not show', async () => {
    const asked = { key: randomUUID(), paymentId: id, reason: 'Where is it', seen: null }
    await expect(requestCancellation(ledger, makeActor(), asked)).rejects.toMatchObject({ code: 'confirmation-needed' })
    expect(deployment.service.requests.filter(({ method }) => method === 'DELETE')).toEqual([])
  })

  it('answers 500 in HTML to a cancellation that was confirmed unread: unknown, never "failed"', async () => {
    const asked = { key: randomUUID(), paymentId: id, reason: 'Where is it', seen: null, unread: true }
    const { cancellation } = await requestCancellation(ledger, makeActor(), asked)
    expect(cancellation).toMatchObject({ outcome: 'unknown', closed: false })
  })
})
