import './check-node.mjs'
import { existsSync } from 'node:fs'
import { root, runCommand, runTool } from './support/command.mjs'
import { ensureInstalled } from './support/ensure-ready.mjs'

// Holds a deployment against the interface by reading only: --url says which, --json writes for programs.
await runCommand(async () => {
  await ensureInstalled()
  if (existsSync(`${root}/.env`)) process.loadEnvFile(`${root}/.env`)
  const args = ['scripts/run-program.mjs', 'lib/server/diagnostics/run-diagnostics.ts', ...process.argv.slice(2)]
  const { code } = await runTool(process.execPath, args, { live: true })
  process.exit(code)
})
