import { readdir, readFile } from 'node:fs/promises'
import type { Page, Response } from '@playwright/test'
import { callApi, takePendingPayment } from '../support/api'
import { confirmCancellation, openCancelDialog, outcomeOf } from '../support/cancellation'
import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'
import { makeFolder, startDesk } from '../support/desk'
import { fillSignIn, signIn } from '../support/session'

const secrets = {
  SERVICE_TOKEN: 'canary-service-token-7f3a91c4',
  NEXTAUTH_SECRET: 'canary-nextauth-secret-51d0b2e8aa7714c6',
}

/** What people type, which no log has any use for: a wrong password and a right one, a payer, a reason. */
const typed = {
  wrong: 'canary wrong password 84c1',
  password: 'canary right password 19d7',
  payer: 'Canary Payer e5b0',
  reason: 'Canary reason 62fa',
}

/** The forms in which a secret could lie about: as it is, percent-encoded, and as credentials of HTTP Basic. */
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
  for (const path of paths) await page.goto(path, { waitUntil: 'networkidle' })
}

test('the credential is in no page, no reply, no script and no log, and in no log what was typed (BF-08, SE-24)', async ({
  browser,
}) => {
  test.setTimeout(180_000)
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
  const keep = async (response: Response) => {
    found.push(...search(JSON.stringify(await response.allHeaders()), `headers of ${response.url()}`))
    const body = await response.text().catch(() => '')
    found.push(...search(body, response.url()))
  }
  page.on('response', (response) => void pending.push(keep(response)))
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url(), request.headers().referer ?? ''))

  await page.goto('/sign-in')
  await fillSignIn(page, { ...admin, password: typed.wrong })
  await expect(page.getByRole('alert').filter({ hasText: /\w/u })).toBeVisible()
  await signIn(page, admin)
  const session = (await context.cookies()).find(({ name }) => name.includes('session-token'))?.value ?? ''
  expect(session.length).toBeGreaterThan(20)
  await page.goto('/customers/new')
  await page.getByLabel('Name', { exact: true }).fill(typed.payer)
  await page.getByRole('button', { name: 'Create customer', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(typed.payer)
  await visit(page, [
    '/payments',
    '/customers',
    '/mandates',
    '/',
    '/webhooks',
    '/merchant',
    '/reference',
    '/nothing-here',
    '/payments/nothing-here',
  ])
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
  await Promise.all(pending)
  await context.close()
  await desk.command.stop()

  const unlogged = [...secretForms, ...Object.values(typed).flatMap(formsOf), session, session.slice(0, 40)]
  found.push(...search(desk.command.output(), 'the terminal', unlogged))
  const logs = await readFolder(`${folder}/logs`)
  expect(logs.map(([path]) => path.split('/').at(-1))).toEqual(expect.arrayContaining(['desk.log', 'service.log']))
  for (const [path, text] of logs) found.push(...search(text, path, unlogged))
  // The session's token travels in its cookie alone.
  for (const told of asked) found.push(...search(told, told, [session, encodeURIComponent(typed.password)]))
  for (const [path, text] of await readFolder(`${process.env.DIST_DIR ?? '.next'}/static`))
    found.push(...search(text, path))
  expect(found).toEqual([])
  await remove()
})
