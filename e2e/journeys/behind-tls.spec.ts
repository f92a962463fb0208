import type { BrowserContext, Page } from '@playwright/test'
import { findFreePort } from '@/lib/database/testing/find-free-port'
import { expect, test as base } from '../support/journey'
import { signInByForm } from '../support/session'
import { type DeskBehindFaults, startDeskBehindFaults } from '../support/fault-proxy'
import { startSite } from '../support/other-sites'
import { canCertify, startTls, type TlsSite } from '../support/tls-site'

/*
 * The desk as it is meant to run: with https behind a proxy. Some browser guarantees exist only there: `__Host-` cookies,
 * which sibling hosts and plain http cannot set, and windows isolated from their openers.
 */
const host = 'app.shop.test'
const session = '__Host-next-auth.session-token'
/** The pages of other sites, set by each test. */
const pages: Record<string, string> = {}

type Secure = { pair: DeskBehindFaults; tls: TlsSite; url: string }

const test = base.extend<{ visitor: () => Promise<BrowserContext> }, { secure: Secure }>({
  secure: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
    async ({}, provide) => {
      const port = await findFreePort()
      const tls = await startTls(host, port, pages)
      const url = tls.origin(host)
      const pair = await startDeskBehindFaults({
        PORT: String(port),
        NEXTAUTH_URL: url,
        NEXTAUTH_SECRET: 'a-secret-for-this-test-of-enough-length',
        TRUSTED_PROXIES: '1',
      })
      await provide({ pair, tls, url })
      await pair.close()
      await tls.close()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ secure }, provide) => provide(secure.url),
  visitor: async ({ browser, secure }, provide) => {
    const opened: BrowserContext[] = []
    await provide(async () => {
      const context = await browser.newContext({ baseURL: secure.url, ignoreHTTPSErrors: true })
      opened.push(context)
      return context
    })
    for (const context of opened) await context.close()
  },
})

test.skip(!canCertify, 'openssl is not here to make a certificate')

async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expect(page.locator('body')).toHaveAttribute('data-done', /.*/u, { timeout: 30_000 })
}

test('every cookie is tied to the host and to https, and every reply asks to come back by https (SE-01, XS-08)', async ({
  visitor,
  secure,
}) => {
  const context = await visitor()
  const page = await context.newPage()
  const without: string[] = []
  page.on('response', (reply) => {
    if (reply.headers()['strict-transport-security'] !== 'max-age=31536000') without.push(reply.url())
  })
  await signInByForm(page, secure.pair.admin)
  await expect(page.locator('[data-row-id]').first()).toBeVisible()
  const cookies = await context.cookies()
  expect(cookies.map(({ name }) => name)).toContain(session)
  for (const cookie of cookies)
    expect(cookie).toMatchObject({
      name: expect.stringMatching(/^__Host-/u),
      domain: host,
      path: '/',
      secure: true,
      httpOnly: true,
      sameSite: 'Lax',
    })
  await page.goto('/nothing-here')
  await page.goto('/api/nothing')
  expect(without).toEqual([])
})

test('neither a sibling host nor plain http plants a sign-in (SE-05)', async ({ visitor, secure }) => {
  const thief = await visitor()
  await signInByForm(await thief.newPage(), secure.pair.admin)
  const token = (await thief.cookies()).find(({ name }) => name === session)?.value ?? ''
  expect(token.length).toBeGreaterThan(100)
  const plant = `<!doctype html><title>evil</title><body><script>
    for (const name of ['', '__Secure-', '__Host-', '__host-'])
      for (const scope of ['; Domain=shop.test', '; Domain=shop.test; Secure', '', '; Secure'])
        document.cookie = name + 'next-auth.session-token=${token}; Path=/' + scope
    document.body.setAttribute('data-done', document.cookie)
  </script>`
  pages['/'] = plant
  const plain = await startSite({ '/': plant })
  for (const address of [secure.tls.origin('sub.shop.test'), plain.origin(host), plain.origin('sub.shop.test')]) {
    const context = await visitor()
    const page = await context.newPage()
    await visit(page, address)
    // Makes sure that a cookie was planted.
    expect(await page.locator('body').getAttribute('data-done')).toContain('next-auth.session-token=')
    await page.goto('/payments')
    await expect(page).toHaveURL(/\/sign-in\?/u)
    await signInByForm(page, secure.pair.admin)
    const held = (await context.cookies(secure.url)).filter(({ name }) => name === session)
    expect(held).toHaveLength(1)
    expect(held[0]?.value).not.toBe(token)
  }
  await plain.close()
})

test('whoever opens the desk in a window keeps no hold of it, and nobody embeds any of it (XS-07)', async ({
  visitor,
  secure,
}) => {
  const context = await visitor()
  const page = await context.newPage()
  await signInByForm(page, secure.pair.admin)
  const script = await page.locator('script[src]').first().getAttribute('src')
  pages['/'] = `<!doctype html><title>evil</title><body><iframe src="${secure.url}/payments"></iframe><script>
    const told = []
    const load = (tag, url) => new Promise((resolve) => {
      const element = Object.assign(document.createElement(tag), {
        onload: () => resolve(tag + ' loaded'), onerror: () => resolve(tag + ' refused') })
      element.src = url
      document.body.append(element)
    })
    const read = (url, mode) => fetch(url, { mode, credentials: 'include' }).then(() => 'read', () => mode + ' refused')
    const opened = open('${secure.url}/payments')
    Promise.all([
      load('img', '${secure.url}/favicon.svg'),
      load('script', '${secure.url}${script}'),
      read('${secure.url}/api/service/Payments', 'no-cors'),
      read('${secure.url}/api/service/Payments', 'cors'),
      new Promise((resolve) => {
        const until = Date.now() + 15_000
        const timer = setInterval(() => {
          opened.postMessage({ type: 'sign-out' }, '*')
          if (!opened.closed && Date.now() < until) return
          clearInterval(timer)
          resolve(opened.closed ? 'window out of reach' : 'window held')
        }, 100)
      }),
    ]).then((all) => document.body.setAttribute('data-done', all.join(', ')))
  </script>`
  for (const other of ['evil.test', 'sub.shop.test']) {
    const opening = context.waitForEvent('page')
    await visit(page, secure.tls.origin(other))
    expect(await page.locator('body').getAttribute('data-done')).toBe(
      'img refused, script refused, no-cors refused, cors refused, window out of reach',
    )
    const popup = await opening
    await expect(popup.locator('[data-row-id]').first()).toBeVisible()
    expect(await popup.evaluate(() => window.opener === null)).toBe(true)
    await expect(popup.getByText(secure.pair.admin.email)).toBeVisible()
    await popup.close()
    const framed = page.frames().find((frame) => frame.parentFrame())
    expect(await framed?.locator('[data-row-id]').count()).toBe(0)
  }
})
