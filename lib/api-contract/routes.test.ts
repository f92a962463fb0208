import { readdirSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { addresses, type EndpointId } from './addresses'

const root = join(process.cwd(), 'app/api/service')
const httpMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** A handler's declaration (lib/server/http/route-declaration), without its type: the contract imports nothing of ours. */
type Exported = Record<string, { declaration?: { kind: string; endpointId?: string } } | undefined>

const eraseNames = (path: string) => path.replaceAll(/\{\w+\}|\[\w+\]/gu, '{}')

function listRouteFiles(): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?:^|[\\/])route\.tsx?$/u.test(file))
    .map((file) => join(root, file))
    .toSorted()
}

/** The path of a route file: `/Customers/{}` for `app/api/service/Customers/[customerIdOrHandle]/route.ts`. */
function pathOf(file: string): string {
  return `/${eraseNames(relative(root, dirname(file)).split(sep).join('/'))}`
}

async function readRoutes(): Promise<string[]> {
  const routes = await Promise.all(
    listRouteFiles().map(async (file) => {
      const exported: Exported = await import(pathToFileURL(file).href)
      const answering = httpMethods.filter(
        (method) => exported[method] && exported[method].declaration?.kind !== 'refused',
      )
      return answering
        .filter((method) => method !== 'HEAD' || exported.HEAD !== exported.GET)
        .map((method) => `${method} ${pathOf(file)} = ${exported[method]?.declaration?.endpointId}`)
    }),
  )
  return routes.flat().toSorted()
}

describe('the files under app/api/service and the contract', () => {
  it('answer every endpoint by its id, and nothing that is no endpoint', async () => {
    const documented = (Object.keys(addresses) as EndpointId[]).map(
      (id) => `${addresses[id].method} ${eraseNames(addresses[id].path)} = ${id}`,
    )
    expect(await readRoutes()).toEqual(documented.toSorted())
  })

  it('lie in folders named exactly as the paths are written', () => {
    const names = listRouteFiles().flatMap((file) => relative(root, dirname(file)).split(sep))
    const words = Object.values(addresses).flatMap(({ path }) =>
      path.split('/').map((part) => part.replace(/^\{(\w+)\}$/u, '[$1]')),
    )
    expect(names.filter((name) => !words.includes(name))).toEqual([])
  })
})
