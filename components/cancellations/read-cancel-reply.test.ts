import { expect, it } from 'vitest'
import { CallError } from '@/lib/client/api-client'
import type { CancellationView, OutcomeReason } from '@/lib/domain/cancellations/cancellation'
import { explainEnd, readCancelReply } from './read-cancel-reply'

it.each([
  ['approval-needed', 409],
  ['key-reused', 422],
  ['conflict', 409],
  // A repeated key is answered without the payment.
  ['changed-since-seen', 409],
])(
  'takes what the ledger says once it has looked for the key for definite, also after a lost reply: %s',
  (code, status) => {
    expect(readCancelReply(new CallError(status, code), true).kind).toBe('refused')
  },
)

it.each([
  ['not-found', 404],
  ['bad-request', 400],
  ['http-401', 401],
  ['http-413', 413],
  ['http-429', 429],
  ['store-unavailable', 503],
])('does not take a check that was turned away for a reply to what was lost: %s', (code, status) => {
  expect(readCancelReply(new CallError(status, code), true).kind).toBe('lost')
  expect(readCancelReply(new CallError(status, code), false).kind).toBe('refused')
})

it.each<[OutcomeReason, boolean]>([
  ['unreadable', true],
  ['absent', true],
  ['unread-since-sent', true],
  ['stopped', true],
  ['restored', true],
  ['too-late', false],
  ['not-cancellable', false],
  ['still-cancellable', true],
  ['unconfirmed', false],
])('somebody else’s cancellation that ended as %s may be followed by another: %s', (reason, mayFollow) => {
  const view: CancellationView = {
    id: 'c',
    paymentId: 'p',
    named: null,
    seen: null,
    outcome: reason === 'still-cancellable' || reason === 'unconfirmed' ? 'needs-person' : 'not-cancelled',
    closed: true,
    reason,
    detail: null,
    text: 'Ordered twice',
    requestedBy: 'ann@shop.example',
    requestedAt: '2026-11-29T10:00:00Z',
    closedAt: '2026-11-29T10:01:00Z',
    checked: null,
    handled: null,
  }
  expect(explainEnd({ kind: 'taken', view }) === null).toBe(mayFollow)
})
