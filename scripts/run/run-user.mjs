import { existsSync } from 'node:fs'
import { runCommand } from './command-failure.mjs'
import { ensureInstalled } from './ensure-installed.mjs'
import { root } from './root.mjs'
import { runTool } from './run-tool.mjs'

// The first accounts, and emergencies: `npm run user -- add ann@shop.example --role admin`.
await runCommand(async () => {
  await ensureInstalled()
  if (existsSync(`${root}/.env`)) process.loadEnvFile(`${root}/.env`)
  const args = ['scripts/run/run-program.mjs', 'lib/server/user-command/user.ts', ...process.argv.slice(2)]
  const { code } = await runTool(process.execPath, args, { live: true })
  process.exit(code)
})
