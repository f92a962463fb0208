import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { nodeProgram, runTool } from './command.mjs'

function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
}

/** Passed, failed and skipped tests in vitest's JSON report; a file that could not be loaded is one failure. */
export function countVitest(path) {
  const report = readJson(path)
  if (!report) return { passed: 0, failed: 1, skipped: 0 }
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** The same for Playwright's JSON report. */
export function countPlaywright(path) {
  const report = readJson(path)
  if (!report) return { passed: 0, failed: 1, skipped: 0 }
  const { expected, unexpected, skipped } = report.stats
  return {
    passed: expected,
    failed: unexpected + (unexpected ? 0 : report.errors.length),
    skipped,
  }
}

const preload = new URL('compile-wasm-once.mjs', import.meta.url)
const endHungRun = fileURLToPath(new URL('end-hung-run.mjs', import.meta.url))

/**
 * Runs vitest once, without retries, and writes its JSON report to `report`. Returns the same as runTool. The run ends
 * after `hungAfter` milliseconds without progress, which is longer than any test may take.
 */
export async function runVitest(report, args, { hungAfter, environment = {}, live = true }) {
  const reporters = ['default', 'json', endHungRun].map((name) => `--reporter=${name}`)
  const env = {
    ...process.env,
    NODE_OPTIONS: `--import=${preload}`,
    HUNG_AFTER_MS: String(hungAfter),
    ...environment,
  }
  const given = ['run', ...reporters, `--outputFile.json=${report}`, ...args]
  return runTool(process.execPath, [nodeProgram('vitest/vitest.mjs'), ...given], { env, live })
}
