import { readFile } from 'node:fs/promises'
import { callApi, takePendingPayment } from '../support/api'
import { confirmCancellation, openCancelDialog, outcomeOf } from '../support/cancellation'
import { makeFolder, signInOf, startDesk } from '../support/desk'
import { startDeskBehindFaults } from '../support/fault-proxy'
import { expect, test } from '../support/journey'
import { ListPage, openSearch } from '../support/page-objects'
import { signIn, waitForScript } from '../support/session'

test('the overview counts all payments, per mode and currency, as bars and as a table', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/')
  await expect(page.locator('[data-connection="connected"]').filter({ visible: true })).toBeVisible()
  const figures = page.locator('[data-overview]')
  await expect(figures).toHaveAttribute('data-overview', 'whole', { timeout: 60_000 })
  await expect(figures).toContainText(/Based on all [\d,]+ payments/u)
  const section = page.getByRole('region', { name: 'Upcoming, per day' })
  await section.getByText('As a table').click()
  const rows = section.getByRole('row')
  expect(await rows.count()).toBeGreaterThan(2)
  const live = await section.getByRole('table').innerText()
  await page.getByLabel('Mode and currency').selectOption({ index: 1 })
  await expect(section.getByRole('table')).not.toHaveText(live)
})

test('every figure leads to exactly the payments that it counts', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/')
  const figures = page.locator('[data-overview="whole"]')
  const names = ['Rejected', 'Chargebacks', 'Upcoming', 'Next collection', 'Later', 'Settled this month']
  const list = new ListPage(page, 'Payments')
  let followed = 0
  for (const name of names) {
    const figure = page.locator(`[data-figure="${name}"]`)
    let attempts = 0
    await expect(async () => {
      attempts += 1
      if (attempts > 1) {
        // Other journeys cancel payments meanwhile, and a count is kept for a minute.
        await (await callApi(page.request, `${desk.url}/api/desk/overview?anew=1`)).text()
        await page.goto('/')
      }
      await expect(figures).toBeVisible({ timeout: 60_000 })
      // A figure that needs somebody begins with its count; others say it after their sum.
      const text = await figure.innerText()
      const count = (/([\d,]+) payments?/u.exec(text) ?? /^\D*([\d,]+)/u.exec(text))?.[1] ?? '0'
      if (count === '0') return
      await figure.getByRole('link').click()
      await list.ready()
      await list.loadAll()
      await expect(list.walk).toHaveText(new RegExp(`^(?:All ${count} loaded|${count} of all [\\d,]+ match)$`, 'u'), {
        timeout: 1_000,
      })
      await page.goBack()
      followed += 1
    }, name).toPass({ timeout: 120_000 })
  }
  expect(followed).toBeGreaterThan(3)
  const bars = page.getByRole('region', { name: 'Upcoming, per day' }).getByRole('list').getByRole('link')
  const label = (await bars.first().getAttribute('aria-label')) ?? ''
  await bars.first().focus()
  await expect(page.getByText(label, { exact: true }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await new ListPage(page, 'Payments').ready()
  await expect(page).toHaveURL(/payment=\d{4}-\d{2}-\d{2}&/u)
})

test('what closes today is counted in the navigation, and listed', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/')
  await expect(page.locator('[data-overview="whole"]')).toBeVisible({ timeout: 60_000 })
  const reply = await page.request.get(`${desk.url}/api/desk/overview/closing`)
  const { count }: { count: number | null } = await reply.json()
  const link = page
    .getByRole('navigation')
    .getByRole('link', { name: /^Next cut-off/u })
    .first()
  // `nav-badges.test.tsx` shows it with fixed counts.
  if (count) await expect(link).toContainText(String(count))
  else await expect(link).toHaveText('Next cut-off')
  await link.click()
  await expect(page.getByRole('heading', { name: /^Closing .+ \(estimate\)$/u })).toBeVisible()
  if (count) await expect(page.locator('[data-walk]')).toContainText(String(count))
  else await expect(page.locator('main')).toContainText(/Nothing more closes today\.|No payments closing/u)
})

test('when reading fails the figures say that they are not all, and counting again mends it', { tag: '@long' }, async ({
  browser,
}) => {
  const pair = await startDeskBehindFaults()
  const page = await browser.newPage({ baseURL: pair.desk.url })
  await signIn(page, pair.admin, '/merchant')
  pair.proxy.refuseReads((path) => path.startsWith('/Payments') && path.includes('after='))
  await page.goto('/')
  await expect(page.locator('[data-overview="incomplete"]')).toContainText('not all: loading them failed', {
    timeout: 30_000,
  })
  await expect(page.locator('[data-figure="Rejected"]')).toBeVisible()
  pair.proxy.refuseReads(null)
  await page.waitForTimeout(5_100)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.locator('[data-overview="whole"]')).toContainText('Based on all 200 payments')
  await page.close()
  await pair.close()
})

