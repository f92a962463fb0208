import { readFile } from 'node:fs/promises'
import { pageAccess } from '@/e2e/support/page-access'
import { expect, test } from '../support/journey'
import { readPayments } from '../support/api'
import { sendRaw } from '../support/raw-http'
import { signInByForm } from '../support/session'
import { openSearch } from '../support/page-objects'

const always = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
}

test('every reply carries its headers: pages, data, refusals, built files (XS-05, XS-06, XS-08)', async ({
  page,
  desk,
}) => {
  await page.goto('/sign-in')
  const script = await page.locator('script[src]').first().getAttribute('src')
  for (const target of [
    '/',
    '/sign-in',
    '/nothing-here',
    '/api/health',
    '/api/nothing',
    '/api/service/Payments',
    '/hooks/x',
    '/favicon.svg',
    '/favicon.ico',
    '/_next/static/nothing.js',
    '/payments/%ff',
    '/api/service/Customers/%ff',
    '/api/%73ervice/Payments',
    '/%61pi/service/Payments',
    script ?? '',
  ]) {
    const { headers } = await sendRaw(desk.url, `GET ${target}`, {
      'content-security-policy': `script-src 'nonce-"><script>'`,
      'x-nonce': '"><script>',
    })
    expect(headers, target).toMatchObject(always)
    expect(headers['content-security-policy'], target).toMatch(/default-src 'none'/u)
    expect(headers['content-security-policy'], target).toMatch(/frame-ancestors 'none'/u)
    expect(headers['content-security-policy'], target).toMatch(/base-uri 'none'/u)
    expect(headers['content-security-policy'], target).not.toMatch(/script-src[^;]*unsafe|<script/u)
    // Static files are the same for everybody and have no request id.
    const isFile = /^\/(?:_next|favicon)/u.test(target)
    if (!isFile) expect(headers['x-request-id'], target).toMatch(/^[\da-f-]{36}$/u)
    expect(Object.keys(headers), target).not.toContain('x-powered-by')
    expect(Object.keys(headers), target).not.toContain('server')
  }
})

test('no cache between may keep what a user read, whether page, data or part of a page (BF-09, BF-10)', async ({
  page,
  desk,
  context,
}) => {
  await signInByForm(page, desk.signIn('viewer'))
  for (const target of [
    '/payments',
    '/',
    '/account',
    '/api/service/Payments',
    '/api/desk/sessions',
    '/api/auth/session',
  ]) {
    // API routes have no RSC payloads.
    const asked: Record<string, string>[] = target.startsWith('/api/') ? [{}] : [{}, { rsc: '1' }]
    for (const headers of asked) {
      const reply = await context.request.get(desk.url + target, { headers: { 'x-debitdesk': '1', ...headers } })
      expect(reply.status(), target).toBe(200)
      expect(reply.headers()['cache-control'], target).toMatch(/no-store/u)
      expect(reply.headers()['cache-control'], target).not.toMatch(/public|s-maxage/u)
    }
  }
})

test('a walk through every page meets no violation and asks no other origin (XS-05, XS-14, XS-15)', async ({
  page,
  desk,
  context,
  watch,
}) => {
  test.setTimeout(240_000)
  // One of the pages is for an invalid link.
  watch.allowStatus(400, 404)
  await signInByForm(page, desk.signIn('admin'))
  const [payment] = await readPayments(context.request, desk.url, { limit: '1' })
  const asked: string[] = []
  // Neither in an address nor in a referrer (SE-24).
  page.on('request', (request) => asked.push(request.url(), request.headers().referer ?? ''))
  const ids: Record<string, string> = {
    '[paymentId]': payment?.id ?? '',
    '[customerIdOrHandle]': payment?.customer.id ?? '',
    '[mandateIdOrHandle]': payment?.mandate.id ?? '',
  }
  for (const path of Object.keys(pageAccess)) {
    const target = path.replaceAll(/\[\w+\]/gu, (name) => ids[name] ?? 'nothing')
    await page.goto(target)
    await expect(page.getByRole('heading', { level: 1 }), target).toBeVisible()
  }
  await openSearch(page, 'Control+k')
  // `watch` has collected violations, errors and requests to other origins.
  expect(watch.faults).toEqual([])
  const kept = await page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]))
  const token = (await context.cookies()).find(({ name }) => name.includes('session-token'))?.value ?? ''
  expect(token.length).toBeGreaterThan(20)
  expect(asked.filter((told) => told.includes(token.slice(0, 40)))).toEqual([])
  for (const told of [token, payment?.id, payment?.handle, payment?.customer.name, payment?.mandate.id])
    expect(kept).not.toContain(told)
  expect(
    await page.evaluate(
      async () => (await indexedDB.databases()).length + (await caches.keys().catch(() => [])).length,
    ),
  ).toBe(0)
})

test('what the policy keeps out of a page is told to the log (XS-05)', async ({ page, desk, watch }) => {
  await page.goto('/sign-in?callbackUrl=/payments/canary')
  const sent = page.waitForRequest((request) => request.url().endsWith('/api/policy-reports'))
  await page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<svg onload="document.title = 1"></svg>')
  })
  expect((await (await sent).response())?.status()).toBe(204)
  expect(await page.title()).not.toBe('1')
  expect(watch.faults.splice(0)).toEqual([expect.stringContaining('violates the following Content Security Policy')])
  // The log is written shortly after the reply.
  await expect(async () => {
    const log = await readFile(`${desk.dataDir}/logs/desk.log`, 'utf8')
    const told = log.split('\n').filter((line) => line.includes('policy-violation'))
    expect(told.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ directive: 'script-src-attr', blocked: 'inline', path: '/sign-in' }),
    )
  }).toPass({ timeout: 10_000 })
})

test('nobody finds anything on the way back after signing out (SE-23)', async ({ page, desk, watch }) => {
  watch.allowStatus(401)
  await signInByForm(page, desk.signIn('viewer'))
  await expect(page.locator('[data-row-id]').first()).toBeVisible()
  await page.evaluate(() => {
    localStorage.setItem('left', 'behind')
    localStorage.setItem('theme', 'dark')
    localStorage.setItem('debitdesk-slash', 'off')
    sessionStorage.setItem('left', 'behind')
  })
  const answer = page.waitForResponse((reply) => reply.url().endsWith('/api/auth/signout'))
  await page.getByRole('button', { name: 'Sign out' }).click()
  expect((await (await answer).allHeaders())['clear-site-data']).toBe('"cache", "storage"')
  await expect(page).toHaveURL(/\/sign-in/u)
  // Only the theme and the switched off shortcut are stored, per device.
  expect(await page.evaluate(() => [Object.fromEntries(Object.entries(localStorage)), sessionStorage.length])).toEqual([
    { theme: 'dark', 'debitdesk-slash': 'off' },
    0,
  ])
  await page.goBack()
  await expect(page).toHaveURL(/\/sign-in/u)
  await expect(page.locator('[data-row-id]')).toHaveCount(0)
})
