import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** A method of a route, and who may call it by its own declaration. */
export type ListedRoute = {
  method: string
  /** With the names of its parameters in brackets. */
  path: string
  access: { kind: 'permission'; permission: string } | { kind: 'open'; why: string } | { kind: 'refused' }
}

const routeFiles = new URL('../../lib/server/testing/route-files.ts', import.meta.url).href

const program = `
  const { loadRouteFiles } = await import(process.argv[1])
  const listed = (await loadRouteFiles()).flatMap(({ path, exported }) =>
    Object.entries(exported).map(([method, { declaration }]) => ({ method, path, access: declaration })))
  process.stdout.write('ROUTES' + JSON.stringify(listed))
  process.exit(0)`

/** Every method of every route file, with what it declares, as the files themselves say it. */
export async function listRoutes(): Promise<ListedRoute[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', program, routeFiles],
    { maxBuffer: 10_000_000 },
  )
  return JSON.parse(stdout.slice(stdout.indexOf('ROUTES') + 6))
}
