import { expect, test } from 'vitest'
import { runModel } from '../testing/model/run-model'

const sequences = 10_000
const parts = 20

// In parts with their own sequences, so that one can be run by itself.
test.each(Array.from({ length: parts }, (_, index) => index + 1))(
  `part %i of ${parts} of 10,000 random sequences of what can happen leaves every invariant whole (CX-34)`,
  { timeout: 1_800_000 },
  async () => {
    await expect(runModel(sequences / parts)).resolves.toBeUndefined()
  },
)
