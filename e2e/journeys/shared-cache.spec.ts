import type { APIRequestContext, APIResponse } from '@playwright/test'
import { type CachingProxy, startCachingProxy } from '../support/other-sites'
import { expect, test as base } from '../support/journey'
import { eventsPath, listPages, listRoutes } from '../support/access'
import { readPayments } from '../support/api'
import { signInByCall } from '../support/session'

const test = base.extend<{ cache: CachingProxy }>({
  cache: async ({ desk }, provide) => {
    const cache = await startCachingProxy(desk.url)
    await provide(cache)
    await cache.close()
  },
})

type Asked = { path: string; headers: Record<string, string> }

/** Headers that a cache might ignore, so that it confuses requests, or RSC payloads with whole pages. */
const disguises: Record<string, string>[] = [
  {},
  { rsc: '1' },
  { rsc: '1', 'next-router-prefetch': '1' },
  { rsc: '1', 'next-router-segment-prefetch': '/_tree' },
  { 'x-forwarded-host': 'evil.test' },
  { accept: 'image/png' },
  { origin: 'null' },
]

const fill = (path: string, id: string) => path.replaceAll(/\[(?:\.\.\.)?\w+\]/gu, id)

async function ask(who: APIRequestContext, cache: CachingProxy, { path, headers }: Asked): Promise<APIResponse> {
  return who.get(cache.url + path, { headers: { 'x-debitdesk': '1', ...headers }, maxRedirects: 0 })
}

test('behind the most careless of shared caches nobody gets what another has read (BF-10)', { tag: '@long' }, async ({
  desk,
  cache,
  playwright,
}) => {
  test.setTimeout(240_000)
  const [admin, viewer, nobody] = await Promise.all([1, 2, 3].map(() => playwright.request.newContext()))
  if (!admin || !viewer || !nobody) throw new Error('no contexts')
  await signInByCall(admin, desk.url, desk.signIn('admin'))
  await signInByCall(viewer, desk.url, desk.signIn('viewer'))
  const [payment] = await readPayments(admin, desk.url, { limit: '1' })
  const id = payment?.id ?? ''

  const pages = listPages().map((path) => fill(path, id))
  const routes = (await listRoutes()).flatMap(({ method, path, access }) =>
    // An event stream never ends, so nobody ever has the whole of it.
    method === 'GET' && access.kind === 'permission' && path !== eventsPath ? [fill(path, id)] : [],
  )
  const asked: Asked[] = [
    ...pages.flatMap((path) => [{}, { rsc: '1' }].map((headers) => ({ path, headers }))),
    ...routes.map((path) => ({ path, headers: {} })),
    ...['/payments', '/payments?_rsc=x', '/account?unknown=1', '/team'].flatMap((path) =>
      disguises.map((headers) => ({ path, headers })),
    ),
  ]
  expect(asked.length).toBeGreaterThan(100)

  const wrong: string[] = []
  for (const who of [admin, viewer, nobody]) {
    for (let at = 0; at < asked.length; at += 6) {
      await Promise.all(
        asked.slice(at, at + 6).map(async (one) => {
          const reply = await ask(who, cache, one)
          const { 'x-cache': cached, 'content-type': type = '' } = reply.headers()
          const shown = `${one.path} ${JSON.stringify(one.headers)}: ${reply.status()} ${type}`
          if (cached) wrong.push(`from the cache: ${shown}`)
          // An RSC payload must never replace a page, nor the other way round.
          const isPart = type.startsWith('text/x-component')
          if (isPart && !one.headers.rsc) wrong.push(`a part of a page: ${shown}`)
          if (type.startsWith('text/html') && one.headers.rsc && reply.status() === 200) wrong.push(`a page: ${shown}`)
          if (who === nobody && reply.status() === 200 && (await reply.text()).includes(id))
            wrong.push(`told to nobody: ${shown}`)
          await reply.dispose()
        }),
      )
    }
  }
  expect(wrong).toEqual([])
  expect(cache.kept()).toEqual([])

  // It does cache the static files, which are the same for all users.
  const html = await (await ask(nobody, cache, { path: '/sign-in', headers: {} })).text()
  const script = /src="(\/_next\/static\/[^"]+)"/u.exec(html)?.[1] ?? ''
  for (const path of [script, '/favicon.svg']) {
    expect((await ask(admin, cache, { path, headers: {} })).headers()['x-cache']).toBeUndefined()
    expect((await ask(nobody, cache, { path, headers: {} })).headers()['x-cache']).toBe('hit')
  }
  expect(cache.kept()).toHaveLength(2)
})
