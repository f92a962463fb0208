import { runCommand } from './command-failure.mjs'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled } from './ensure-installed.mjs'

await runCommand(async () => {
  await ensureInstalled()
  await ensureBuilt()
})
