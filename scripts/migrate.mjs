import './check-node.mjs'
import { CommandFailure, pickLine, runCommand, runTool } from './support/command.mjs'
import { ensureInstalled } from './support/ensure-ready.mjs'

// `DATABASE_URL=… npm run migrate`: the desk's Postgres, as its owner.
await runCommand(async () => {
  await ensureInstalled()
  const { code, output } = await runTool(process.execPath, [
    'scripts/run-program.mjs',
    'lib/server/store/migrate-store.ts',
  ])
  if (code !== 0) throw new CommandFailure(`The schema could not be brought up to date: ${pickLine(output)}`)
  console.log(output.trim())
})
