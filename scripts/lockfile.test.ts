import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { explainMissingHash, findWithoutIntegrity, type Lockfile } from './support/lock-integrity'

const read = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
type Floors = { floors: Record<string, string>; installScripts: string[] }
type Manifest = Record<'dependencies' | 'devDependencies', Record<string, string>>

const { floors, installScripts }: Floors = read('./version-floors.json')
const { packages }: Lockfile = read('../package-lock.json')
const manifest: Manifest = read('../package.json')
type Bill = {
  bomFormat: string
  components: { name: string; version: string; hashes?: unknown[]; properties?: { name: string; value: string }[] }[]
  metadata: { component: { name: string } }
}

/** Not the function of the bill of materials, which is tested here. */
const identify = (path: string, { name, version }: { name?: string; version?: string }) =>
  `${name ?? path.split('node_modules/').at(-1)}@${version}`

const locked = Object.entries(packages).filter(([path]) => path !== '')

/** All installed versions of a package, nested ones included. */
function findVersions(name: string): string[] {
  return locked.filter(([path]) => path.endsWith(`node_modules/${name}`)).map(([, { version = '' }]) => version)
}

const readVersion = (text: string) => (text.split('-')[0] ?? '').split('.').map(Number)

function isAtLeast(version: string, floor: string): boolean {
  const lowest = readVersion(floor)
  const differences = readVersion(version).map((part, at) => part - (lowest[at] ?? 0))
  return (differences.find((difference) => difference !== 0) ?? 0) >= 0
}

describe('the lockfile', () => {
  test.each(Object.entries(floors))('has %s at %s or above, wherever it is installed (SC-01)', (name, floor) => {
    const versions = findVersions(name)
    expect(versions.length).toBeGreaterThan(0)
    expect(versions.filter((version) => !isAtLeast(version, floor))).toEqual([])
  })

  test('tells versions apart', () => {
    expect([
      isAtLeast('16.4.6', '16.4.6'),
      isAtLeast('16.10.0', '16.4.6'),
      isAtLeast('17.0.0-rc.1', '16.4.6'),
      isAtLeast('16.4.5', '16.4.6'),
      isAtLeast('4.99.0', '16.4.6'),
    ]).toEqual([true, true, true, false, false])
  })

  test('installs only from a registry, and knows what it installs by its hash (SC-02)', () => {
    const foreign = locked.filter(
      ([, { resolved = '', link }]) => link || /^(?:git|http:|file:|github:)/u.test(resolved),
    )
    expect(foreign.map(([path]) => path)).toEqual([])
    const reasons: Record<string, string> = read('./without-integrity.json')
    const without = findWithoutIntegrity({ packages })
    // To fix this, run `npm run complete-integrity`.
    expect(without.filter((one) => !explainMissingHash(one, reasons)).map(({ id }) => id)).toEqual([])
    expect(Object.keys(reasons).filter((id) => !without.some((one) => one.id === id))).toEqual([])
    expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([])
  })

  test('names what has no hash, but not what comes inside another package', () => {
    const lock: Lockfile = {
      packages: {
        '': { name: 'debitdesk' },
        'node_modules/known': { version: '1.0.0', integrity: 'sha512-AA==' },
        'node_modules/alias': { name: '@other/binary', version: '2.0.0', optional: true },
        'node_modules/known/node_modules/inner': { version: '3.0.0', inBundle: true },
      },
    }
    const without = findWithoutIntegrity(lock)
    expect(without.map((one) => [one.id, explainMissingHash(one, {})])).toEqual([
      ['@other/binary@2.0.0', undefined],
      ['inner@3.0.0', expect.stringContaining('bundles it')],
    ])
    expect(without.map((one) => explainMissingHash(one, { '@other/binary@2.0.0': 'withdrawn' }))[0]).toBe('withdrawn')
  })

  test('lets only these packages run something when they are installed (SC-02)', () => {
    const running = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)
    const allowed = (path: string) => installScripts.some((name) => path.includes(`node_modules/${name}`))
    expect(running.filter((path) => !allowed(path))).toEqual([])
  })

  test('can be told as a bill of materials, whole and with hashes (SC-02)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'debitdesk-sbom-'))
    try {
      const file = join(folder, 'sbom.json')
      await promisify(execFile)(process.execPath, ['scripts/run.mjs', 'sbom', file])
      const { bomFormat, components, metadata }: Bill = JSON.parse(readFileSync(file, 'utf8'))
      expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'debitdesk'])
      const listed = new Map(components.map((one) => [`${one.name}@${one.version}`, one]))
      const names = locked.map(([path, entry]) => identify(path, entry))
      expect(names.filter((name) => !listed.has(name))).toEqual([])
      const hashed = locked.filter(([, { integrity, inBundle }]) => integrity && !inBundle)
      const silent = components.filter(
        ({ hashes, properties = [] }) =>
          !hashes?.length && !properties.some(({ name, value }) => name === 'debitdesk:without-hash' && value),
      )
      expect(silent.map(({ name }) => name)).toEqual([])
      const bare = hashed.filter(([path, entry]) => !listed.get(identify(path, entry))?.hashes)
      expect(bare.map(([path]) => path)).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('names every version exactly', () => {
    const ranges = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/u.test(version),
    )
    expect(ranges).toEqual([])
  })
})
