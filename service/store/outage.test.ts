import { expect, test } from 'vitest'
import { surviveOutage, unharmed } from '../testing/outage'

/** ST-05; that Postgres is shut down, or away for a minute, stands in outage.long.test.ts. */
test.each([
  ['is restarted at once', 'immediate'],
  ['loses one of its processes', 'backend'],
] as const)(
  'a Postgres that %s costs answers of 503 meanwhile, and nothing else',
  { timeout: 300_000 },
  async (_name, way) => {
    expect(await surviveOutage(way, 1_500)).toMatchObject(unharmed)
  },
)
