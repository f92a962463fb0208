import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './root.mjs'

function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
}

/**
 * Tests passed, failed and skipped in vitest's JSON report, and the names of those that passed only on a second
 * try; a file that could not be loaded is one failure.
 */
export function countVitest(path) {
  const report = readJson(path)
  if (!report) return { passed: 0, failed: 1, skipped: 0, unsteady: [] }
  const unsteady = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map(({ fullName }) => `${relative(root, name)} ${fullName}`),
  )
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
    unsteady,
  }
}

function* listSpecs({ suites = [], specs = [] }) {
  yield* specs
  for (const suite of suites) yield* listSpecs(suite)
}

/** The same for Playwright's JSON report. */
export function countPlaywright(path) {
  const report = readJson(path)
  if (!report) return { passed: 0, failed: 1, skipped: 0, unsteady: [] }
  const { expected, unexpected, flaky, skipped } = report.stats
  const unsteady = [...listSpecs(report)].filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
  return {
    passed: expected + flaky,
    failed: unexpected + (unexpected ? 0 : report.errors.length),
    skipped,
    unsteady: unsteady.map(({ file, line, title }) => `${file}:${line} ${title}`),
  }
}
