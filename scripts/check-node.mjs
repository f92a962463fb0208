// Imported first, so that on a Node that is too old a command ends with one line before anything else runs.
import { readFileSync } from 'node:fs'

const wanted = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).engines.node.replace(
  '>=',
  '',
)
const [major = 0, minor = 0] = wanted.split('.').map(Number)
const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number)

if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  console.error(`Debitdesk needs Node ${wanted} or newer (24 is recommended); this is Node ${process.versions.node}.`)
  process.exit(1)
}
