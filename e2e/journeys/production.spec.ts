import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Page, request as requests, type Response } from '@playwright/test'
import { callApi, takePendingPayment } from '../support/api'
import { confirmCancellation, openCancelDialog, outcomeOf } from '../support/cancellation'
import { makeFolder, signInOf, startDesk } from '../support/desk'
import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'
import { sendRaw } from '../support/raw-http'
import { fillSignIn, signInByForm, waitForScript } from '../support/session'

const dist = join(import.meta.dirname, '../..', process.env.DIST_DIR ?? '.next')

/** The files of a built folder with their text. */
async function readBuilt(folder: string): Promise<{ name: string; text: string }[]> {
  const names = await readdir(join(dist, folder), { recursive: true })
  const files = names.filter((name) => /\.(?:js|mjs|cjs|json|css|html|map)$/u.test(name))
  return Promise.all(files.map(async (name) => ({ name, text: await readFile(join(dist, folder, name), 'utf8') })))
}

test('nothing that was built has a source map (SC-04)', async () => {
  // Without `node_modules`, a link to the installed packages, which have source maps of their own.
  const names = (await readdir(dist, { recursive: true })).filter((name) => !name.startsWith('node_modules/'))
  expect(names.length).toBeGreaterThan(100)
  expect(names.filter((name) => name.endsWith('.map'))).toEqual([])
  const scripts = (await readBuilt('server')).filter(({ name }) => name.endsWith('.js'))
  // Function names are kept, so that stack traces in the log are readable.
  expect(scripts.some(({ text }) => text.includes('function pickMerchant('))).toBe(true)
})

test('the browser is given no source map, no secret and nothing of the server (SC-04)', async ({ desk }) => {
  const files = await readBuilt('static')
  expect(files.length).toBeGreaterThan(10)
  const telling =
    /sourceMappingURL=|NEXTAUTH_SECRET|UPSTREAM_TOKEN|DEMO_SIGN_INS|argon2|drizzle-orm|pglite|@debitdesk\.example/u
  expect(files.filter(({ text }) => telling.test(text)).map(({ name }) => name)).toEqual([])
  const { signIn, url } = desk
  const passwords = (['admin', 'support', 'viewer'] as const).map((role) => signIn(role).password)
  for (const { name, text } of files) for (const one of passwords) expect(text.includes(one), name).toBe(false)
  for (const target of [
    '/.env',
    '/.git/config',
    '/package.json',
    '/_next/server/app/page.js',
    '/_next/static/x.js.map',
  ])
    expect((await sendRaw(url, `GET ${target}`)).status, target).toBeGreaterThanOrEqual(307)
})

test('the server is built without what only tests use, and without actions of the framework’s (SC-04, AZ-07)', async () => {
  const files = await readBuilt('server')
  const told = /lib\/server\/testing|setMemoryStore|failpoint|SERVICE_CONTROL_PORT|@debitdesk\.example/iu
  expect(files.filter(({ text }) => told.test(text)).map(({ name }) => name)).toEqual([])
  const actions = files.filter(({ name }) => name.endsWith('server-reference-manifest.json'))
  expect(actions.length).toBeGreaterThan(0)
  for (const { name, text } of actions) {
    const { node, edge } = JSON.parse(text)
    expect(Object.keys({ ...node, ...edge }), name).toEqual([])
  }
})

test('scripts and styles are sent compressed, and are the same uncompressed', async ({ desk, request }) => {
  const names = (await readBuilt('static')).filter(({ text }) => text.length > 2_000).map(({ name }) => name)
  expect(names.length).toBeGreaterThan(10)
  for (const name of names) {
    const address = `${desk.url}/_next/static/${name}`
    const compressed = await request.get(address, { headers: { 'accept-encoding': 'gzip' } })
    const plain = await request.get(address, { headers: { 'accept-encoding': 'identity' } })
    expect(compressed.headers()['content-encoding'], name).toBe('gzip')
    expect(plain.headers()['content-encoding'], name).toBeUndefined()
    expect(compressed.headers()['content-type'], name).toBe(plain.headers()['content-type'])
    expect(compressed.headers()['cache-control'], name).toBe(plain.headers()['cache-control'])
    expect(await compressed.text(), name).toBe(await plain.text())
  }
})

test('pages, parts of pages and data are sent compressed', async ({ desk, page, context }) => {
  await signInByForm(page, desk.signIn('viewer'))
  const targets: [target: string, headers: Record<string, string>, type: RegExp][] = [
    ['/payments', {}, /^text\/html/u],
    ['/payments', { rsc: '1' }, /^text\/x-component/u],
    ['/api/service/Payments', { 'x-debitdesk': '1' }, /^application\/json/u],
  ]
  for (const [target, headers, type] of targets) {
    const address = desk.url + target
    const compressed = await context.request.get(address, { headers: { ...headers, 'accept-encoding': 'gzip' } })
    const plain = await context.request.get(address, { headers: { ...headers, 'accept-encoding': 'identity' } })
    expect(compressed.headers()['content-type'], target).toMatch(type)
    expect(compressed.headers()['content-encoding'], target).toBe('gzip')
    expect(plain.headers()['content-encoding'], target).toBeUndefined()
  }
})

