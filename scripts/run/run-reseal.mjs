import { runCommand } from './command-failure.mjs'
import { ensureInstalled } from './ensure-installed.mjs'
import { prepareEnvironment } from './prepare-environment.mjs'
import { readSettings } from './read-settings.mjs'
import { runTool } from './run-tool.mjs'

// After NEXTAUTH_SECRET was changed, with the one before as NEXTAUTH_SECRET_PREVIOUS: seals the store with the new one.
await runCommand(async () => {
  await ensureInstalled()
  const { env } = prepareEnvironment(await readSettings())
  const args = ['scripts/run/run-program.mjs', 'lib/server/reseal/reseal.ts']
  const { code } = await runTool(process.execPath, args, { live: true, env })
  process.exit(code)
})
