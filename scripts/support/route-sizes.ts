import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { CommandError, root } from './command.mjs'

type RouteStatistics = { route: string; firstLoadChunkPaths: string[] }

/**
 * Bytes of script (brotli, quality 11, per file) that each page of a build loads initially, by route and sorted. Read
 * from Next's own statistics, which exclude scripts for browsers without modules and lazily loaded ones. Throws a
 * CommandError if the build has no statistics.
 */
export function readRouteSizes(distDir: string): Record<string, number> {
  const path = join(distDir, 'diagnostics', 'route-bundle-stats.json')
  if (!existsSync(path)) throw new CommandError(`The build says nothing of its routes: ${path} is missing.`)
  const sizes = new Map<string, number>()
  const measure = (chunk: string) => {
    const size = sizes.get(chunk) ?? brotliCompressSync(readFileSync(join(root, chunk))).length
    sizes.set(chunk, size)
    return size
  }
  const statistics: RouteStatistics[] = JSON.parse(readFileSync(path, 'utf8'))
  const routes = statistics.map(({ route, firstLoadChunkPaths }): [string, number] => [
    route,
    [...new Set(firstLoadChunkPaths)].reduce((sum, chunk) => sum + measure(chunk), 0),
  ])
  if (routes.length === 0) throw new CommandError(`The build has no routes: ${path} is empty.`)
  return Object.fromEntries(routes.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Larger growth has to be accepted explicitly. */
const MAX_GROWTH = 1.05

const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`

/**
 * Compares the sizes of the routes (bytes by route) with the accepted ones. Returns a line for each route that grew by
 * more than 5 % or has no accepted size. Smaller and removed routes are fine.
 */
export function compareRouteSizes(accepted: Record<string, number>, sizes: Record<string, number>): string[] {
  return Object.entries(sizes).flatMap(([route, after]) => {
    const before = Object.hasOwn(accepted, route) ? accepted[route] : undefined
    if (before === undefined) return [`${route} is new: ${kilobytes(after)} of script.`]
    if (after <= before * MAX_GROWTH) return []
    const growth = ((after / before - 1) * 100).toFixed(1)
    return [`${route} grew by ${growth} %: ${kilobytes(before)} of script before, ${kilobytes(after)} now.`]
  })
}
