import { CommandFailure, runCommand } from './command-failure.mjs'
import { ensureInstalled } from './ensure-installed.mjs'
import { pickLine } from './pick-line.mjs'
import { runTool } from './run-tool.mjs'

// `DATABASE_URL=… npm run migrate`: the desk's Postgres, as its owner.
await runCommand(async () => {
  await ensureInstalled()
  const { code, output } = await runTool(process.execPath, [
    'scripts/run/run-program.mjs',
    'lib/server/store/migrate-store.ts',
  ])
  if (code !== 0) throw new CommandFailure(`The schema could not be brought up to date: ${pickLine(output)}`)
  console.log(output.trim())
})
