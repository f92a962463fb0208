import { expect, it } from 'vitest'
import { describeEvent } from './describe-event'

it('names the events that are known, in any letter case, and leaves the others as they came', () => {
  expect(describeEvent({ objectType: 'payment', eventType: 'cancelled' })).toBe('Payment cancelled')
  expect(describeEvent({ objectType: 'Mandate', eventType: 'Registration' })).toBe('Mandate registered')
  expect(describeEvent({ objectType: 'payment', eventType: 'Held Back' })).toBe('payment Held Back')
  expect(describeEvent({ objectType: 'constructor', eventType: null })).toBe('constructor')
  expect(describeEvent({ objectType: null, eventType: null })).toBe('')
})
