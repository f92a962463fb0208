import { type Desk, makeFolder, signInOf, startDesk } from './desk'
import { type FakeUpstream, startFakeUpstream } from './fake-upstream'
import { type DeskBehindFaults, startDeskBehindFaults } from './fault-proxy'
import { test } from './journey'

type Settings = Record<string, string>

/** Starting two programs takes a busy machine a while, in milliseconds. */
const TIMEOUT_MS = 240_000

/**
 * The test function for journeys that change what everybody at a desk sees: they have one to themselves, per worker and
 * file. `readSettings` returns its settings.
 */
export function testOwnDesk(readSettings: () => Promise<Settings>) {
  return test.extend<object, { own: Desk & { settings: Settings } }>({
    own: [
      // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
      async ({}, provide) => {
        const { folder, remove } = await makeFolder()
        const settings = await readSettings()
        const own = await startDesk(folder, settings)
        await provide({ ...own, url: settings.NEXTAUTH_URL ?? own.url, settings })
        await own.command.stop()
        await remove()
      },
      { scope: 'worker', timeout: TIMEOUT_MS },
    ],
    desk: async ({ own }, provide) =>
      provide({ url: own.url, dataDir: own.dataDir, signIn: (role) => signInOf(own, role) }),
  })
}

/** The test function for journeys at a desk whose service is reached through a proxy that breaks what the test says. */
export function testBehindFaults(readSettings: () => Promise<Settings> = async () => ({})) {
  return test.extend<object, { pair: DeskBehindFaults }>({
    pair: [
      // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
      async ({}, provide) => {
        const pair = await startDeskBehindFaults(await readSettings())
        await provide(pair)
        await pair.close()
      },
      { scope: 'worker', timeout: TIMEOUT_MS },
    ],
    baseURL: async ({ pair }, provide) => provide(pair.desk.url),
  })
}

/** The test function for journeys at a desk whose service answers what the test says. */
export function testFakeUpstream(settings: Settings = {}) {
  return test.extend<object, { foreign: FakeUpstream }>({
    foreign: [
      // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
      async ({}, provide) => {
        const foreign = await startFakeUpstream(settings)
        await provide(foreign)
        await foreign.close()
      },
      { scope: 'worker', timeout: TIMEOUT_MS },
    ],
    baseURL: async ({ foreign }, provide) => provide(foreign.url),
  })
}
