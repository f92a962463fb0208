import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { CommandError, readMessage, root } from './support/command.mjs'
import { readArguments } from './support/read-arguments'
import { explainMissingHash, findWithoutIntegrity, identifyPackage, type Lockfile } from './support/lock-integrity'

// All packages: with `--omit=dev` npm also omits packages that have other dependents, such as pg and react.
const npmArguments = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']

type Component = {
  name: string
  version: string
  hashes?: unknown[]
  properties?: { name: string; value: string }[]
}

/** What npm writes, as far as it is read here. */
type Bill = { components: Component[]; metadata: { component: { name: string } } }

const read = (path: string) => JSON.parse(readFileSync(`${root}/${path}`, 'utf8'))

async function describePackages(): Promise<Bill> {
  const listed = await promisify(execFile)('npm', npmArguments, { cwd: root, maxBuffer: 50_000_000 }).catch(
    (error: unknown) => {
      throw new CommandError('npm could not read package-lock.json.', readMessage(error))
    },
  )
  return JSON.parse(listed.stdout)
}

/** Packages in the lockfile that are not in the list, as name@version. */
function findMissing({ components }: Bill, { packages }: Lockfile): string[] {
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const locked = Object.entries(packages).filter(([path]) => path !== '')
  return locked.map(([path, entry]) => identifyPackage(path, entry)).filter((one) => !listed.has(one))
}

/** Adds the reason to each component without a hash. */
function explainMissingHashes({ components }: Bill, lock: Lockfile): void {
  const reasons: Record<string, string> = read('scripts/without-integrity.json')
  const explained = new Map(findWithoutIntegrity(lock).map((one) => [one.id, explainMissingHash(one, reasons)]))
  for (const component of components) {
    if (component.hashes?.length) continue
    const reason = explained.get(`${component.name}@${component.version}`)
    if (!reason)
      throw new CommandError(`${component.name}@${component.version} has no hash: run npm run complete-integrity.`)
    component.properties = [...(component.properties ?? []), { name: 'debitdesk:without-hash', value: reason }]
  }
}

const usage = `Usage: npm run sbom [-- FILE]
Writes a CycloneDX bill of materials of package-lock.json, with versions, licences and hashes (or the reason for a missing one).`

const { positionals } = readArguments(usage, { options: {}, allowPositionals: true })
if (positionals.length > 1) throw new CommandError(`One file is enough.\n${usage}`)
const file = resolve(positionals[0] ?? 'sbom.cdx.json')
const list = await describePackages()
const lock: Lockfile = read('package-lock.json')
const missing = findMissing(list, lock)
if (missing.length > 0) throw new CommandError(`The list would not be whole: ${missing.join(', ')}`)
explainMissingHashes(list, lock)
// npm uses the name of the folder.
list.metadata.component.name = 'debitdesk'
writeFileSync(file, `${JSON.stringify(list, null, 2)}\n`)
console.log(`${list.components.length} packages are listed in ${file}`)
