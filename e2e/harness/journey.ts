import { test as base, expect } from '@playwright/test'
import { makeFolder } from './make-folder'
import { type Desk, startDesk } from './start-desk'
import { type Watch, watchContext } from './watch-page'

type Fixtures = { watch: Watch }
type WorkerFixtures = { desk: Desk }

/**
 * The test of a journey: `desk` is a desk of this worker's own with 2,000 payments, shared by the
 * worker's tests; `page` is watched and any fault fails the test.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  desk: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
    async ({}, provide) => {
      const { folder, remove } = await makeFolder()
      const desk = await startDesk(folder)
      await provide(desk)
      await desk.command.stop()
      await remove()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
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
