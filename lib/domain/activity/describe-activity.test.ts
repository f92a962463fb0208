import { describe, expect, it } from 'vitest'
import type { ActivityView } from './activity'
import { describeAction, describeObject, describeActivityResult, describeActivityReason } from './describe-activity'

describe('an action in words', () => {
  it.each([
    ['customer.delete', 'done', 'Customer deleted'],
    ['customer.delete', 'refused', 'Tried to delete a customer'],
    ['agreement.create', 'unknown', 'Tried to create an agreement'],
    ['cancellation.not-cancelled', 'failed', 'Not cancelled'],
    ['something.new-here', 'done', 'Something new here'],
    ['toString', null, 'ToString'],
  ] as const)('%s, %s: %s', (action, outcome, words) => {
    expect(describeAction({ action, outcome, details: {} })).toBe(words)
  })

  it('says how many sign-ins got no row of their own, and where they came from if it is one place', () => {
    const describeMore = (details: ActivityView['details']) =>
      describeAction({ action: 'session.refused-more', outcome: 'refused', details })
    expect(describeMore({ count: 99, minutes: 15, from: { '192.0.2.1': 99 } })).toBe(
      '99 more refused sign-ins from 192.0.2.1 in 15 minutes',
    )
    const two = { '192.0.2.1': 1, '192.0.2.2': 1 }
    expect(describeMore({ count: 1, minutes: 15, from: two })).toBe('1 more refused sign-in in 15 minutes')
    expect(describeMore({ count: 2, minutes: 15, from: two })).toBe('2 more refused sign-ins in 15 minutes')
    expect(describeMore({})).toBe('More refused sign-ins')
  })
})

it.each([
  ['cancellation.accepted', { evidence: { reply: { status: 202 } } }, 'The provider accepted it'],
  [
    'cancellation.unknown',
    { evidence: { reply: { status: 202 }, failure: 'upstream-bad-reply' } },
    'The provider’s reply couldn’t be read',
  ],
  [
    'cancellation.unknown',
    { evidence: { reply: { status: 202 }, failure: 'upstream-timeout' } },
    'The provider didn’t answer in time',
  ],
  ['cancellation.unknown', { evidence: { reply: { status: 408 } } }, 'The provider didn’t answer in time'],
  ['cancellation.unknown', { evidence: { reply: { status: 425 } } }, 'The provider had an error'],
  [
    'cancellation.unknown',
    { evidence: { reply: { status: 499, detail: 'Closed.' } } },
    'The provider had an error: Closed.',
  ],
  [
    'cancellation.declined',
    { evidence: { reply: { status: 407 } } },
    'The provider didn’t accept Debitdesk’s credentials',
  ],
  [
    'cancellation.cancelled',
    { evidence: { reply: { status: 202 }, read: { status: 'Cancelled' } } },
    'The provider showed: Cancelled',
  ],
  [
    'cancellation.read',
    { evidence: { reply: { status: 202 }, read: { kind: 'unreadable', why: 'upstream-timeout' } } },
    'The provider didn’t answer in time',
  ],
  ['cancellation.read', { evidence: { read: { kind: 'unreadable', why: 'status-503' } } }, 'The provider had an error'],
  [
    'cancellation.read',
    { evidence: { read: { kind: 'unreadable', why: 'status-403' } } },
    'The provider didn’t show its payments',
  ],
  [
    'cancellation.read',
    { evidence: { read: { kind: 'unreadable', why: 'status-401' } } },
    'The provider didn’t accept Debitdesk’s credentials',
  ],
  [
    'cancellation.read',
    { evidence: { read: { kind: 'unreadable', why: 'too-many-pages' } } },
    'The provider’s list is too long to be read in full',
  ],
  [
    'cancellation.read',
    { evidence: { reply: { status: 202 }, read: { kind: 'absent' } } },
    'The provider didn’t show this payment',
  ],
  [
    'cancellation.not-cancelled',
    { evidence: { reply: { status: 409 }, read: { kind: 'unreadable', why: 'status-503' } } },
    'The provider refused it',
  ],
  [
    'cancellation.not-cancelled',
    { reason: 'unreadable', evidence: { read: { kind: 'unreadable', why: 'status-500' } } },
    'We couldn’t load the payment again, so nothing was sent. The cancellation can be requested again.',
  ],
  [
    'cancellation.not-cancelled',
    {
      reason: 'service-declined',
      evidence: { reply: { status: 409, detail: 'Handed over.' }, read: { status: 'Pending' } },
    },
    'The provider declined the request: “Handed over”. Afterwards it still showed the payment as cancellable.',
  ],
  [
    'cancellation.not-cancelled',
    { reason: 'service-declined', evidence: { reply: { status: 409 }, read: { status: 'Pending' } } },
    'The provider declined the request. Afterwards it still showed the payment as cancellable.',
  ],
  [
    'cancellation.not-cancelled',
    {
      reason: 'too-late',
      detail: 'Settled',
      evidence: { reply: { status: 409, detail: 'Handed over.' }, read: { status: 'Settled' } },
    },
    'Too late: the payment’s state is already Settled.',
  ],
  [
    'cancellation.not-cancelled',
    { reason: 'changed', evidence: { read: { status: 'Pending' } } },
    'The payment changed before a request got through.',
  ],
  [
    'cancellation.needs-person',
    { reason: 'absent', evidence: { reply: { status: 404 }, read: { kind: 'absent' } } },
    'The payment is no longer in the provider’s list. Check it with the provider.',
  ],
  [
    'cancellation.needs-person',
    { reason: 'toString', evidence: { reply: { status: 404 } } },
    'The provider refused it',
  ],
  ['cancellation.checked', { read: { kind: 'found', status: 'Settled' } }, 'The provider showed: Settled'],
  ['cancellation.checked', { read: { kind: 'absent' } }, 'The provider didn’t show this payment'],
  [
    'cancellation.checked',
    { read: { kind: 'unreadable', why: 'status-404' } },
    'The provider didn’t show its payments',
  ],
  ['cancellation.checked', { read: { kind: 'unreadable', why: 'status-429' } }, 'The provider asked us to slow down'],
  ['cancellation.handled', { note: 'Called the service' }, 'Called the service'],
  [
    'customer.delete',
    { answer: { code: 'upstream-refused', status: 409, detail: 'It has payments.' } },
    'The provider refused it: It has payments.',
  ],
  ['customer.delete', { answer: { code: 'upstream-unreachable' } }, 'The provider couldn’t be reached'],
  [
    'customer.delete',
    { answer: { code: 'upstream-bad-reply', status: 409, detail: 'It broke off.' } },
    'The provider’s reply couldn’t be read',
  ],
  ['customer.delete', { answer: { code: 'upstream-timeout', status: 408 } }, 'The provider didn’t answer in time'],
  ['customer.update', { answer: { status: 200 } }, 'The provider accepted it'],
  ['customer.update', { answer: { code: 'upstream-slow-down', status: 429 } }, 'The provider asked us to slow down'],
  [
    'customer.update',
    { answer: { code: 'upstream-credential', status: 401 } },
    'The provider didn’t accept Debitdesk’s credentials',
  ],
  [
    'customer.update',
    { answer: { code: 'upstream-error', status: 500, detail: 'Out of disk.' } },
    'The provider had an error: Out of disk.',
  ],
  [
    'import.end',
    {
      fileName: 'a.csv',
      counts: { created: 1_200, refused: 2, leftOut: 1, unknown: 0, waiting: 0, found: 0, held: 0 },
    },
    '1,200 of 1,203 created, 2 refused, 1 skipped',
  ],
  ['import.end', { fileName: 'a.csv' }, null],
  ['import.hold', { code: 'upstream-unreachable' }, 'On hold: the provider can’t be reached'],
  ['import.hold', { code: 'owner-signed-out' }, 'On hold: the person who started it isn’t signed in'],
  ['import.hold', { code: 'upstream-error' }, 'On hold: the provider had an error'],
  ['import.hold', { code: 'upstream-bad-reply' }, 'On hold: the provider’s reply couldn’t be read'],
  ['session.started', { from: '192.0.2.1' }, null],
])('tells what came of %s %o: %s', (action, details, words) => {
  expect(describeActivityResult({ action, details }, 'en-GB')).toBe(words)
})

