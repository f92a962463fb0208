import { expect, it } from 'vitest'
import { CallError } from '@/lib/client/api-client'
import { readCancelReply } from './read-cancel-reply'

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
