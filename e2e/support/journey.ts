import { test as base, expect, type Response } from '@playwright/test'
import { readSharedDesk } from './shared-desk'
import { type Role, type SignIn, signInOf } from './desk'
import { waitForScript } from './session'
import { type Watch, watchContext } from './watch-page'

type Fixtures = {
  watch: Watch
  /** The shared desk. */
  desk: { url: string; dataDir: string; signIn: (role: Role) => SignIn }
}

/**
 * The test function of journeys: `page` is at the shared desk and watched, and any page fault fails the test. `goto` and
 * `reload` wait until the page is hydrated, unless the test specifies what to wait for.
 */
export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
  desk: async ({}, provide) => {
    const facts = readSharedDesk()
    await provide({ url: facts.url, dataDir: facts.dataDir, signIn: (role) => signInOf(facts, role) })
  },
  baseURL: async ({ desk }, provide) => provide(desk.url),
  page: async ({ page }, provide) => {
    const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)]
    const untilReady = async (response: Response | null, waitUntil: string | undefined) => {
      const isPage = response?.ok() && response.headers()['content-type']?.startsWith('text/html')
      if (isPage && waitUntil === undefined) await waitForScript(page)
      return response
    }
    page.goto = async (url, options) => untilReady(await goto(url, options), options?.waitUntil)
    page.reload = async (options) => untilReady(await reload(options), options?.waitUntil)
    await provide(page)
  },
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
