import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { CommandFailure, runCommand } from './command-failure.mjs'
import { root } from './root.mjs'

// All packages: with `--omit=dev` npm leaves out those that something else wants too, pg and react among them.
const npmArguments = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']

async function describePackages() {
  const told = await promisify(execFile)('npm', npmArguments, { cwd: root, maxBuffer: 50_000_000 }).catch((error) => {
    throw new CommandFailure('npm could not read package-lock.json.', error.stderr)
  })
  return JSON.parse(told.stdout)
}

/** What the lock names and the list does not, as name@version. */
function findMissing({ components }) {
  const { packages } = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8'))
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const locked = Object.entries(packages).filter(([path]) => path !== '')
  return locked
    .map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`)
    .filter((one) => !listed.has(one))
}

// `npm run sbom [-- FILE]`: everything that package-lock.json names, with versions, licences and hashes, as CycloneDX.
await runCommand(async () => {
  const file = resolve(process.argv[2] ?? 'sbom.cdx.json')
  const list = await describePackages()
  const missing = findMissing(list)
  if (missing.length > 0) throw new CommandFailure(`The list would not be whole: ${missing.join(', ')}`)
  // npm takes the name of the folder for ours.
  list.metadata.component.name = 'debitdesk'
  writeFileSync(file, `${JSON.stringify(list, null, 2)}\n`)
  console.log(`${list.components.length} packages are listed in ${file}`)
})
