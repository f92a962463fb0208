import type { JSONReportSpec, JSONReportSuite } from '@playwright/test/reporter'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { root } from './support/command.mjs'
import { ensureBuilt } from './support/ensure-built'
import { readPlaywrightReport, runPlaywright } from './support/playwright'
import { writeReportSections } from './support/report-sections'
import { readVitestReport, runVitest } from './support/vitest'

const path = 'docs/reports/long-test-results.md'
const heading =
  '# The last results of the long tests\n\nWritten by `npm run test:long`. With a file, and `-t` or `-g` and a part of a name behind it, it runs a piece and leaves the other results as they are.'

type Result = {
  title: string
  passed: boolean
  /** Milliseconds. */
  took: number
}

/** The rows of a file's section by test. */
function readRows(file: string): Map<string, string> {
  const page = join(root, path)
  const section = existsSync(page) ? (readFileSync(page, 'utf8').split(`## ${file}\n`)[1] ?? '').split(/^## /mu)[0] : ''
  const rows = (section ?? '').split('\n').filter((line) => /^\| .* \| (?:passed|FAILED) \|/u.test(line))
  return new Map(rows.map((row) => [(row.split(' | ')[0] ?? '').slice(2), row]))
}

function describeFile(file: string, results: readonly Result[]): [string, string][] {
  const rows = readRows(file)
  const day = new Date().toISOString().slice(0, 10)
  for (const { title, passed, took } of results) {
    const test = title.trim().replaceAll('|', '/')
    rows.set(test, `| ${test} | ${passed ? 'passed' : 'FAILED'} | ${(took / 1_000).toFixed(1)} s | ${day} |`)
  }
  if (rows.size === 0) return []
  return [[file, ['| test | result | took | on |', '|---|---|---|---|', ...rows.values()].join('\n')]]
}

/** Writes the results in vitest's JSON report into the results page; tests that did not run keep their rows. */
function writeVitestResults(report: string): void {
  const files = readVitestReport(report)?.testResults ?? []
  const sections = files.flatMap(({ name, assertionResults }) => {
    const ran = assertionResults.filter(({ status }) => status === 'passed' || status === 'failed')
    const results = ran.map(({ fullName, status, duration }) => {
      return { title: fullName, passed: status === 'passed', took: duration ?? 0 }
    })
    return describeFile(relative(root, name), results)
  })
  writeReportSections(path, heading, new Map(sections))
}

function listSpecs({ specs, suites = [] }: JSONReportSuite): JSONReportSpec[] {
  return [...specs, ...suites.flatMap(listSpecs)]
}

/** The same for Playwright's JSON report. */
function writeBrowserResults(report: string): void {
  const written = readPlaywrightReport(report)
  if (!written) return
  const { suites, config } = written
  const sections = suites.flatMap((suite) => {
    const results = listSpecs(suite).flatMap(({ title, tests }) =>
      tests
        .filter(({ status }) => status !== 'skipped')
        .map(({ status, results: tries }) => {
          return { title, passed: status === 'expected', took: tries.reduce((sum, { duration }) => sum + duration, 0) }
        }),
    )
    return describeFile(relative(root, join(config.rootDir, suite.file)), results)
  })
  writeReportSections(path, heading, new Map(sections))
}

const given = process.argv.slice(2)

async function runTests(folder: string, args: readonly string[]): Promise<number> {
  const report = join(folder, 'vitest.json')
  const { code } = await runVitest(report, ['--passWithNoTests', ...args], {
    hungAfter: 4_200_000,
    environment: { LONG_TESTS: '1' },
  })
  writeVitestResults(report)
  return code
}

async function runBrowser(folder: string, args: readonly string[]): Promise<number> {
  const report = join(folder, 'playwright.json')
  await ensureBuilt()
  let failed = 0
  for (const grep of [['@long', '--grep-invert', '@alone'], ['@alone']]) {
    const { code } = await runPlaywright(['--grep', ...grep, '--pass-with-no-tests', ...args], {
      PLAYWRIGHT_JSON: report,
    })
    writeBrowserResults(report)
    failed ||= code
  }
  return failed
}

// Tests that take too long for every change: *.long.test.ts files, and journeys tagged @long, most of them variants of
// ones in `npm test`. The arguments go to Playwright if they name a journey, otherwise to vitest.
const folder = mkdtempSync(join(tmpdir(), 'debitdesk-long-'))
const namesJourney = given.some((argument) => /(?:^|\/)e2e\/|\.spec\.ts/u.test(argument))
const tests = namesJourney ? 0 : await runTests(folder, given)
const browser = namesJourney || given.length === 0 ? await runBrowser(folder, given) : 0
rmSync(folder, { recursive: true, force: true })
process.exit(tests || browser)
