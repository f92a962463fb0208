import './check-node.mjs'
import { existsSync } from 'node:fs'
import { root, runCommand, runTool } from './support/command.mjs'
import { ensureInstalled } from './support/ensure-ready.mjs'

// The first accounts, and emergencies: `npm run user -- add ann@shop.example --role admin`.
await runCommand(async () => {
  await ensureInstalled()
  if (existsSync(`${root}/.env`)) process.loadEnvFile(`${root}/.env`)
  const args = ['scripts/run-program.mjs', 'lib/server/team/run-user-command.ts', ...process.argv.slice(2)]
  const { code } = await runTool(process.execPath, args, { live: true })
  process.exit(code)
})
