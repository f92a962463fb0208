import { readdir, readFile } from 'node:fs/promises'
import type { Page, Response } from '@playwright/test'
import { callApi } from '../harness/call-api'
import { confirmCancellation, openCancelDialog, outcomeOf } from '../harness/cancel-payment'
import { expect, test } from '../harness/journey'
import { ListPage } from '../harness/list-page'
import { makeFolder } from '../harness/make-folder'
import { takePendingPayment } from '../harness/read-payments'
import { signIn } from '../harness/sign-in'
import { signInOf, startDesk } from '../harness/start-desk'

const secrets = {
  SERVICE_TOKEN: 'canary-service-token-7f3a91c4',
  NEXTAUTH_SECRET: 'canary-nextauth-secret-51d0b2e8aa7714c6',
}

/** The forms in which a secret could lie about: as it is, percent-encoded, and as credentials of HTTP Basic. */
const needles = Object.values(secrets).flatMap((secret) => [
  secret,
  Buffer.from(secret).toString('base64').replace(/=+$/u, ''),
  Buffer.from(`${secret}:`).toString('base64').replace(/=+$/u, ''),
])

function search(text: string, where: string): string[] {
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

test('the credential is in no page, no reply, no script and no log', async ({ browser }) => {
  test.setTimeout(180_000)
  const { folder, remove } = await makeFolder()
  const desk = await startDesk(folder, { ...secrets, SEED_PAYMENTS: '150' })
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

  await page.goto('/sign-in')
  await signIn(page, signInOf(desk, 'admin'))
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
  await confirmCancellation(await openCancelDialog(page), 'For the log')
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

  found.push(...search(desk.command.output(), 'the terminal'))
  for (const [path, text] of await readFolder(`${folder}/logs`)) found.push(...search(text, path))
  for (const [path, text] of await readFolder(`${process.env.DIST_DIR ?? '.next'}/static`))
    found.push(...search(text, path))
  expect(found).toEqual([])
  await remove()
})