const secrets = {
  SERVICE_TOKEN: 'canary-service-token-7f3a91c4',
  NEXTAUTH_SECRET: 'canary-nextauth-secret-51d0b2e8aa7714c6',
}

/** Typed text that must not be logged: a wrong and a right password, a payer, a reason. */
const typed = {
  wrong: 'canary wrong password 84c1',
  password: 'canary right password 19d7',
  payer: 'Canary Payer e5b0',
  reason: 'Canary reason 62fa',
}

/** The forms in which a secret could be logged: plain, percent-encoded, and as HTTP Basic credentials. */
const formsOf = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/u, ''),
  Buffer.from(`${secret}:`).toString('base64').replace(/=+$/u, ''),
]
const secretForms = Object.values(secrets).flatMap(formsOf)

function search(text: string, where: string, needles = secretForms): string[] {
  return needles.filter((needle) => text.includes(needle)).map((needle) => `${where} holds ${needle}`)
}

async function readFolder(folder: string): Promise<[string, string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(
    files.map(async (entry): Promise<[string, string]> => {
      const path = `${entry.parentPath}/${entry.name}`
      return [path, await readFile(path, 'utf8')]
    }),
  )
}

async function visit(page: Page, paths: string[]) {
  for (const path of paths) {
    await page.goto(path)
    await waitForScript(page)
    await expect(page.locator('[data-walk="loading"]')).toHaveCount(0)
  }
}

test('the credential is in no page, no reply, no script and no log, and in no log what was typed (BF-08, SE-24)', async ({
  browser,
}) => {
  const { folder, remove } = await makeFolder()
  const admin = { email: 'first.admin@desk.example', password: typed.password }
  const desk = await startDesk(folder, {
    ...secrets,
    SEED_PAYMENTS: '150',
    DESK_ADMIN_EMAIL: admin.email,
    DESK_ADMIN_PASSWORD: admin.password,
  })
  const context = await browser.newContext({ baseURL: desk.url })
  const page = await context.newPage()
  const found: string[] = []
  const pending: Promise<void>[] = []
  /** The addresses of which a body was read, and of which none could be. */
  const read = new Set<string>()
  const unread: string[] = []
  /** The body; once the page is left the browser has it no longer, and it is asked for again. */
  const readBody = (response: Response): Promise<string | null> => {
    const request = response.request()
    const readAgain = async () => {
      if (request.method() !== 'GET') return null
      return (await context.request.get(response.url(), { headers: request.headers() })).text()
    }
    return response.text().catch(readAgain)
  }
  const keep = async (response: Response) => {
    const headers = await response.allHeaders()
    found.push(...search(JSON.stringify(headers), `headers of ${response.url()}`))
    // A stream of events ends with its page, and holds kinds and ids alone.
    if (headers['content-type']?.startsWith('text/event-stream')) return
    if (response.status() === 204 || (response.status() >= 300 && response.status() < 400)) return
    const body = await readBody(response).catch(() => null)
    if (body === null) unread.push(`${response.request().method()} ${response.url()}`)
    if (body) read.add(response.url())
    found.push(...search(body ?? '', response.url()))
  }
  page.on('response', (response) => void pending.push(keep(response)))
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url(), request.headers().referer ?? ''))

  await page.goto('/sign-in')
  await fillSignIn(page, { ...admin, password: typed.wrong })
  await expect(page.getByRole('alert').filter({ hasText: /\w/u })).toBeVisible()
  await signInByForm(page, admin)
  const session = (await context.cookies()).find(({ name }) => name.includes('session-token'))?.value ?? ''
  expect(session.length).toBeGreaterThan(20)
  await page.goto('/customers/new')
  await page.getByLabel('Name', { exact: true }).fill(typed.payer)
  await page.getByRole('button', { name: 'Create customer', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(typed.payer)
  const visited = [
    '/payments',
    '/customers',
    '/mandates',
    '/',
    '/webhooks',
    '/merchant',
    '/reference',
    '/nothing-here',
    '/payments/nothing-here',
  ]
  await visit(page, visited)
  const payment = await takePendingPayment(context.request, desk.url)
  await page.goto(`/payments/${payment.id}`)
  await confirmCancellation(await openCancelDialog(page), typed.reason)
  await expect(outcomeOf(page)).toHaveAttribute('data-outcome', 'cancelled', { timeout: 45_000 })
  await page.goto('/payments')
  await new ListPage(page, 'Payments').ready()
  expect(pending.length).toBeGreaterThan(20)

  for (const path of [
    '/',
    '/Customers',
    '/Customers/nobody',
    '/Merchants',
    '/Merchants/webhooks',
    '/Payments?limit=0',
    '/Payments?after=x',
  ]) {
    const reply = await callApi(context.request, `${desk.url}/api/service${path}`)
    found.push(...search((await reply.text()) + JSON.stringify(reply.headersArray()), path))
  }
  // The form reads only the status of its replies, and the browser keeps no body that nobody reads.
  const signing = await requests.newContext({ baseURL: desk.url })
  const { csrfToken } = await (await signing.get('/api/auth/csrf')).json()
  for (const password of [typed.wrong, typed.password]) {
    const form = { csrfToken, email: admin.email, password, json: 'true' }
    const body = await (await signing.post('/api/auth/callback/credentials', { form })).text()
    expect(body).not.toBe('')
    found.push(...search(body, 'the reply to a sign-in'))
  }
  await signing.dispose()
  await Promise.all(pending)
  await context.close()
  expect(unread.filter((address) => !address.endsWith('/api/auth/callback/credentials'))).toEqual([])
  expect([...read]).toEqual(expect.arrayContaining(visited.map((path) => desk.url + path)))
  expect([...read].some((address) => /\/_next\/static\/.+\.js$/u.test(address))).toBe(true)
  await desk.command.stop()

  const unlogged = [...secretForms, ...Object.values(typed).flatMap(formsOf), session, session.slice(0, 40)]
  found.push(...search(desk.command.output(), 'the terminal', unlogged))
  const logs = await readFolder(`${folder}/logs`)
  expect(logs.map(([path]) => path.split('/').at(-1))).toEqual(expect.arrayContaining(['desk.log', 'service.log']))
  for (const [path, text] of logs) found.push(...search(text, path, unlogged))
  // The session token is sent only in its cookie.
  for (const told of asked) found.push(...search(told, told, [session, encodeURIComponent(typed.password)]))
  for (const [path, text] of await readFolder(`${process.env.DIST_DIR ?? '.next'}/static`))
    found.push(...search(text, path))
  expect(found).toEqual([])
  await remove()
})

