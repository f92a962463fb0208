import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export type BuiltDesk = { distDir: string; remove: () => Promise<void> }

/**
 * A copy of the built desk without `proxy.ts`, as if the framework could be made to bypass it: it is removed from the
 * build's list of functions.
 */
export async function removeProxy(): Promise<BuiltDesk> {
  const built = join(root, process.env.DIST_DIR ?? '.next')
  const distDir = `.next-without-proxy-${process.pid}`
  await cp(built, join(root, distDir), { recursive: true, filter: (path) => path !== join(built, 'cache') })
  const listed = join(root, distDir, 'server/functions-config-manifest.json')
  const manifest: { functions: Record<string, unknown> } = JSON.parse(await readFile(listed, 'utf8'))
  if (!('/_middleware' in manifest.functions)) throw new Error('the build has no proxy, or keeps it elsewhere')
  await writeFile(listed, JSON.stringify({ ...manifest, functions: {} }))
  return { distDir, remove: () => rm(join(root, distDir), { recursive: true, force: true }) }
}
