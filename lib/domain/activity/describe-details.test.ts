import { expect, it } from 'vitest'
import type { ActivityView } from './activity'
import { describeDetails } from './describe-details'

type Details = ActivityView['details']

const english = { amounts: 'minor', locale: 'en-GB', zone: 'Europe/Copenhagen' } as const

const describe = (action: string, details: Details, context: Parameters<typeof describeDetails>[1] = english) =>
  describeDetails({ action, objectKind: action.split('.')[0] ?? '', details }, context)

it.each<[string, Details, object]>([
  [
    'bulk.started',
    { count: 5, sums: [{ sum: '267900', mode: 'live', count: 5, currency: 'DKK' }] },
    { Count: 5, Totals: [{ Sum: '2,679.00 DKK', Mode: 'Live', Count: 5 }] },
  ],
  [
    'cancellation.intended',
    { seen: { amount: 44_400, currency: 'DKK', status: 'Pending', modifiedAt: '2026-11-29T19:53:12Z' } },
    {
      'Payment as seen': { Amount: '444.00 DKK', Status: 'Pending', Modified: '29 Nov 2026, 20:53 CET' },
    },
  ],
  [
    'cancellation.intended',
    { seen: { amount: '12,50', currency: 'DKK' } },
    { 'Payment as seen': { Amount: '12,50', Currency: 'DKK' } },
  ],
  ['export.end', { sums: [{ minor: '100', currency: 'JPY', count: 1 }] }, { Totals: [{ Sum: '100 JPY', Count: 1 }] }],
  [
    'setting.approval-rule',
    {
      before: null,
      after: { hours: 24, limits: [{ amount: '123456789012', currency: 'DKK' }], everyBulk: true, supportLimits: [] },
    },
    {
      Before: 'Off: one person is enough.',
      After: {
        'Hours until a request expires': 24,
        'Amounts for everyone': '123,456,789,012.00 DKK',
        'Every bulk cancellation': true,
        'Lower amounts for support': [],
      },
    },
  ],
  ['setting.factor-rule', { before: [], after: ['admin', 'support'] }, { Before: [], After: 'Admin, Support' }],
  ['user.password-set', { by: 'invitation' }, { By: 'Invitation' }],
  ['bulk.created', { source: 'list' }, { Source: 'List' }],
  ['bulk.paused', { problem: 'restored' }, { Problem: expect.stringContaining('restored from a backup') }],
  ['bulk.finished', { count: 2, cancelled: 1, left: 1 }, { Count: 2, Cancelled: 1, 'Left to another cancellation': 1 }],
  [
    'merchant.changed',
    { auth: 'bearer', mode: 'test', credential: 'kept' },
    { Authentication: 'Bearer token', Mode: 'Test', Credential: 'Kept' },
  ],
  [
    'customer.create',
    { asked: { fields: ['name', 'postalCode'] }, answer: { status: 201, id: null, handle: null } },
    { Requested: { Fields: 'Name, Postal code' } },
  ],
  [
    'export.schedule',
    { list: 'listPayments', columns: ['id', 'status', 'x'], times: { rhythm: 'daily', day: 1, hour: 7 } },
    { List: 'Payments', Columns: 'Payment id, State, x', Schedule: 'Every day at 07:00' },
  ],
  [
    'export.activity',
    { filters: { kind: 'bulk', outcome: 'done', from: '2026-11-01' } },
    { Filters: { Kind: 'Bulk cancellation', Result: 'Done', From: '2026-11-01' } },
  ],
  ['retention.swept', { deleted: { drafts: 2 } }, { Deleted: { 'Lists that weren’t started': 2 } }],
  ['session.refused-more', { from: { from: 3 }, minutes: 15 }, { From: { from: 3 }, Minutes: 15 }],
  ['note.added', { text: { erased: 'ab' } }, { Text: '(erased)' }],
  ['some.thing', { new: 'as it is', toString: 1, status: 'odd' }, { new: 'as it is', toString: 1, Status: 'odd' }],
  // Two fields of one name.
  ['some.thing', { sum: 1, minor: 2 }, { Sum: 1, minor: 2 }],
])('%s: %o reads %o', (action, details, plain) => {
  expect(describe(action, details).plain).toEqual(plain)
})

it('amounts are in the unit of the provider', () => {
  const details = { sums: [{ sum: '2679', currency: 'DKK', count: 5 }] }
  expect(describe('bulk.started', details, { ...english, amounts: 'major', locale: 'da-DK' }).plain).toEqual({
    Totals: [{ Sum: '2.679,00 DKK', Count: 5 }],
  })
})

it('amounts are among the technical details too, as they are recorded', () => {
  const amounts = {
    sums: [{ sum: '2679', currency: 'DKK', count: 5 }],
    seen: { amount: 26, currency: 'DKK' },
    amount: 26,
  }
  expect(describe('bulk.started', { ...amounts, count: 5, digest: 'ab' }).technical).toEqual({
    ...amounts,
    digest: 'ab',
  })
})

it('codes, hashes and names of settings are for who looks into the machinery', () => {
  const answer = { status: 409, code: 'upstream-refused', detail: 'Taken.', service: { status: 409 } }
  const write = { endpoint: 'createCustomer', answer, outcome: 'refused' }
  expect(describe('customer.create', write)).toEqual({
    plain: { 'Provider’s reply': { Explanation: 'Taken.' } },
    technical: {
      endpoint: 'createCustomer',
      answer: { status: 409, code: 'upstream-refused', service: { status: 409 } },
      outcome: 'refused',
    },
  })
  const settings = { changed: ['PORT'], settings: { PORT: 3000, UPSTREAM_TOKEN: '(set)' } }
  expect(describe('setting.changed', settings)).toEqual({
    plain: { Changed: 'PORT' },
    technical: { settings: settings.settings },
  })
  expect(describe('person.rewritten', { rows: { '7': 'ab' } }).plain).toEqual({})
})
