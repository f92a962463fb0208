import './check-node.mjs'
import { CommandFailure, pickLine, runCommand, runTool } from './support/command.mjs'
import { ensureInstalled } from './support/ensure-ready.mjs'

// `DATABASE_URL=… npm run move-store`: the desk's store from its folder to Postgres.
await runCommand(async () => {
  await ensureInstalled()
  const { code, output } = await runTool(process.execPath, [
    'scripts/run-program.mjs',
    'lib/server/store/move-to-postgres.ts',
  ])
  if (code !== 0) throw new CommandFailure(`The store could not be moved: ${pickLine(output)}`)
  console.log(output.trim())
})
