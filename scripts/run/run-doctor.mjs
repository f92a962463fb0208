import { existsSync } from 'node:fs'
import { runCommand } from './command-failure.mjs'
import { ensureInstalled } from './ensure-installed.mjs'
import { root } from './root.mjs'
import { runTool } from './run-tool.mjs'

// Holds a deployment against the interface by reading only: --url says which, --json writes for programs.
await runCommand(async () => {
  await ensureInstalled()
  if (existsSync(`${root}/.env`)) process.loadEnvFile(`${root}/.env`)
  const args = ['scripts/run/run-program.mjs', 'lib/server/doctor/doctor.ts', ...process.argv.slice(2)]
  const { code } = await runTool(process.execPath, args, { live: true })
  process.exit(code)
})
