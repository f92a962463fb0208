import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from './command-failure.mjs'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled } from './ensure-installed.mjs'
import { keepBrowserResults, keepVitestResults } from './keep-long-results.mjs'
import { runPlaywright } from './run-playwright.mjs'
import { nodeProgram, runTool } from './run-tool.mjs'

/** Journeys that try all there is to try here, and a part of it in `npm test`. */
const journeys = ['e2e/journeys/accessibility-states.spec.ts', 'e2e/journeys/raw-attacks.spec.ts']
const given = process.argv.slice(2)

async function runVitest(folder, args) {
  const report = join(folder, 'vitest.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const env = { ...process.env, LONG_TESTS: '1' }
  const all = [nodeProgram('vitest/vitest.mjs'), 'run', '--passWithNoTests', ...reporters, ...args]
  const { code } = await runTool(process.execPath, all, { env, live: true })
  keepVitestResults(report)
  return code
}

async function runBrowser(folder, args) {
  const report = join(folder, 'playwright.json')
  await ensureBuilt()
  const { code } = await runPlaywright(args, { LONG_TESTS: '1', PLAYWRIGHT_JSON: report })
  keepBrowserResults(report)
  return code
}

// What takes too long for every change: files named *.long.test.ts beside what they test; and in a browser every page
// in every state, and ten thousand idle clients. Playwright takes the arguments where they name a journey, else vitest.
await runCommand(async () => {
  await ensureInstalled()
  const folder = mkdtempSync(join(tmpdir(), 'debitdesk-long-'))
  const namesJourney = given.some((argument) => /(?:^|\/)e2e\/|\.spec\.ts/u.test(argument))
  const tests = namesJourney ? 0 : await runVitest(folder, given)
  const browser = namesJourney || given.length === 0 ? await runBrowser(folder, namesJourney ? given : journeys) : 0
  rmSync(folder, { recursive: true, force: true })
  process.exit(tests || browser)
})
