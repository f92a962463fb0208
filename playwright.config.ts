import { defineConfig } from '@playwright/test'
import { language } from './e2e/support/language'
import { ensureMessages } from './scripts/support/compile-messages.mjs'

ensureMessages()

const report = process.env.PLAYWRIGHT_JSON
const executablePath = process.env.CHROMIUM_PATH || undefined
// Chromium's sandbox does not run as root.
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []

/*
 * `npm run journeys`, `npm run smoke` and `npm test` run this with CHROMIUM_PATH set to a browser that
 * starts (empty: Playwright's own). Set-up starts one desk for all workers; tests that break or restart
 * a desk start their own.
 */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/shared-desk.ts',
  outputDir: 'test-results',
  // With the start of a desk of its own, on a slow and busy machine.
  timeout: 300_000,
  expect: { timeout: 15_000 },
  // Journeys wait a third of their time: two would leave a small machine idle, four crowd the desk that they share.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  reporter: report ? [['list'], ['json', { outputFile: report }]] : [['list']],
  use: {
    viewport: { width: 1440, height: 900 },
    locale: language === 'en' ? 'en-GB' : language,
    timezoneId: 'Europe/Copenhagen',
    // Recording every journey costs a quarter of their time: TRACE=1 records, for `npx playwright show-trace`.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'journeys',
      testMatch: 'journeys/*.spec.ts',
      // Foreign names lead back to this machine: other sites can be played without a network.
      use: { launchOptions: { executablePath, args: [...args, '--host-resolver-rules=MAP * 127.0.0.1'] } },
    },
    { name: 'smoke', testMatch: 'smoke.spec.ts', use: { launchOptions: { executablePath, args } } },
  ],
})
