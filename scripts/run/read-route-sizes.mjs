import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { CommandFailure } from './command-failure.mjs'
import { root } from './root.mjs'

/**
 * Bytes of script (brotli, quality 11, each file by itself as it is sent) that each page of a build loads
 * at first, by route and in the order of their names. Read from what Next writes of it, in which the
 * scripts for browsers without modules have no part; what loads on demand has none either. Throws a
 * CommandFailure where the build tells nothing of its routes.
 */
export function readRouteSizes(distDir) {
  const path = join(distDir, 'diagnostics', 'route-bundle-stats.json')
  if (!existsSync(path)) throw new CommandFailure(`The build says nothing of its routes: ${path} is missing.`)
  const sizes = new Map()
  const measure = (chunk) => {
    if (!sizes.has(chunk)) sizes.set(chunk, brotliCompressSync(readFileSync(join(root, chunk))).length)
    return sizes.get(chunk)
  }
  const routes = JSON.parse(readFileSync(path, 'utf8')).map(({ route, firstLoadChunkPaths }) => [
    route,
    [...new Set(firstLoadChunkPaths)].reduce((sum, chunk) => sum + measure(chunk), 0),
  ])
  if (routes.length === 0) throw new CommandFailure(`The build has no routes: ${path} is empty.`)
  return Object.fromEntries(routes.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
