import { expect, test } from 'vitest'
import { describeBulkState } from './bulk-messages'

const stateOf = (code: string) => describeBulkState({ state: 'running', wait: { code, until: '2026-11-20T12:00:00Z' } })

test('a bulk that a fault of ours holds up is said to wait, one that the provider slows down to go on', () => {
  expect(stateOf('internal')).toBe('Waiting')
  expect(stateOf('store-full')).toBe('Waiting')
  expect(stateOf('slow-down')).toBe(describeBulkState({ state: 'running', wait: null }))
})