it('takes the reason that was given, and nothing that is no text', () => {
  expect(describeActivityReason({ details: { text: 'Paid' } })).toBe('Paid')
  expect(describeActivityReason({ details: { text: { not: 'text' } } })).toBeNull()
})

describe('what a row is about', () => {
  const uuid = '3f2a8c1e-5a0b-4c57-9a55-0f3c1a2b3c4d'
  const row = { id: '1', at: '2026-11-21T00:00:00Z', actor: 'desk', action: 'x', outcome: null, hash: '' }
  it.each([
    [{ objectKind: 'payment', objectId: uuid, objectName: 'INV-7', details: {} }, 'Payment INV-7'],
    [{ objectKind: 'payment', objectId: uuid, objectName: null, details: {} }, 'Payment 3f2a8c1e…'],
    [
      { objectKind: 'bulk', objectId: uuid, objectName: 'of 3 payments', details: {} },
      'Bulk cancellation of 3 payments',
    ],
    [{ objectKind: 'import', objectId: uuid, objectName: null, details: { fileName: 'a.csv' } }, 'Import a.csv'],
    [
      { objectKind: 'customer', objectId: uuid, objectName: null, details: { answer: { handle: 'cu_1' } } },
      'Customer cu_1',
    ],
    [
      { objectKind: 'export', objectId: uuid, objectName: null, details: { list: 'listCustomers' } },
      'Export of customers',
    ],
    [
      {
        objectKind: 'export',
        objectId: uuid,
        objectName: null,
        details: { list: 'listPayments', times: { rhythm: 'weekly', day: 1, hour: 7 } },
      },
      'Export of payments, every week',
    ],
    [{ objectKind: 'export', objectId: 'activity', objectName: null, details: { filters: {} } }, 'Export activity'],
    [{ objectKind: 'agreement', objectId: 'am_1', objectName: null, details: {} }, 'Agreement am_1'],
    [{ objectKind: 'session', objectId: uuid, objectName: null, details: {} }, null],
    [
      { action: 'setting.factor-rule', objectKind: 'setting', objectId: 'default', objectName: null, details: {} },
      null,
    ],
    [
      { action: 'merchant.added', objectKind: 'setting', objectId: 'm-1', objectName: null, details: { name: 'Shop' } },
      'Shop',
    ],
    [{ objectKind: 'customer', objectId: 'none', objectName: null, details: {} }, null],
  ])('%o: %s', (facts, words) => {
    expect(describeObject({ ...row, ...facts })).toBe(words)
  })
})
