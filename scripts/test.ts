import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError, nodeProgram, runTool } from './support/command.mjs'
import { ensureBuilt } from './support/ensure-built'
import { countPlaywright, runPlaywright } from './support/playwright'
import { type Counts, countVitest, runVitest } from './support/vitest'

const began = Date.now()
const lines: string[] = []

function report(name: string, ok: boolean, took: number, more = ''): void {
  const line =
    `${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(16)} ${(took / 1_000).toFixed(1).padStart(6)} s  ${more}`.trimEnd()
  lines.push(line)
  console.log(line)
}

/** Runs a check and shows its output only if it fails. Returns its counts. */
async function check(name: string, ...args: string[]): Promise<Counts> {
  const { code, output, took } = await runTool(process.execPath, args)
  if (code !== 0) console.log(output.trimEnd())
  report(name, code === 0, took)
  return { passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 }
}

async function checkSources(): Promise<Counts[]> {
  // Generates next-env.d.ts and the route types, which a fresh clone lacks.
  await runTool(process.execPath, [nodeProgram('next/dist/bin/next'), 'typegen'])
  return Promise.all([
    check('types', nodeProgram('typescript/bin/tsc'), '--noEmit'),
    check('lint', nodeProgram('oxlint/bin/oxlint')),
    check('format', nodeProgram('@biomejs/biome/bin/biome'), 'format'),
    check('unused code', nodeProgram('knip/bin/knip.js')),
  ])
}

function describe({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`
}

async function runTests(folder: string): Promise<Counts> {
  const file = join(folder, 'vitest.json')
  const { code, took } = await runVitest(file, [], { hungAfter: 480_000 })
  const counts = countVitest(file)
  if (code !== 0 && counts.failed === 0) counts.failed = 1
  report('tests', code === 0, took, describe(counts))
  return counts
}

async function runBrowser(folder: string): Promise<Counts> {
  const file = join(folder, 'playwright.json')
  const built = Date.now()
  await ensureBuilt()
  report('build', true, Date.now() - built)
  const sizes = await check('route sizes', 'scripts/run.mjs', 'route-sizes')
  const { code, took } = await runPlaywright(['--grep-invert', '@long', '--global-timeout=3600000'], {
    PLAYWRIGHT_JSON: file,
  })
  const counts = countPlaywright(file)
  if (code !== 0 && counts.failed === 0) counts.failed = 1
  report('browser', code === 0, took, describe(counts))
  counts.failed += sizes.failed
  return counts
}

async function attempt(name: string, run: () => Promise<Counts>): Promise<Counts> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    console.log(`${error.details}\n${error.message}`)
    report(name, false, 0, error.message)
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

// `npm test`: everything that is checked on a change; each line says what passed, the last one how much.
const folder = mkdtempSync(join(tmpdir(), 'debitdesk-test-'))
const counts = [
  ...(await checkSources()),
  await attempt('tests', () => runTests(folder)),
  await attempt('browser', () => runBrowser(folder)),
]
rmSync(folder, { recursive: true, force: true })
const sum = (key: keyof Counts) => counts.reduce((total, count) => total + count[key], 0)
console.log(`\n${lines.join('\n')}\n\n${((Date.now() - began) / 60_000).toFixed(1)} minutes in all`)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') === 0 ? 0 : 1
