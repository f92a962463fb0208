import { execFile } from 'node:child_process'
import { request as send } from 'node:https'
import { findFreePort } from '@/lib/database/testing/find-free-port'
import { type Desk, makeFolder, signInOf, startDesk } from '../support/desk'
import { expect, test as base } from '../support/journey'
import { hasNginx, startNginx } from '../support/nginx'
import { signInByForm, signInByCall } from '../support/session'

/* The desk behind nginx with the settings of docs/deploy/nginx.conf. */

type Behind = { own: Desk; url: string; plain: string; settings: Record<string, string>; certificate: string }

const test = base.extend<object, { behind: Behind }>({
  behind: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
    async ({}, provide) => {
      const [desk, https, http] = [await findFreePort(), await findFreePort(), await findFreePort()]
      const nginx = await startNginx({ desks: [desk], https, http })
      const url = `https://localhost:${https}`
      const settings = {
        PORT: String(desk),
        NEXTAUTH_URL: url,
        NEXTAUTH_SECRET: 'mZr2-vq8L_0tXy5-wKp1-Hd7c-Bn4s-Ga9e',
        TRUSTED_PROXIES: '1',
        SEED_PAYMENTS: '50',
      }
      const { folder, remove } = await makeFolder()
      const own = await startDesk(folder, settings)
      await provide({ own, url, plain: `http://localhost:${http}`, settings, certificate: nginx.certificate })
      await own.command.stop()
      await nginx.close()
      await remove()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ behind }, provide) => provide(behind.url),
})
test.use({ ignoreHTTPSErrors: true })
test.skip(!hasNginx, 'nginx or openssl is not here')

const long = { tag: '@long' }

test('people sign in through TLS and HTTP/2, with cookies tied to the host', long, async ({ page, behind }) => {
  await signInByForm(page, signInOf(behind.own, 'admin'))
  await expect(page.locator('[data-row-id]').first()).toBeVisible()
  const protocol = await page.evaluate(() => {
    const [first] = performance.getEntriesByType('navigation')
    return first instanceof PerformanceNavigationTiming ? first.nextHopProtocol : ''
  })
  expect(protocol).toBe('h2')
  for (const cookie of await page.context().cookies())
    expect(cookie).toMatchObject({ name: expect.stringMatching(/^__Host-/u), secure: true, httpOnly: true })
  const script = await page.locator('script[src]').first().getAttribute('src')
  const file = await page.request.get(script ?? '')
  expect(file.headers()['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(file.headers()['content-encoding']).toBe('gzip')
  const redirect = await page.request.get(`${behind.plain}/payments`, { maxRedirects: 0 })
  expect(redirect.status()).toBe(301)
  expect(redirect.headers().location).toMatch(/^https:\/\/localhost\/payments$/u)
})

test('events arrive at once, and stay open longer than other replies may', long, async ({ playwright, behind }) => {
  test.setTimeout(120_000)
  const context = await playwright.request.newContext({ baseURL: behind.url, ignoreHTTPSErrors: true })
  await signInByCall(context, behind.url, signInOf(behind.own, 'admin'))
  const { cookies } = await context.storageState()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const began = Date.now()
  const chunks: { text: string; at: number }[] = []
  const request = send(`${behind.url}/api/desk/events`, { headers: { cookie }, rejectUnauthorized: false }, (reply) =>
    reply.setEncoding('utf8').on('data', (text: string) => chunks.push({ text, at: Date.now() - began })),
  )
  request.on('error', () => undefined).end()
  await expect.poll(() => chunks.length, { timeout: 10_000 }).toBeGreaterThan(0)
  expect(chunks[0]).toMatchObject({ text: expect.stringMatching(/^: open/u) })
  // A comment every 15 s: collected ones would come in one piece, or not at all.
  await expect.poll(() => chunks.length, { timeout: 50_000 }).toBeGreaterThan(2)
  request.destroy()
  await context.dispose()
})

test('the visitor’s address is the one that nginx sees, whatever is claimed', long, async ({ playwright, behind }) => {
  const forged = { 'x-forwarded-for': '198.51.100.7', 'x-real-ip': '198.51.100.8', forwarded: 'for=198.51.100.9' }
  const options = { baseURL: behind.url, ignoreHTTPSErrors: true }
  const stranger = await playwright.request.newContext({ ...options, extraHTTPHeaders: forged })
  const { csrfToken } = await (await stranger.get('/api/auth/csrf')).json()
  const { email } = signInOf(behind.own, 'admin')
  await stranger.post('/api/auth/callback/credentials', { form: { csrfToken, email, password: 'wrong', json: 'true' } })
  const admin = await playwright.request.newContext(options)
  await signInByCall(admin, behind.url, signInOf(behind.own, 'admin'))
  const readLog = async () => (await admin.get('/api/desk/activity')).text()
  await expect.poll(readLog, { timeout: 15_000 }).toContain('session.refused')
  const log = await readLog()
  expect(log).toContain('"from":"127.0.0.1"')
  expect(log).not.toContain('198.51.100.')
  await stranger.dispose()
  await admin.dispose()
})

test(
  'what is too large is refused by nginx, and what is below that reaches the desk',
  long,
  async ({ request, behind }) => {
    const post = (megabytes: number) =>
      request.post(`${behind.url}/api/desk/imports`, {
        data: Buffer.alloc(megabytes * 1_000_000, 'x'),
        headers: { 'content-type': 'text/csv' },
      })
    const refused = await post(13)
    expect([refused.status(), refused.headers()['content-type']]).toEqual([413, expect.stringContaining('text/html')])
    const passed = await post(1)
    expect(passed.status()).toBeGreaterThanOrEqual(400)
    expect(passed.headers()['content-type']).toContain('application/problem+json')
  },
)

test('npm run doctor finds the address, the cookies and the dashboard sound', long, async ({ behind }) => {
  const { PATH = '', HOME = '' } = process.env
  const env = {
    PATH,
    HOME,
    NODE_ENV: 'production' as const,
    ...behind.settings,
    DATA_DIR: behind.own.dataDir,
    NODE_EXTRA_CA_CERTS: behind.certificate,
  }
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['scripts/run.mjs', 'program', 'doctor', '--json'], { env }, (_error, stdout) =>
      resolve(stdout),
    )
  })
  const { desk }: { desk: { result: string; findings: { subject: string; result: string; detail: string }[] } } =
    JSON.parse(output)
  const of = (subject: string) => desk.findings.find((finding) => finding.subject === subject)
  for (const subject of ['public address', 'readiness', 'cookies', 'proxies', 'secrets'])
    expect(of(subject)).toMatchObject({ result: 'ok' })
  expect(of('cookies')?.detail).toBe('They are tied to this host and to https.')
})
