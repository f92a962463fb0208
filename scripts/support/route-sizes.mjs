import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { CommandFailure, root } from './command.mjs'

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

/** How much a route may grow before somebody has to say that it should. */
const mostGrowth = 1.05

const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`

/**
 * What is wrong with the sizes of the routes (bytes by route) beside those that were accepted: one line
 * for each route that grew by more than 5 % since, or that nobody has accepted yet. A route that shrank
 * or is gone is no fault.
 */
export function compareRouteSizes(accepted, sizes) {
  return Object.entries(sizes).flatMap(([route, after]) => {
    const before = Object.hasOwn(accepted, route) ? accepted[route] : null
    if (before === null) return [`${route} is new: ${kilobytes(after)} of script.`]
    if (after <= before * mostGrowth) return []
    const growth = ((after / before - 1) * 100).toFixed(1)
    return [`${route} grew by ${growth} %: ${kilobytes(before)} of script before, ${kilobytes(after)} now.`]
  })
}
