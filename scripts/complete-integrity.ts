import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { CommandError, root } from './support/command.mjs'
import { readArguments } from './support/read-arguments'
import { findWithoutIntegrity, type Lockfile } from './support/lock-integrity'

const lockPath = `${root}/package-lock.json`
const reasonsPath = `${root}/scripts/without-integrity.json`

/** What a program that failed has written. */
function readStreams(error: unknown): { stdout: string; stderr: string } {
  if (!(error instanceof Error && 'stdout' in error && 'stderr' in error)) throw error
  return { stdout: String(error.stdout), stderr: String(error.stderr) }
}

/** A package's hash in the registry's metadata; null if the version is unknown or has none. */
async function fetchIntegrity(id: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('npm', ['view', id, 'dist.integrity', '--json'], { cwd: root })
    const integrity: unknown = stdout.trim() === '' ? null : JSON.parse(stdout)
    return typeof integrity === 'string' ? integrity : null
  } catch (error) {
    const { stdout, stderr } = readStreams(error)
    if (/"code":\s*"E404"/u.test(stdout)) return null
    throw new CommandError('The registry could not be asked.', stderr)
  }
}

const usage = `Usage: npm run complete-integrity
Adds missing hashes to the lockfile, such as those of native binaries for other platforms. Packages without a hash in the
registry are listed with the reason, for the tests and the bill of materials.`

readArguments(usage, { options: {} })
const lock: Lockfile = JSON.parse(readFileSync(lockPath, 'utf8'))
const reasons: Record<string, string> = {}
let completed = 0
for (const { path, id, inBundle } of findWithoutIntegrity(lock)) {
  if (inBundle) continue
  const integrity = await fetchIntegrity(id)
  if (integrity === null) {
    reasons[id] = 'the registry states no hash for this version'
    continue
  }
  const { version, ...rest } = lock.packages[path] ?? {}
  lock.packages[path] = { version, integrity, ...rest }
  completed += 1
}
writeFileSync(lockPath, `${JSON.stringify(lock, null, 2)}\n`)
writeFileSync(reasonsPath, `${JSON.stringify(reasons, null, 2)}\n`)
const left = Object.keys(reasons).length
console.log(
  `${completed} completed, ${left} left without a hash${left === 0 ? '' : ': see scripts/without-integrity.json'}`,
)
