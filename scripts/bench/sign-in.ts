import { runTool } from '../support/command.mjs'

// Whether the duration of a refused sign-in reveals who has an account. Exits with 1 if it might.
const args = ['scripts/run-program.mjs', 'lib/server/testing/bench-sign-in.ts', ...process.argv.slice(2)]
const { code } = await runTool(process.execPath, args, { live: true })
process.exit(code)
