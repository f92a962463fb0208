import { expect, test } from 'vitest'
import { surviveOutage, unharmed } from '../testing/outage'

/** ST-05. Shutdowns and longer outages are in outage.long.test.ts. */
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
