import { nodeProgram, runTool } from './run-tool.mjs'

const preload = new URL('compile-wasm-once.mjs', import.meta.url)

/** Runs vitest once and writes its JSON report to `report`; answers as runTool does. */
export async function runVitest(report, args, environment = {}) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const env = { ...process.env, NODE_OPTIONS: `--import=${preload}`, ...environment }
  return runTool(process.execPath, [nodeProgram('vitest/vitest.mjs'), 'run', ...reporters, ...args], {
    env,
    live: true,
  })
}
