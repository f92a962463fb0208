import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from './command-failure.mjs'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled } from './ensure-installed.mjs'
import { keepBrowserResults, keepVitestResults } from './keep-long-results.mjs'
import { runPlaywright } from './run-playwright.mjs'
import { runVitest } from './run-vitest.mjs'

const given = process.argv.slice(2)

async function runTests(folder, args) {
  const report = join(folder, 'vitest.json')
  const { code } = await runVitest(report, ['--passWithNoTests', ...args], {
    hungAfter: 4_200_000,
    environment: { LONG_TESTS: '1' },
  })
  keepVitestResults(report)
  return code
}

async function runBrowser(folder, args) {
  const report = join(folder, 'playwright.json')
  await ensureBuilt()
  const { code } = await runPlaywright(['--grep', '@long', ...args], { PLAYWRIGHT_JSON: report })
  keepBrowserResults(report)
  return code
}

// What takes too long for every change: files named *.long.test.ts beside what they test, and journeys with the tag
// @long, of which most vary one that `npm test` runs. Playwright takes the arguments where they name a journey, else vitest.
await runCommand(async () => {
  await ensureInstalled()
  const folder = mkdtempSync(join(tmpdir(), 'debitdesk-long-'))
  const namesJourney = given.some((argument) => /(?:^|\/)e2e\/|\.spec\.ts/u.test(argument))
  const tests = namesJourney ? 0 : await runTests(folder, given)
  const browser = namesJourney || given.length === 0 ? await runBrowser(folder, given) : 0
  rmSync(folder, { recursive: true, force: true })
  process.exit(tests || browser)
})
