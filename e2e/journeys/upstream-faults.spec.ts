import type { Page } from '@playwright/test'
import type { ReadFault } from '../support/fault-proxy'
import { expect } from '../support/journey'
import { testBehindFaults } from '../support/own-desk'
import { ListPage } from '../support/page-objects'
import { signIn } from '../support/session'

/* The embedded service behind a proxy that breaks reads: pages keep their shell and the data they had. */
const test = testBehindFaults()

test.describe.configure({ mode: 'serial' })
test.beforeEach(({ watch }) => watch.allowStatus(429, 502, 504))
test.afterEach(({ pair }) => pair.proxy.spoilReads(null))

const faces: Record<ReadFault, string> = {
  error: 'broken',
  reset: 'unreachable',
  cut: 'broken',
  hang: 'unreachable',
  'slow-down': 'slow-down',
  redirect: 'broken',
}

const list = (page: Page) => new ListPage(page, 'Payments')
const face = (page: Page) => page.getByRole('main').locator('[data-problem]').first()

async function expectShell(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Customers' }).first()).toBeVisible()
  await expect(page).not.toHaveTitle(/taken over/u)
  await expect(page.getByRole('main')).not.toContainText(/Broken|cut-off|elsewhere/u)
}

for (const fault of ['error', 'reset', 'cut', 'slow-down', 'redirect', 'hang'] as const) {
  test(`a list whose second page comes to ${fault} keeps the first, and is never taken for whole`, {
    tag: fault === 'error' ? [] : '@long',
  }, async ({ page, pair }) => {
    pair.proxy.spoilReads(fault, (path) => path.includes('after='))
    await signIn(page, pair.admin)
    const { walk, rows } = list(page)
    await expect(face(page)).toHaveAttribute('data-problem', faces[fault], { timeout: 30_000 })
    await expect(walk).toHaveAttribute('data-walk', 'failed')
    await expect(walk).toContainText('100 loaded')
    await expect(rows.first()).toBeVisible()
    await expectShell(page)
    pair.proxy.spoilReads(null)
    if (fault !== 'slow-down') await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await expect(walk).toHaveText('All 200 loaded', { timeout: 30_000 })
  })
}

for (const fault of ['error', 'cut', 'slow-down', 'hang'] as const) {
  test(`pages of records that come to ${fault} say so in their place, and Retry reads them`, {
    tag: fault === 'error' ? [] : '@long',
  }, async ({ page, pair }) => {
    await signIn(page, pair.admin)
    await list(page).ready()
    // A page waits eight seconds for its record, so one page is enough.
    for (const path of fault === 'hang' ? ['/merchant'] : ['/merchant', '/webhooks', '/customers/nobody']) {
      pair.proxy.spoilReads(fault)
      await page.goto(path)
      await expect(face(page), path).toHaveAttribute('data-problem', faces[fault], { timeout: 30_000 })
      await expectShell(page)
      pair.proxy.spoilReads(null)
      const retry = page.getByRole('main').getByRole('button', { name: 'Retry', exact: true }).first()
      await expect(retry).not.toHaveAttribute('aria-disabled', 'true', { timeout: 15_000 })
      await retry.click()
      await expect(face(page), path).toHaveCount(0)
    }
  })
}

test('a service that is away leaves the desk usable, and is found again by itself once it is back', {
  tag: '@long',
}, async ({ page, pair }) => {
  await signIn(page, pair.admin)
  const { walk, rows } = list(page)
  await expect(walk).toHaveText('All 200 loaded')
  await pair.proxy.goAway()
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await expect(rows.first()).toBeVisible()
  // Often enough to open the circuit breaker: the desk answers at once, and its own pages work.
  for (let turn = 0; turn < 3; turn += 1) {
    await page.goto('/customers')
    await expect(face(page)).toHaveAttribute('data-problem', 'unreachable')
    await expectShell(page)
  }
  await page.goto('/reference')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await pair.proxy.comeBack()
  await page.goto('/customers')
  await expect(async () => {
    const retry = page.getByRole('button', { name: 'Retry', exact: true })
    if (await retry.isVisible()) await retry.click()
    await expect(new ListPage(page, 'Customers').rows.first()).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 20_000 })
})
