import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { ensureMessages } from './scripts/support/compile-messages.mjs'

ensureMessages()

/** `npm run test:long` runs the files named *.long.test.ts, and `npm test` all others. */
const long = Boolean(process.env.LONG_TESTS)
const end = `${long ? '.long' : ''}.test`
const exclude = long ? configDefaults.exclude : [...configDefaults.exclude, '**/*.long.test.*']

/** Tests of code that runs in browsers. */
const browserTests = [`{app,components}/**/*${end}.tsx`, `{components,lib/client}/**/*${end}.ts`]

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/u, '') } },
  test: {
    setupFiles: ['./vitest.setup.mjs'],
    testTimeout: long ? 600_000 : 120_000,
    hookTimeout: 120_000,
    // A long test has the memory of a process to itself. Others share what a process has loaded (vitest.setup.mjs), and
    // PGlite's compiled code.
    pool: long ? 'forks' : 'threads',
    isolate: long,
    // Tests wait for timers and children a third of their time: one worker more than there are cores.
    maxWorkers: availableParallelism() + 1,
    projects: [
      { extends: true, test: { name: 'browser', include: browserTests, exclude, environment: 'jsdom' } },
      {
        extends: true,
        test: {
          name: 'server',
          include: [`{app,lib,service,scripts}/**/*${end}.ts`, `*${end}.ts`],
          exclude: [...exclude, ...browserTests],
        },
      },
    ],
  },
})
