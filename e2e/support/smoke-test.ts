import { test as base, expect } from '@playwright/test'
import { readSharedDesk } from './shared-desk'
import { type SignIn, signInOf } from './desk'
import { type Watch, watchContext } from './watch-page'

/** The desk under test: a running one, or the shared one of `npm test`. */
type Target = { url: string; who: SignIn }

function readTarget(): Target {
  const { SMOKE_BASE_URL: url, SMOKE_EMAIL: email, SMOKE_PASSWORD: password } = process.env
  if (url && email && password) return { url: url.replace(/\/$/u, ''), who: { email, password } }
  const desk = readSharedDesk()
  return { url: desk.url, who: signInOf(desk, 'support') }
}

/** The test function of smoke.spec.ts: any page fault fails the test. */
export const test = base.extend<{ watch: Watch; target: Target }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
  target: async ({}, provide) => provide(readTarget()),
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