test.describe.configure({ timeout: 420_000 })

async function answers(url: string): Promise<boolean> {
  const context = await requests.newContext()
  const answered = await context.get(`${url}/api/health`).then(
    () => true,
    () => false,
  )
  await context.dispose()
  return answered
}

test('data, sign-ins and sessions survive a restart, and SIGTERM and Ctrl-C end it with exit code 0', {
  tag: '@long',
}, async ({ browser }) => {
  const { folder, remove } = await makeFolder()
  const settings = { SEED_PAYMENTS: '100' }
  const first = await startDesk(folder, settings, { fromNothing: true })
  const context = await browser.newContext({ baseURL: first.url })
  const page = await context.newPage()
  await signInByForm(page, signInOf(first, 'support'))
  const payment = await takePendingPayment(context.request, first.url)
  await page.goto(`/payments/${payment.id}`)
  await confirmCancellation(await openCancelDialog(page), 'Before the restart')
  await expect(outcomeOf(page)).toHaveAttribute('data-outcome', 'cancelled', { timeout: 45_000 })
  await page.goto('about:blank')
  expect(await first.command.stop()).toBe(0)
  expect(await answers(first.url)).toBe(false)

  const second = await startDesk(folder, { ...settings, PORT: new URL(first.url).port })
  expect(second.command.output()).not.toContain('Building')
  expect(second.signIns).toEqual(first.signIns)
  await page.goto(`/payments/${payment.id}`)
  await expect(outcomeOf(page)).toHaveAttribute('data-outcome', 'cancelled')
  await context.close()
  second.command.send('SIGINT')
  expect(await second.command.exited).toBe(0)
  await remove()
})

test('when the command itself is killed, neither the desk nor the service lives on', { tag: '@long' }, async () => {
  const { folder, remove } = await makeFolder()
  const desk = await startDesk(folder, { SEED_PAYMENTS: '50' })
  const lock = await readFile(`${folder}/desk/debitdesk.lock`, 'utf8')
  const pid = Number.parseInt(lock, 10)
  desk.command.send('SIGKILL')
  await expect.poll(() => answers(desk.url), { timeout: 30_000 }).toBe(false)
  await expect
    .poll(
      () => {
        try {
          return process.kill(pid, 0)
        } catch {
          return false
        }
      },
      { timeout: 30_000 },
    )
    .toBe(false)
  const again = await startDesk(folder, { SEED_PAYMENTS: '50' })
  expect(await again.command.stop()).toBe(0)
  await remove()
})

test('a second start on the same data is refused with a line that names the other process', async ({ desk }) => {
  const message = await startDesk(desk.dataDir).then(
    () => 'it started',
    (reason: Error) => reason.message,
  )
  expect(message).toMatch(/in use by process \d+/u)
  expect(message).not.toMatch(/\n\s+at /u)
})
