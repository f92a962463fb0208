import { sql } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { activity, attempts } from '@/lib/server/store/schema'
import { testOrigin, VisitorDesk } from '@/lib/server/testing/auth-fixture'
import { GET, HEAD } from './route'

const desk = new VisitorDesk()

beforeEach(async () => {
  globalThis.debitdeskDownloads = undefined
  await desk.db.delete(attempts)
})

function take(headers: Record<string, string>): Promise<Response> {
  const request = new Request(`${testOrigin}/api/desk/activity/export`, {
    headers: { cookie: desk.visitor.cookieHeader, ...headers },
  })
  return GET(request, { params: Promise.resolve(undefined) })
}

const countRows = () => desk.db.$count(activity)

it.each([
  ['another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
  ['another host of the same site', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }],
  ['a page that does not say which it is, to a browser that does not either', {}],
  ['another site, as its browser names it', { referer: 'https://evil.test/' }],
  ['an origin that begins like ours', { referer: `${testOrigin}.evil.test/` }],
])('is not started by %s, and nothing is written down', async (_, headers) => {
  const before = await countRows()
  for (let attempt = 0; attempt < 8; attempt += 1) expect((await take(headers)).status).toBe(403)
  expect(await countRows()).toBe(before)
})

it.each([
  ['a link of the page', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }],
  ['a link of the page on plain http', { referer: `${testOrigin}/activity` }],
  ['somebody who typed the address', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  ['a script that says what it is', { 'x-debitdesk': '1' }],
])('is started by %s, and written down', async (_, headers) => {
  const before = await countRows()
  const response = await take(headers)
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('export.activity')
  expect(await countRows()).toBe(before + 1)
})

const own = { 'sec-fetch-site': 'same-origin' }

it('goes one at a time for each person, also after a reader has gone', async () => {
  const first = await take(own)
  const before = await countRows()
  const refused = await take(own)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await refused.json()).detail).toMatch(/^Another of your downloads is running\./u)
  expect(await countRows()).toBe(before)
  await first.text()
  const second = await take(own)
  await second.body?.cancel()
  expect((await take(own)).status).toBe(200)
})

it('holds no place where it could not be written down, and none for HEAD, which writes nothing down', async () => {
  await desk.db.execute(sql`alter table activity rename to activity_gone`)
  const failed = await take(own)
  await desk.db.execute(sql`alter table activity_gone rename to activity`)
  expect(failed.status).toBeGreaterThanOrEqual(500)
  const before = await countRows()
  const request = new Request(`${testOrigin}/api/desk/activity/export`, {
    method: 'HEAD',
    headers: { cookie: desk.visitor.cookieHeader, ...own },
  })
  const head = await HEAD(request, { params: Promise.resolve(undefined) })
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(await countRows()).toBe(before)
  const taken = await take(own)
  expect(taken.status).toBe(200)
  await taken.body?.cancel()
})

it('is refused beyond 60 in an hour, in words that say when there is room again', async () => {
  const before = await countRows()
  const statuses = []
  for (let count = 0; count < 70; count += 1) {
    const response = await take(own)
    statuses.push(response.status)
    if (response.ok) await response.body?.cancel()
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(60)
  expect(await countRows()).toBe(before + 60)
  const refused = await take(own)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500)
  expect((await refused.json()).detail).toBe(
    'You can start 60 exports and downloads per hour. Try again in 60 minutes.',
  )
})
