import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { parseWebhooks } from '@/lib/domain/webhooks'
import { probeCapabilities } from '../../upstream/capabilities'
import { requestCancellation } from '../../cancellations/request-cancellation'
import { callEndpoint } from '../../upstream/call-endpoint'
import { makeActor, settleLedger } from '../test-ledger'
import { startAspnetDeployment } from './aspnet-deployment'
import { openDeployment, loadList } from './exercise-deployment'

const { deployment, session, ledger } = await openDeployment(startAspnetDeployment)

it('is walked to the end of its lists, in its own spelling', async () => {
  const { rows, end } = await loadList(session, 'listPayments')
  expect([rows.length, end]).toEqual([230, { kind: 'end' }])
  expect(rows[0]).toMatchObject({
    id: deployment.payments[0]?.id,
    amount: 100,
    status: 'Pending',
    customer: { name: 'Kunde 0', Segment: 'B2B' },
    Batch: { Number: 0 },
  })
  const mandates = await callEndpoint(session, 'listMandates', {})
  expect([mandates.results.length, mandates.unreadable]).toEqual([2, 1])
})

it('has its records taken out of their wrapping', async () => {
  const params = { customerIdOrHandle: 'kunde-1' }
  expect(await callEndpoint(session, 'getCustomer', { params })).toMatchObject({
    name: 'Kunde 1',
    number: '1001',
    mandates: [{ state: 'Signed' }],
  })
  expect(await callEndpoint(session, 'getMandate', { params: { mandateIdOrHandle: 'aftale-1' } })).toMatchObject({
    status: 'Signed',
  })
  expect(parseWebhooks(await callEndpoint(session, 'listWebhooks'))?.entries).toMatchObject([
    { address: 'https://shop.example/hook', id: '0', createdAt: null, further: { CreatedOn: '2026-11-01T00:00:00' } },
  ])
})

it('proves nothing by falling over every filter, and is not asked on and on', async () => {
  deployment.service.requests.length = 0
  const proofs = await probeCapabilities(session, 'listPayments')
  expect(Object.values(proofs)).not.toContain(true)
  expect(proofs).toMatchObject({ 'eq:status': false, 'order:createdAt': false })
  expect(deployment.service.requests.length).toBeLessThan(26)
})

it('names what it created in a Location of its inner host, and fields as paths', async () => {
  const created = await callEndpoint(session, 'createCustomer', { body: { name: 'A', number: '7' } })
  expect(created).toEqual({ status: 201, reply: { id: 'c0ffee00-0000-4000-8000-000000000001' } })
  await expect(callEndpoint(session, 'createCustomer', { body: { name: 'A' } })).rejects.toMatchObject({
    evidence: {
      errors: { number: ['The Number field is required.'] },
      detail: 'One or more validation errors occurred.',
    },
  })
})

it('has its payments cancelled, and called annulled', async () => {
  const [payment] = deployment.payments
  const seen = { amount: 100, currency: 'JPY', status: 'Pending', modifiedAt: null }
  const asked = { key: randomUUID(), paymentId: payment?.id ?? '', reason: 'Ordered twice', seen }
  const { cancellation } = await requestCancellation(ledger, makeActor(), asked)
  expect(cancellation.outcome).toBe('requested')
  expect(await settleLedger(ledger, cancellation.id)).toMatchObject({ state: 'cancelled', attempts: 1 })
})
