import { fileURLToPath } from 'node:url'
import { nodeProgram, runTool } from './run-tool.mjs'

const preload = new URL('compile-wasm-once.mjs', import.meta.url)
const endHungRun = fileURLToPath(new URL('end-hung-run.mjs', import.meta.url))

/**
 * Runs vitest once and writes its JSON report to `report`; answers as runTool does. No test has a second try, and
 * the run ends when nothing has happened in it for `hungAfter` milliseconds: longer than any test may take.
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
