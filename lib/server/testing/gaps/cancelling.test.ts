import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Ledger } from '../../cancellations/ledger'
import { requestCancellation } from '../../cancellations/request-cancellation'
import { openDeploymentLedger } from '../deployments/exercise-deployment'
import { type FaultService, type Script, startFaultService } from '../fault-service'
import { makeActor, settleLedger } from '../test-ledger'
import { gapOf, html, json, nothing, page, type GapTest, words } from './gap'

let ledger: Ledger
let service: FaultService
let status = 'Pending'
let answer: Script = {}
let effect = 'Pending'
const id = 'DK-2026-17'

beforeAll(async () => {
  service = await startFaultService(({ method }) => {
    if (method !== 'DELETE') return page([{ id, status, amount: 100, currency: 'DKK', paymentDate: '2026-12-01' }])
    status = effect
    return answer
  })
  ledger = await openDeploymentLedger({ service, settings: { UPSTREAM_AUTH: 'none' }, payments: [] })
})
afterAll(() => service.close())

/** Cancels a pending payment at a service with this reply, after which the payment has this status. */
async function cancel(reply: Script, then: string) {
  ;[answer, effect, status] = [reply, then, 'Pending']
  const { cancellation } = await requestCancellation(ledger, makeActor(), {
    key: randomUUID(),
    paymentId: id,
    reason: 'Twice',
    seen: null,
  })
  const told = cancellation.outcome
  const { state, outcomeReason, attempts } = cancellation.closed
    ? { state: null, outcomeReason: cancellation.reason, attempts: 1 }
    : await settleLedger(ledger, cancellation.id)
  return { told, state, outcomeReason, attempts }
}

const accepted = (told: string, reply: Script, first = 'requested'): GapTest => [
  told,
  async () =>
    expect(await cancel(reply, 'Cancelled')).toEqual({
      told: first,
      state: 'cancelled',
      outcomeReason: null,
      attempts: 1,
    }),
]
gapOf('status of the Accepted reply', [
  accepted('200 with a record', json({ id, status: 'Cancelled' })),
  accepted('200 with words', words('Accepted')),
  accepted('202 with nothing', nothing(202)),
  accepted('204', nothing(204)),
  accepted('202 that cannot be read is unknown until a read says so', html(202), 'unknown'),
])

const declined = (told: string, reply: Script): GapTest => [
  told,
  async () =>
    expect(await cancel(reply, 'Pending')).toMatchObject({
      state: 'not-cancelled',
      outcomeReason: 'service-declined',
      attempts: 1,
    }),
]
const refused = (told: string, reply: Script): GapTest => [
  told,
  async () => expect(await cancel(reply, 'Pending')).toMatchObject({ told: 'unknown', outcomeReason: 'refused' }),
]
gapOf('statuses of the errors of DELETE /Payments', [
  declined('400 in words', words('too late', 400)),
  declined('404 with a record', json({ title: 'No such payment' }, 404)),
  declined('409 as problem+json', json({ title: 'Too late' }, 409, 'application/problem+json')),
  declined('422 with nothing', nothing(422)),
  declined('412 in HTML', html(412)),
  refused('401', nothing(401)),
  refused('403 with a record', json({ title: 'No' }, 403)),
  [
    '500, after which it is cancelled all the same',
    async () => expect(await cancel(nothing(500), 'Cancelled')).toMatchObject({ told: 'unknown', state: 'cancelled' }),
  ],
])
gapOf('transitions of payments', [
  [
    'accepted, then cancelled in another spelling',
    async () => expect(await cancel(nothing(202), 'CANCELLED')).toMatchObject({ state: 'cancelled' }),
  ],
  [
    'accepted, and settled all the same',
    async () =>
      expect(await cancel(nothing(202), 'Settled')).toMatchObject({
        told: 'requested',
        state: 'not-cancelled',
        outcomeReason: 'too-late',
      }),
  ],
  [
    'declined, for it was settled meanwhile',
    async () => expect(await cancel(nothing(409), 'settled')).toMatchObject({ state: 'not-cancelled' }),
  ],
])
