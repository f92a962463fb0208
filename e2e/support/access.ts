import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { type APIRequestContext, expect, type PlaywrightWorkerArgs } from '@playwright/test'
import { pageAccess } from './page-access'
import { hasPermission, type Role, roles } from '@/lib/api-contract/permission'
import { callApi } from './api'
import type { Role as DemoRole, SignIn } from './desk'
import { addMember, signInByCall } from './session'

const root = join(import.meta.dirname, '../../app')

/** Every page of the desk, by its folder under `app` without route groups. */
export function listPages(): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?:^|[\\/])page\.(?:tsx|ts|jsx|js)$/u.test(file))
    .map((file) => {
      const folder = relative(root, dirname(join(root, file)))
        .split(sep)
        .join('/')
      return `/${folder.replaceAll(/\([^)]*\)\/?/gu, '')}`.replace(/(?<=.)\/$/u, '')
    })
    .toSorted()
}

/** A method of a route and its declared access. */
export type ListedRoute = {
  method: string
  /** With parameter names in brackets. */
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

/** Every method of every route file with its declaration. */
export async function listRoutes(): Promise<ListedRoute[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', program, routeFiles],
    { maxBuffer: 10_000_000 },
  )
  return JSON.parse(stdout.slice(stdout.indexOf('ROUTES') + 6))
}

const nobody = '0b8f8a2e-4a53-4c7e-9f0e-3f2f6a1c5d10'
/** Whether the request would end the session that sends it. */
const endsItself = (method: string, path: string) => method === 'DELETE' && path === '/api/desk/sessions'

const fill = (path: string) => path.replaceAll(/\[(?:\.\.\.)?\w+\]/gu, nobody)

/** The one route whose reply does not end. */
export const eventsPath = '/api/desk/events'

/** The status of a reply that is left as soon as its head is there. */
async function readStatus(context: APIRequestContext, url: string): Promise<string> {
  const { cookies } = await context.storageState()
  const left = new AbortController()
  const headers = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '), 'x-debitdesk': '1' }
  const { status } = await fetch(url, { headers, signal: left.signal })
  left.abort()
  return String(status)
}

async function readCode(context: APIRequestContext, desk: string, method: string, path: string): Promise<string> {
  if (path === eventsPath && method === 'GET') return readStatus(context, desk + path)
  const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method)
  const reply = await callApi(context, desk + fill(path), { method, ...(hasBody && { body: { unknown: true } }) })
  const type =
    reply.headers()['content-type']?.includes('problem+json') && method !== 'HEAD' ? (await reply.json()).type : ''
  const code = String(type).split('/').at(-1) || String(reply.status())
  await reply.dispose()
  return code
}

/**
 * Calls every route method without a session and as each of `routeRoles`, and every page without one and as each role,
 * and expects the declared access. Pages refused to a role have `data-problem="refused"`. Returns the number of replies
 * checked.
 */
export async function expectAccess(
  playwright: PlaywrightWorkerArgs['playwright'],
  desk: string,
  signInOf: (role: DemoRole) => SignIn,
  routeRoles: readonly Role[] = roles,
): Promise<number> {
  const isDemo = (role: Role): role is DemoRole => ['admin', 'support', 'viewer'].includes(role)
  const findSignIn = (role: Role) =>
    isDemo(role) ? signInOf(role) : addMember(playwright, desk, { admin: signInOf('admin'), role })
  const pages = listPages()
  expect(pages).toEqual(Object.keys(pageAccess).toSorted())
  const routes = await listRoutes()
  const wrong: string[] = []
  let seen = 0
  const judge = (isRight: boolean, words: string) => {
    seen += 1
    if (!isRight) wrong.push(words)
  }
  for (const role of [null, ...roles]) {
    const context = await playwright.request.newContext()
    if (role) await signInByCall(context, desk, await findSignIn(role))
    const askRoute = async ({ method, path, access }: ListedRoute) => {
      if (access.kind === 'open' || endsItself(method, path)) return
      const code = await readCode(context, desk, method, path)
      const denied = ['signed-out', 'forbidden', '401', '403'].includes(code)
      const may = access.kind === 'permission' && role !== null && hasPermission(role, access.permission as 'read')
      const isRight =
        access.kind === 'refused'
          ? code === 'method-not-allowed' || code === '405' || code === 'not-found' || code === '404'
          : may !== denied
      judge(isRight && !['internal', '500'].includes(code), `${role} ${method} ${path}: ${code}`)
    }
    // Eight at a time: sequentially it would take minutes, and all at once would overload a desk.
    const asked = role === null || routeRoles.includes(role) ? routes : []
    for (let at = 0; at < asked.length; at += 8) await Promise.all(asked.slice(at, at + 8).map(askRoute))
    const askPage = async (page: string) => {
      const access = pageAccess[page]
      const reply = await context.get(desk + fill(page), { maxRedirects: 0 })
      const text = await reply.text()
      const isSentAway = reply.status() === 307 && /\/sign-in(?:\?|$)/u.test(reply.headers().location ?? '')
      if (access === 'open')
        judge(reply.status() === 200 || reply.status() === 307, `${role} ${page}: ${reply.status()}`)
      else if (role === null) judge(isSentAway && !text.includes('data-row-id'), `nobody ${page}: ${reply.status()}`)
      else {
        const isElsewhere = reply.status() === 307 && (reply.headers().location ?? '').includes('/team/roles')
        const isRefused = isElsewhere || text.includes('data-problem="refused"')
        const may = access !== undefined && hasPermission(role, access)
        judge(
          !isSentAway && reply.status() < 500 && isRefused === !may,
          `${role} ${page}: ${reply.status()} ${isRefused}`,
        )
      }
    }
    for (let at = 0; at < pages.length; at += 4) await Promise.all(pages.slice(at, at + 4).map(askPage))
    await context.dispose()
  }
  expect(wrong).toEqual([])
  return seen
}
