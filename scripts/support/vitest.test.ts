import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { countVitest, runVitest } from './vitest'
import { root } from './command.mjs'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-vitest-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a project of one test file. Returns its exit code, its output and the counts. */
async function run(body: string, hungAfter = 60_000) {
  writeFileSync(join(folder, 'one.test.mjs'), `import { afterAll, expect, test } from 'vitest'\n${body}`)
  const report = join(folder, 'report.json')
  const { code, output } = await runVitest(report, ['--root', folder, '--pool=threads'], { hungAfter, live: false })
  return { code, output, counts: countVitest(report) }
}

test('a test that passes only on a second try has failed', async () => {
  const { code, counts } = await run(`let tries = 0\ntest('unsteady', () => expect(tries++).toBe(1))`)
  expect({ code, counts }).toEqual({ code: 1, counts: { passed: 0, failed: 1, skipped: 0 } })
})

test('a test that never comes back ends the run, and is named', async () => {
  const { code, output, counts } = await run(
    `test('stands still', async () => {\n  await new Promise((resolve) => setTimeout(resolve, 1_000))\n  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)\n})`,
    8_000,
  )
  expect({ code, failed: counts.failed }).toEqual({ code: 1, failed: 1 })
  expect(output).toMatch(/Still running:\n.*one\.test\.mjs stands still/u)
})

test('what a test leaves open does not keep the run from its end', async () => {
  const { code } = await run(`import { createServer } from 'node:net'
test('leaves a server and a timer', () => {
  createServer().listen(0, '127.0.0.1')
  setInterval(() => undefined, 1_000)
})`)
  expect(code).toBe(0)
})
