import { expect, test } from 'vitest'
import { surviveOutage, unharmed } from '../testing/outage'

test.each([
  ['shut down', 'fast'],
  ['crashed', 'immediate'],
] as const)(
  'a Postgres that was %s and is away for a minute costs answers of 503 meanwhile, and nothing else',
  async (_name, way) => {
    expect(await surviveOutage(way, 60_000)).toMatchObject(unharmed)
  },
)

test.each([
  ['is restarted at once', 'immediate'],
  ['loses one of its processes', 'backend'],
] as const)('a Postgres that %s costs answers of 503 meanwhile, and nothing else (ST-05)', async (_name, way) => {
  expect(await surviveOutage(way, 1_500)).toMatchObject(unharmed)
})
