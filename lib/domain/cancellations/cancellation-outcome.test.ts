import { expect, it } from 'vitest'
import { outcomes } from './cancellation'
import { outcomeLabels } from './cancellation-outcome'

it('tells outcomes in the six words and no others', () => {
  expect(outcomes.map((outcome) => outcomeLabels[outcome]())).toEqual([
    'Sending',
    'Cancellation requested',
    'Cancelled',
    'Not cancelled',
    'Outcome unknown',
    'Needs a person',
  ])
})
