import { describe, expect, it } from 'vitest'
import { payment } from '@/lib/api-contract/payments'
import { findEnding, findHeadline, listMilestones, mergeStory } from './payment-story'

const context = {
  states: { cancellable: ['pending'], cancelled: ['cancelled'] },
  zone: 'Europe/Copenhagen',
  today: '2026-11-27',
}
const make = (fields: Record<string, unknown> = {}) =>
  payment.parse({
    id: 'p',
    status: 'Pending',
    createdAt: '2026-11-01T10:00:00Z',
    modifiedAt: '2026-11-26T10:00:00Z',
    scheduleDate: '2026-11-26T23:00:00Z',
    paymentDate: '2026-12-01T00:00:00Z',
    ...fields,
  })

describe('the steps of a payment', () => {
  it.each([
    ['Pending', ['created', 'handOver', 'debited']],
    ['Settled', ['created', 'handOver', 'debited', 'settled']],
    ['Rejected', ['created', 'handOver', 'rejected']],
    ['CHARGEBACK', ['created', 'handOver', 'debited', 'returned']],
    ['Cancelled', ['created', 'debited', 'cancelled']],
    ['Zork', ['created', 'handOver', 'debited']],
  ])('of state %s', (status, steps) => {
    expect(listMilestones(make({ status }), context).map(({ step }) => step)).toEqual(steps)
  })

  it('lie ahead from the day after today in the business zone', () => {
    const ahead = listMilestones(make(), context).map(({ step, isAhead }) => [step, isAhead])
    expect(ahead).toEqual([
      ['created', false],
      ['handOver', false],
      ['debited', true],
    ])
  })

  it.each(['0001-01-01T00:00:00', '9999-12-31T23:59:59.9999999Z'])('name no settlement on %s', (settlementDate) => {
    for (const status of ['Pending', 'Chargeback'])
      expect(listMilestones(make({ status, settlementDate }), context).map(({ step }) => step)).not.toContain('settled')
  })

  it.each([['Cancelled'], ['Rejected'], ['Chargeback']])(
    'end in state %s at the last change, or without a time where the provider counts no change',
    (status) => {
      const end = (modifiedAt: string | null) => listMilestones(make({ status, modifiedAt }), context).at(-1)
      expect(end('2026-11-26T10:00:00Z')).toMatchObject({ value: '2026-11-26T10:00:00Z', kind: 'change' })
      expect(end('2026-11-01T10:00:00Z')).toMatchObject({ value: null })
      expect(end('2026-10-31T10:00:00Z')).toMatchObject({ value: null })
      expect(end(null)).toMatchObject({ value: null })
    },
  )

  it('end at the time when a cancellation was confirmed', () => {
    const cancelledAt = '2026-11-27T22:07:00Z'
    const end = (status: string) => listMilestones(make({ status }), { ...context, cancelledAt }).at(-1)
    expect(end('Cancelled')).toMatchObject({ step: 'cancelled', value: cancelledAt, kind: 'timestamp' })
    expect(end('Rejected')).toMatchObject({ step: 'rejected', value: '2026-11-26T10:00:00Z', kind: 'change' })
  })

  it('include the settlement of a payment that was claimed back later', () => {
    const steps = listMilestones(make({ status: 'Chargeback', settlementDate: '2026-11-20T00:00:00Z' }), context)
    expect(steps.map(({ step }) => step)).toEqual(['created', 'handOver', 'debited', 'settled', 'returned'])
  })
})

it.each([
  [
    { status: 'Settled', paymentDate: '2026-11-20T00:00:00Z' },
    { kind: 'collected', day: '2026-11-20' },
  ],
  [{ status: 'Rejected' }, { kind: 'rejected', day: '2026-12-01' }],
  [{ status: 'Chargeback' }, { kind: 'returned' }],
  [{ status: 'cancelled' }, { kind: 'cancelled' }],
  [{}, { kind: 'ahead', day: '2026-12-01' }],
  [{ paymentDate: null }, { kind: 'ahead', day: '2026-11-27' }],
  [{ paymentDate: '2026-11-26T00:00:00Z' }, { kind: 'overdue', day: '2026-11-26' }],
  [{ paymentDate: null, scheduleDate: 'soon' }, null],
  [{ paymentDate: '9999-12-31T23:59:59.9999999Z' }, { kind: 'ahead', day: '2026-11-27' }],
])('the headline of %j is %j', (fields, headline) => {
  expect(findHeadline(make(fields), context)).toEqual(headline)
})

it('knows a payment that is with the scheme from one that can be cancelled', () => {
  expect(['Pending', 'Scheduled', null].map((status) => findEnding({ status }, context))).toEqual([
    'open',
    'sent',
    'open',
  ])
})

describe('the steps with what happened in between', () => {
  const merge = (fields: Record<string, unknown>, ...moments: string[]) =>
    mergeStory(
      listMilestones(make(fields), context),
      moments.map((at) => ({ at })),
      context.zone,
    ).map((part) => ('step' in part ? part.step : part.at))

  it('are in the order of time, a day before what happened on it', () => {
    const [late, early] = ['2026-11-27T08:00:00Z', '2026-11-26T22:59:00Z']
    expect(merge({}, late, early)).toEqual(['created', early, 'handOver', late, 'debited'])
  })

  it('keep a dropped step where it is', () => {
    const [asked, after] = ['2026-11-26T09:59:00Z', '2026-11-26T10:00:01Z']
    expect(merge({ status: 'Cancelled' }, after, asked)).toEqual(['created', 'debited', asked, 'cancelled', after])
  })

  it.each([null, '9999-12-31T23:59:59.9999999Z'])('take what happened when the date is %s', (createdAt) => {
    const at = '2026-11-26T09:59:00Z'
    expect(merge({ createdAt, scheduleDate: null, paymentDate: 'soon' }, at)).toEqual([
      'created',
      'handOver',
      'debited',
      at,
    ])
  })
})
