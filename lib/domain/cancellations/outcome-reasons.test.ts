import { afterEach, expect, it, vi } from 'vitest'
import { describeOutcome, describeRecheck } from './outcome-reasons'

afterEach(() => vi.unstubAllGlobals())

it('says why in the service’s own words, where it gave any', () => {
  const describe = (
    outcome: 'not-cancelled' | 'unknown' | 'needs-person',
    reason: 'too-late' | 'service-declined' | 'declined-unconfirmed' | null,
    detail: string | null,
  ) => describeOutcome({ outcome, reason, detail })
  expect(describe('not-cancelled', 'too-late', 'Settled')).toBe('Too late: the payment’s state is already Settled.')
  expect(describe('not-cancelled', 'too-late', null)).toBe('Too late: the payment has already reached a final state.')
  expect(describe('not-cancelled', 'service-declined', 'Handed over.')).toContain('“Handed over”')
  expect(describe('not-cancelled', 'service-declined', null)).toBe(
    'The provider declined the request. Afterwards it still showed the payment as cancellable.',
  )
  expect(describe('unknown', null, null)).toMatch(/keep checking/u)
  expect(describe('unknown', null, 'Too late.')).toContain('declined the request: “Too late”')
  expect(describe('needs-person', 'declined-unconfirmed', 'Too late.')).toContain('declined the request: “Too late”')
  expect(describe('needs-person', 'declined-unconfirmed', null)).toMatch(/^The provider declined the request/u)
})

it('calls no declined request unanswered, and no sent one unsent as its owner signed out', () => {
  expect(describeOutcome({ outcome: 'unknown', reason: 'declined', detail: null })).toMatch(
    /^The provider declined the request\. /u,
  )
  for (const outcome of ['requested', 'unknown'] as const)
    for (const detail of [null, 'ann@example.com'])
      expect(describeOutcome({ outcome, reason: 'owner-signed-out', detail })).not.toContain('is sent')
  expect(describeOutcome({ outcome: 'sending', reason: 'owner-signed-out', detail: null })).toContain('is sent')
})

it('sends nobody to the provider over a request that was never sent', () => {
  const describe = (outcome: 'not-cancelled' | 'needs-person', reason: 'unreadable' | 'absent') =>
    describeOutcome({ outcome, reason, detail: null })
  expect(describe('not-cancelled', 'unreadable')).toBe(
    'We couldn’t load the payment again, so nothing was sent. The cancellation can be requested again.',
  )
  expect(describe('not-cancelled', 'absent')).toBe(
    'The payment is no longer in the provider’s list, so nothing was sent.',
  )
  for (const reason of ['unreadable', 'absent'] as const)
    expect(describe('needs-person', reason)).toContain('Check it with the provider')
  const afterRequest = describeOutcome({ outcome: 'not-cancelled', reason: 'unread-since-sent', detail: null })
  expect(afterRequest).toContain('Check the payment with the provider')
  expect(afterRequest).not.toContain('nothing was sent')
})

it('says first what to do where the explanation may be cut in a row of a bulk', () => {
  for (const reason of ['restored', 'unread-since-sent'] as const)
    expect(describeOutcome({ outcome: 'not-cancelled', reason, detail: null })).toMatch(/^Check the payment/u)
})

it('names a state in the reader’s language, and one that is not documented as it came', () => {
  vi.stubGlobal('document', { documentElement: { lang: 'da' } })
  const describe = (reason: 'too-late' | 'not-cancellable' | 'unconfirmed', detail: string) =>
    describeOutcome({ outcome: 'not-cancelled', reason, detail })
  expect(describe('too-late', 'Settled')).toContain('Gennemført')
  expect(describe('not-cancellable', 'chargeback')).toContain('Indsigelse')
  expect(describe('not-cancellable', 'OnHold')).toContain('OnHold')
  expect(describe('unconfirmed', 'Pending')).toContain('Afventer')
  expect(describeRecheck({ kind: 'found', status: 'Scheduled' })).toContain('Planlagt')
})

it('never calls a request that was only accepted cancelled', () => {
  expect(describeOutcome({ outcome: 'requested', reason: null, detail: null })).toMatch(/once the provider confirms/u)
})
