import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Payment } from '@/lib/api-contract/payments'
import { parseWebhooks } from '@/lib/domain/webhooks'
import { requestCancellation } from '../../cancellations/request-cancellation'
import { AppError } from '../../runtime/app-error'
import { callEndpoint } from '../../upstream/call-endpoint'
import { makeActor, settleLedger } from '../test-ledger'
import { openDeployment } from './exercise-deployment'
import { startFrontedDeployment } from './fronted-deployment'

const { deployment, session, ledger } = await openDeployment(startFrontedDeployment)

/** Reads like a page: a 429 is retried after the requested time. */
async function patiently<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'upstream-slow-down') throw error
    await wait((error.evidence.retryAfter ?? 0) * 1_000)
    return patiently(ask)
  }
}

it('is walked in pages of twenty, past a 429 with a date, with ids to the last digit', async () => {
  const rows: Payment[] = []
  let after: string | undefined
  for (;;) {
    const query = { limit: '100', ...(after !== undefined && { after }) }
    const page = await patiently(() => callEndpoint(session, 'listPayments', { query }))
    rows.push(...page.results)
    if (page.continuation.kind !== 'more') break
    after = page.continuation.after
  }
  expect(rows.map(({ id }) => id)).toEqual(deployment.payments.map(({ id }) => id))
  expect(rows[0]).toMatchObject({ id: '9007199254740993', amount: '10000', status: 'open', test: true })
})

it('has a record in a list of one, and keeps what is not as documented', async () => {
  const read = () => callEndpoint(session, 'getCustomer', { params: { customerIdOrHandle: '71' } })
  expect(await patiently(read)).toMatchObject({ id: '71', mandates: null, 'mandates (as told)': 'see /mandates' })
  const hooks = await patiently(() => callEndpoint(session, 'listWebhooks'))
  expect(parseWebhooks(hooks)?.entries).toMatchObject([
    { address: 'https://shop.example/hook', further: { active: true } },
  ])
})

it('refuses in the record of its gateway, and is understood', async () => {
  const create = () => callEndpoint(session, 'createCustomer', { body: { name: 'A', postalCode: '1' } })
  await expect(patiently(create)).rejects.toMatchObject({
    code: 'upstream-refused',
    evidence: { detail: 'invalid', errors: { postalCode: ['has five digits here'] } },
  })
})

it('has the payment cancelled that was meant, by an id that a double would round', async () => {
  const [, payment] = deployment.payments
  const seen = { amount: '10250', currency: 'SEK', status: 'open', modifiedAt: null }
  const asked = { paymentId: payment?.id ?? '', reason: 'Ordered twice', seen }
  const ask = () => requestCancellation(ledger, makeActor(), { key: randomUUID(), ...asked })
  const { cancellation } = await patiently(() =>
    ask().catch((error: unknown) => {
      // The gateway refused a read, so the user is asked for a confirmation and has it checked again.
      if (error instanceof AppError && error.code === 'confirmation-needed') return ask()
      throw error
    }),
  )
  expect(await settleLedger(ledger, cancellation.id)).toMatchObject({ state: 'cancelled', attempts: 1 })
  expect(deployment.payments.map(({ status }) => status).filter((status) => status === 'cancelled')).toHaveLength(1)
  expect(payment?.status).toBe('cancelled')
})
