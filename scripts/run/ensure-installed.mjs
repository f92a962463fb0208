import { existsSync, readFileSync } from 'node:fs'
import { CommandFailure } from './command-failure.mjs'
import { root } from './root.mjs'
import { runTool } from './run-tool.mjs'

function readPackages(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {}
}

/**
 * Whether node_modules holds what the lock names. npm's own record is compared, which it writes last:
 * an interrupted installation has none. Optional packages may be missing (other platforms).
 */
export function isInstalled(folder = root) {
  const installed = readPackages(`${folder}/node_modules/.package-lock.json`)
  return Object.entries(readPackages(`${folder}/package-lock.json`)).every(
    ([path, { version, optional }]) =>
      path === '' || (installed[path] ? installed[path].version === version : Boolean(optional)),
  )
}

/** Installs the locked packages where they are missing or others. */
export async function ensureInstalled() {
  if (isInstalled()) return
  console.log('Installing packages …')
  // Development packages too, whatever NODE_ENV says: `npm test` must not find half an installation.
  const { code, output } = await runTool('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  if (code !== 0) throw new CommandFailure('The packages could not be installed: npm ci failed.', output)
}
