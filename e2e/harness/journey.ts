import { test as base, expect } from '@playwright/test'
import { readSharedDesk } from './shared-desk'
import { type Role, type SignIn, signInOf } from './start-desk'
import { type Watch, watchContext } from './watch-page'

type Fixtures = {
  watch: Watch
  /** The shared desk: its address, its data folder and its three sign-ins. */
  desk: { url: string; dataDir: string; signIn: (role: Role) => SignIn }
}

/** The test of a journey: `page` is at the shared desk and watched; any fault of a page fails the test. */
export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
  desk: async ({}, provide) => {
    const facts = readSharedDesk()
    await provide({ url: facts.url, dataDir: facts.dataDir, signIn: (role) => signInOf(facts, role) })
  },
  baseURL: async ({ desk }, provide) => provide(desk.url),
  watch: [
    async ({ context, baseURL }, provide) => {
      const watch = watchContext(context, baseURL ?? '')
      await provide(watch)
      expect(watch.faults).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }
