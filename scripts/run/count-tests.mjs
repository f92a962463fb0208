import { existsSync, readFileSync } from 'node:fs'

function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
}

/** Tests passed, failed and skipped in vitest's JSON report; a file that could not be loaded is one failure. */
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
