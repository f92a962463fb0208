import { type Desk, makeFolder, signInOf, startDesk } from './desk'
import { test } from './journey'

/**
 * The test function for journeys that change what everybody at a desk sees: they have one to themselves, per worker and
 * file. `readSettings` returns its settings.
 */
export function testOwnDesk(readSettings: () => Promise<Record<string, string>>) {
  return test.extend<object, { own: Desk }>({
    own: [
      // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
      async ({}, provide) => {
        const { folder, remove } = await makeFolder()
        const settings = await readSettings()
        const own = await startDesk(folder, settings)
        await provide({ ...own, url: settings.NEXTAUTH_URL ?? own.url })
        await own.command.stop()
        await remove()
      },
      { scope: 'worker', timeout: 120_000 },
    ],
    desk: async ({ own }, provide) =>
      provide({ url: own.url, dataDir: own.dataDir, signIn: (role) => signInOf(own, role) }),
  })
}
