import { readdirSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type RouteHandler, type RouteMethod, routeMethods } from '../http/route-declaration'

/** A route file of Next: its folder as an address template, and its exported methods. */
export type RouteFile = { path: string; folder: string; exported: Partial<Record<RouteMethod, RouteHandler>> }

const root = join(process.cwd(), 'app')

/** Guarantee: exports under a method's name are checked for a declaration before they are called. */
function asHandlers(module: unknown): Partial<Record<RouteMethod, RouteHandler>> {
  return module as Partial<Record<RouteMethod, RouteHandler>>
}

/** All route files under app, loaded. They are exactly what Next serves. */
export async function loadRouteFiles(): Promise<RouteFile[]> {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?:^|[\\/])route\.(?:ts|tsx|js|jsx|mjs)$/u.test(file))
    .map((file) => join(root, file))
  return Promise.all(
    files.toSorted().map(async (file) => {
      const handlers = asHandlers(await import(pathToFileURL(file).href))
      const exported = Object.fromEntries(
        routeMethods.flatMap((method) => (handlers[method] ? [[method, handlers[method]]] : [])),
      )
      const folder = relative(root, dirname(file)).split(sep).join('/')
      return { folder, path: `/${folder.replaceAll(/\([^)]*\)\//gu, '')}`, exported }
    }),
  )
}

/** Path parameters as Next passes them: `value` for each in the folder's name, undefined without any. */
export function fillParams(folder: string, value: string): Record<string, string | string[]> | undefined {
  if (!folder.includes('[')) return undefined
  return Object.fromEntries(
    [...folder.matchAll(/\[(\.\.\.)?(\w+)\]/gu)].map(([, rest, name = '']) => [name, rest ? [value] : value]),
  )
}
