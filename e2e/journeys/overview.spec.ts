import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'
import { makeFolder, signInOf, startDesk } from '../support/desk'
import { signIn } from '../support/session'
import { startDeskBehindFaults } from '../support/fault-proxy'

test('the overview counts all payments, per mode and currency, as bars and as a table', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/')
  await expect(page.locator('[data-connection="connected"]').filter({ visible: true })).toBeVisible()
  const figures = page.locator('[data-overview]')
  await expect(figures).toHaveAttribute('data-overview', 'whole', { timeout: 60_000 })
  await expect(figures).toContainText(/Counted from all [\d,]+ payments/u)
  const section = page.getByRole('region', { name: 'To come, per day' })
  await section.getByText('As a table').click()
  const rows = section.getByRole('row')
  expect(await rows.count()).toBeGreaterThan(2)
  const live = await section.getByRole('table').innerText()
  await page.getByLabel('Mode and currency').selectOption({ index: 1 })
  await expect(section.getByRole('table')).not.toHaveText(live)
})

test('what needs a look leads to those payments', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/')
  const figure = page.locator('[data-figure="Rejected"]')
  await expect(page.locator('[data-overview="whole"]')).toBeVisible({ timeout: 60_000 })
  await figure.getByRole('link').click()
  const list = new ListPage(page, 'Payments')
  await list.ready()
  const states = await list.rows.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-status')))
  expect(new Set(states)).toEqual(new Set(['Rejected']))
})

test('when reading fails the figures say that they are not all, and counting again mends it', { tag: '@long' }, async ({
  browser,
}) => {
  test.setTimeout(180_000)
  const pair = await startDeskBehindFaults()
  const page = await browser.newPage({ baseURL: pair.desk.url })
  await signIn(page, pair.admin, '/merchant')
  pair.proxy.refuseReads((path) => path.startsWith('/Payments') && path.includes('after='))
  await page.goto('/')
  await expect(page.locator('[data-overview="incomplete"]')).toContainText('not all: reading them failed', {
    timeout: 30_000,
  })
  await expect(page.locator('[data-figure="Rejected"]')).toBeVisible()
  pair.proxy.refuseReads(null)
  await page.waitForTimeout(5_100)
  await page.getByRole('button', { name: 'Count again' }).click()
  await expect(page.locator('[data-overview="whole"]')).toContainText('Counted from all 200 payments')
  await page.close()
  await pair.close()
})

test('a desk without webhooks is told what is still to be set up, until it stands', async ({ browser }) => {
  test.setTimeout(180_000)
  const { folder, remove } = await makeFolder()
  const desk = await startDesk(folder, { SEED_PAYMENTS: '50' })
  const page = await browser.newPage({ baseURL: desk.url })
  await signIn(page, signInOf(desk, 'admin'), '/')
  const steps = page.getByRole('region', { name: 'Setting up' })
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
