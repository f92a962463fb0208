import './check-node.mjs'
import { pathToFileURL } from 'node:url'
import { bundleProgram } from './support/bundle-program.mjs'
import { runCommand } from './support/command.mjs'
import { ensureInstalled } from './support/ensure-installed.mjs'

// `node scripts/run.mjs NAME …` runs scripts/NAME.ts in this process, after installing packages where they are missing.
const [name = ''] = process.argv.splice(2, 1)
await runCommand(async () => {
  await ensureInstalled()
  await import(pathToFileURL(await bundleProgram(`scripts/${name}.ts`)).href)
})
