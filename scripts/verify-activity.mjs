import './check-node.mjs'
import { existsSync } from 'node:fs'
import { root, runCommand, runTool } from './support/command.mjs'
import { ensureInstalled } from './support/ensure-ready.mjs'

// Walks the activity log and names the first row that is not as it was written: --head compares with an earlier run.
await runCommand(async () => {
  await ensureInstalled()
  if (existsSync(`${root}/.env`)) process.loadEnvFile(`${root}/.env`)
  const args = ['scripts/run-program.mjs', 'lib/server/activity-log/verify-activity.ts', ...process.argv.slice(2)]
  const { code } = await runTool(process.execPath, args, { live: true })
  process.exit(code)
})
