import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { JsonTestResults } from 'vitest/node'
import { nodeProgram, root, runTool } from './command.mjs'

export type Counts = { passed: number; failed: number; skipped: number }

/** The report that a run has written; null if it did not come to that. */
export function readVitestReport(path: string): JsonTestResults | null {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
}

/** Passed, failed and skipped tests in vitest's JSON report; a file that could not be loaded is one failure. */
export function countVitest(path: string): Counts {
  const report = readVitestReport(path)
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

const preload = pathToFileURL(`${root}/scripts/support/compile-wasm-once.mjs`).href
const endHungRun = `${root}/scripts/support/end-hung-run.ts`

type Run = { hungAfter: number; environment?: Record<string, string>; live?: boolean }

/**
 * Runs vitest once, without retries, and writes its JSON report to `report`. Returns the same as runTool. The run ends
 * after `hungAfter` milliseconds without progress, which is longer than any test may take.
 */
export function runVitest(report: string, args: readonly string[], { hungAfter, environment = {}, live = true }: Run) {
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
