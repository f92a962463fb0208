import { test as base, expect } from '@playwright/test'
import { makeFolder } from './make-folder'
import { type SignIn, startDesk } from './start-desk'
import { type Watch, watchContext } from './watch-page'

/** The desk that is smoked: a running one, or one of our own. */
type Target = { url: string; who: SignIn }

/** Where `npm run smoke` says which desk and who signs in. */
function readTarget(): Target | null {
  const { SMOKE_BASE_URL: url, SMOKE_EMAIL: email, SMOKE_PASSWORD: password } = process.env
  return url && email && password ? { url: url.replace(/\/$/u, ''), who: { email, password } } : null
}

/** The test of `smoke.spec.ts`: any fault of a page fails it. */
export const test = base.extend<{ watch: Watch }, { target: Target }>({
  target: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
    async ({}, provide) => {
      const given = readTarget()
      if (given) return provide(given)
      const { folder, remove } = await makeFolder()
      const desk = await startDesk(folder, { SEED_PAYMENTS: '250' })
      await provide({ url: desk.url, who: desk.signIn('support') })
      await desk.command.stop()
      return remove()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ target }, provide) => provide(target.url),
  watch: [
    async ({ context, target }, provide) => {
      const watch = watchContext(context, new URL(target.url).origin)
      await provide(watch)
      expect(watch.faults).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }
