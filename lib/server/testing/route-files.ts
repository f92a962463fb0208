import { readdirSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type RouteHandler, type RouteMethod, routeMethods } from '../http/route-declaration'

/** A route file of Next: its folder in the words of the address, and what it exports under names of methods. */
export type RouteFile = { path: string; folder: string; exported: Partial<Record<RouteMethod, RouteHandler>> }

const root = join(process.cwd(), 'app')

/** Guarantee: what is read under a method's name is checked for a declaration before it is called. */
function asHandlers(module: unknown): Partial<Record<RouteMethod, RouteHandler>> {
  return module as Partial<Record<RouteMethod, RouteHandler>>
}

/** Every route file under app, loaded. What Next serves is what lies there: nothing can be left out. */
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

/** What Next hands a handler as parameters: `value` for each that the folder names, undefined where it names none. */
export function fillParams(folder: string, value: string): Record<string, string | string[]> | undefined {
  if (!folder.includes('[')) return undefined
  return Object.fromEntries(
    [...folder.matchAll(/\[(\.\.\.)?(\w+)\]/gu)].map(([, rest, name = '']) => [name, rest ? [value] : value]),
  )
}
