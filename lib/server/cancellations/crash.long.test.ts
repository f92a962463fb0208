import { afterAll, beforeAll, expect, test } from 'vitest'
import { crashCases, CrashFixture } from '../testing/crash/crash-fixture'

const killsPerFailpoint = 50
const hour = 3_600_000
let fixture: CrashFixture

beforeAll(async () => {
  fixture = await CrashFixture.start()
})

afterAll(() => fixture.close())

test.each(Object.entries(crashCases))(
  `killed %s, ${killsPerFailpoint} times: none lost, none doubled, none misreported`,
  async (_, cases) => {
    for (let kill = 0; kill < killsPerFailpoint; kill += 1) {
      const crash = cases[kill % cases.length]
      if (!crash) throw new Error('there is no case')
      const { rows, chain, deletes, isCancelled } = await fixture.run(crash)
      const ends = rows.map(({ state, reason }) => [state, reason])
      const effective = deletes.filter((each) => each.effective).length
      expect({ name: crash.name, ends, effective, isCancelled, chain }).toEqual({
        name: crash.name,
        ends: crash.end ? [crash.end] : [],
        effective: crash.end?.[0] === 'cancelled' ? 1 : 0,
        isCancelled: crash.end?.[0] === 'cancelled',
        chain: true,
      })
    }
  },
  hour,
)
