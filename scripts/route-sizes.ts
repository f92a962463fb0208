import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { CommandError, readMessage, root } from './support/command.mjs'
import { distDir, ensureBuilt } from './support/ensure-built'
import { compareRouteSizes, readRouteSizes } from './support/route-sizes'

const path = `${root}/docs/route-sizes.json`

function readArguments() {
  try {
    return parseArgs({ options: { accept: { type: 'boolean', default: false } } }).values
  } catch (error) {
    throw new CommandError(`${readMessage(error)}\nUsage: npm run route-sizes [-- --accept]`)
  }
}

// Compares the size of the script that each page loads with docs/route-sizes.json; `-- --accept` rewrites that file.
const { accept } = readArguments()
await ensureBuilt()
const sizes = readRouteSizes(distDir())
if (accept) {
  writeFileSync(path, `${JSON.stringify(sizes, null, 2)}\n`)
  console.log(`The sizes of ${Object.keys(sizes).length} routes are written to docs/route-sizes.json.`)
} else {
  const faults = compareRouteSizes(JSON.parse(readFileSync(path, 'utf8')), sizes)
  if (faults.length > 0) {
    throw new CommandError(`${faults.join('\n')}\nIf that is meant: npm run route-sizes -- --accept`)
  }
  console.log(`${Object.keys(sizes).length} routes load what they are known to load, within 5 %.`)
}
