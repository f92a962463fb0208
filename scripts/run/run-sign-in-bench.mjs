import { runCommand } from './command-failure.mjs'
import { ensureInstalled } from './ensure-installed.mjs'
import { runTool } from './run-tool.mjs'

// Whether the time of a refusal tells who has an account; ends with 1 where it might.
await runCommand(async () => {
  await ensureInstalled()
  const args = ['scripts/run/run-program.mjs', 'lib/server/testing/bench-sign-in.ts', ...process.argv.slice(2)]
  const { code } = await runTool(process.execPath, args, { live: true })
  process.exit(code)
})
