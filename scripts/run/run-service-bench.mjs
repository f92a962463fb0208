import { runCommand } from './command-failure.mjs'
import { ensureInstalled } from './ensure-installed.mjs'
import { runTool } from './run-tool.mjs'

// What pages of the embedded service cost as it grows: --million adds a million rows, --only pglite or postgres takes one database.
await runCommand(async () => {
  await ensureInstalled()
  const args = ['--import', 'tsx', 'service/bench/bench-service.ts', ...process.argv.slice(2)]
  const { code } = await runTool(process.execPath, args, { live: true })
  process.exit(code)
})
