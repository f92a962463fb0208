import { existsSync, readFileSync } from 'node:fs'
import { CommandError, root, runTool } from './command.mjs'

/**
 * @param {string} path of a lockfile
 * @returns {Record<string, { version?: string, optional?: boolean }>} its packages by their folders
 */
function readPackages(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {}
}

/**
 * Whether node_modules has the locked packages. Compares npm's own record, which it writes last, so that an interrupted
 * installation has none. Optional packages may be missing (other platforms).
 */
export function isInstalled(folder = root) {
  const installed = readPackages(`${folder}/node_modules/.package-lock.json`)
  return Object.entries(readPackages(`${folder}/package-lock.json`)).every(
    ([path, { version, optional }]) =>
      path === '' || (installed[path] ? installed[path].version === version : Boolean(optional)),
  )
}

async function installPackages() {
  console.log('Installing packages …')
  // Development packages too, regardless of NODE_ENV, because `npm test` needs them.
  const { code, output } = await runTool('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  if (code !== 0) throw new CommandError('The packages could not be installed: npm ci failed.', output)
}

/** Installs the locked packages if any is missing or has another version, and compiles the messages if they changed. */
export async function ensureInstalled() {
  if (!isInstalled()) await installPackages()
  const { ensureMessages, MessageError } = await import('./compile-messages.mjs')
  try {
    ensureMessages()
  } catch (error) {
    if (!(error instanceof MessageError)) throw error
    throw new CommandError('The messages in messages/*.json cannot be compiled.', error.message)
  }
}
