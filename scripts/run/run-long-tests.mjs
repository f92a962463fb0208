import { runCommand } from './command-failure.mjs'
import { ensureInstalled } from './ensure-installed.mjs'
import { nodeProgram, runTool } from './run-tool.mjs'

// What takes too long for every change: files named *.long.test.ts beside what they test.
await runCommand(async () => {
  await ensureInstalled()
  const env = { ...process.env, LONG_TESTS: '1' }
  const args = [nodeProgram('vitest/vitest.mjs'), 'run', '--passWithNoTests', ...process.argv.slice(2)]
  const { code } = await runTool(process.execPath, args, { env, live: true })
  process.exit(code)
})