test('a desk without webhooks is told what is still to be set up, until it stands', { tag: '@long' }, async ({
  browser,
}) => {
  const { folder, remove } = await makeFolder()
  const desk = await startDesk(folder, { SEED_PAYMENTS: '50' })
  const page = await browser.newPage({ baseURL: desk.url })
  await signIn(page, signInOf(desk, 'admin'), '/')
  const steps = page.getByRole('region', { name: 'Setup' })
  await expect(steps.locator('[data-step="missing"]')).toContainText('Webhook')
  await steps.getByRole('link', { name: 'Webhook' }).click()
  await page.getByRole('button', { name: 'Subscribe the inbox' }).click()
  await expect(page.locator('[data-webhook]')).toHaveCount(1)
  await page.goto('/')
  await expect(page.locator('[data-connection="connected"]').filter({ visible: true })).toBeVisible()
  await expect(page.locator('[data-overview="whole"]')).toBeVisible()
  await expect(steps).toHaveCount(0)
  await page.close()
  await desk.command.stop()
  await remove()
})

test('the reference shows all 18 endpoints and hands out the OpenAPI document', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/reference')
  await expect(page.getByRole('article')).toHaveCount(18)
  await expect(page.locator('#cancelPayment')).toContainText('/Payments/{paymentId}')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'OpenAPI document' }).click()
  const document: unknown = JSON.parse(await readFile(await (await download).path(), 'utf8'))
  expect(document).toMatchObject({ openapi: '3.1.0', paths: { '/Payments/{paymentId}': { delete: {} } } })
})

test('the search leads to pages, actions and records, by keyboard alone', async ({ page, desk, context }) => {
  await signIn(page, desk.signIn('admin'), '/merchant')
  await expect(page.getByRole('button', { name: 'Find' })).toBeVisible()
  const field = await openSearch(page)
  await field.fill('mandat')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${desk.url}/mandates`)

  const reply = await callApi(context.request, `${desk.url}/api/service/Customers?limit=1`)
  const { results }: { results: { id: string; name: string; handle: string }[] } = await reply.json()
  const customer = results[0]
  await openSearch(page, 'Meta+K')
  await field.fill(customer?.handle ?? '?')
  await expect(page.getByRole('option', { name: customer?.name ?? '?' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${desk.url}/customers/${customer?.id}`)

  await openSearch(page)
  await field.fill('new cust')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${desk.url}/customers/new`)
  await openSearch(page)
  await page.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
})

test('a viewer is offered no actions, and words lead to the lists', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/merchant')
  const field = page.getByRole('combobox', { name: 'Find pages, actions and records' })
  await waitForScript(page)
  await page.getByRole('button', { name: 'Find' }).click()
  await field.fill('new')
  await expect(page.getByRole('option', { name: 'New customer' })).toHaveCount(0)
  await field.fill('zz nobody')
  await page.getByRole('option', { name: 'Search payments for' }).click()
  await expect(page).toHaveURL(`${desk.url}/payments?search=zz%20nobody`)
})

test('a newcomer finds a payment by its customer, cancels it, sees it confirmed and is back at the same list', async ({
  page,
  desk,
  context,
}) => {
  await signIn(page, desk.signIn('support'), '/')
  const payment = await takePendingPayment(context.request, desk.url)
  await page.getByRole('link', { name: 'Payments', exact: true }).first().click()
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await page.getByLabel('Search', { exact: true }).fill(payment.customer.name)
  await expect(page).toHaveURL(/\?/u)
  await expect(list.rows.filter({ hasNotText: payment.customer.name })).toHaveCount(0)
  await expect(list.walk).toHaveAttribute('data-walk', 'complete')
  const row = list.row(payment.id)
  await expect(row).toBeInViewport()
  const filtered = page.url()
  const place = await list.scroller.evaluate((element) => element.scrollTop)

  await row.click()
  await expect(page).not.toHaveURL(filtered)
  await confirmCancellation(await openCancelDialog(page), 'The customer paid another way')
  await expect(row.locator('[data-outcome]')).toHaveAttribute('data-outcome', 'cancelled', { timeout: 45_000 })
  await expect(outcomeOf(page)).toContainText('Cancelled')

  await page.goBack()
  await expect(page).toHaveURL(filtered)
  await expect(row).toBeInViewport()
  expect(await list.scroller.evaluate((element) => element.scrollTop)).toBe(place)
})
