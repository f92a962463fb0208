import './check-node.mjs'
import { runCommand, runTool } from './support/command.mjs'
import { ensureInstalled } from './support/ensure-ready.mjs'
import { prepareEnvironment, readSettings } from './support/settings.mjs'

// After NEXTAUTH_SECRET was changed, with the one before as NEXTAUTH_SECRET_PREVIOUS: seals the store with the new one.
await runCommand(async () => {
  await ensureInstalled()
  const { env } = prepareEnvironment(await readSettings())
  const args = ['scripts/run-program.mjs', 'lib/server/store/reencrypt.ts']
  const { code } = await runTool(process.execPath, args, { live: true, env })
  process.exit(code)
})
