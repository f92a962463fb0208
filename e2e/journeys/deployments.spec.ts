import { expect, test as base, type Page } from '@playwright/test'
import { startAspnetDeployment } from '@/lib/server/testing/deployments/aspnet-deployment'
import type { Deployment } from '@/lib/server/testing/deployments/deployment'
import { startEnterpriseDeployment } from '@/lib/server/testing/deployments/enterprise-deployment'
import { startFrontedDeployment } from '@/lib/server/testing/deployments/fronted-deployment'
import { startLegacyDeployment } from '@/lib/server/testing/deployments/legacy-deployment'
import { startMinimalDeployment } from '@/lib/server/testing/deployments/minimal-deployment'
import { chooseFilter, ListPage } from '../support/page-objects'
import { refuseStreams, signIn } from '../support/session'
import { startDeployedDesk } from '../support/deployment'
import { watchContext } from '../support/watch-page'

/* Every page of the desk at services that fill the gaps of the interface differently. */

type Known = {
  start: () => Promise<Deployment>
  /** Ids or handles of the service, as in the desk's addresses. */
  customer: string
  mandate: string
  agreement: string
  /** The service's texts that each page must contain, by path. */
  says: Record<string, RegExp>
  /** The state in which its payments can be cancelled. */
  pending: string
  rows: number
  /** The status of the list at its end. */
  ends: 'complete' | 'incomplete'
}

const deployments: Record<string, Known> = {
  minimal: {
    start: startMinimalDeployment,
    customer: 'c1',
    mandate: 'm1',
    agreement: 'a1',
    pending: 'pending',
    rows: 37,
    ends: 'complete',
    says: { '/merchant': /Minimal Ltd/u, '/webhooks': /shop\.example\/hook/u },
  },
  enterprise: {
    start: startEnterpriseDeployment,
    customer: 'p-1',
    mandate: 'm-1',
    agreement: 'a-1',
    pending: '0',
    rows: 120,
    ends: 'complete',
    says: { '/merchant': /Enterprise SA/u, '/customers/p-1': /riskClass/u, '/webhooks': /shop\.example\/h/u },
  },
  legacy: {
    start: startLegacyDeployment,
    customer: '1',
    mandate: '1',
    agreement: '7',
    pending: 'PENDING',
    rows: 240,
    ends: 'incomplete',
    says: { '/merchant': /OLD LTD/u, '/webhooks': /shop\.example\/hook/u, '/mandates/1': /PAYER 1/u },
  },
  aspnet: {
    start: startAspnetDeployment,
    customer: 'kunde-1',
    mandate: 'aftale-1',
    agreement: '5ca1ab1e-0000-4000-8000-000000000001',
    pending: 'Pending',
    rows: 230,
    ends: 'complete',
    says: { '/merchant': /Foreningen ApS/u, '/webhooks': /shop\.example\/hook/u, '/customers/kunde-1': /aftale-1/u },
  },
  fronted: {
    start: startFrontedDeployment,
    customer: '71',
    mandate: '1',
    agreement: 'none',
    pending: 'open',
    rows: 90,
    ends: 'complete',
    says: { '/customers/71': /see \/mandates/u, '/webhooks': /shop\.example\/hook/u },
  },
}

const nonsense = /\bundefined\b|\bNaN\b|Invalid Date|\[object Object\]/u
const shots = process.env.DEPLOYMENT_SHOTS

async function keepShot(page: Page, name: string): Promise<void> {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png` })
}

/** Expects a page with a heading and without unreadable values. */
async function expectPage(page: Page, path: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
  await expect(page.getByRole('main'), path).not.toContainText(nonsense)
}

/** Opens a page, repeatedly if the service asks to slow down. */
async function open(page: Page, path: string): Promise<void> {
  await expect(async () => {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    await expect(page.locator('[data-problem="slow-down"]')).toHaveCount(0, { timeout: 500 })
  }).toPass({ timeout: 30_000, intervals: [2_500] })
}

const test = base

for (const [name, known] of Object.entries(deployments)) {
  test(`every page at the ${name} deployment tells what it was told`, {
    tag: name === 'minimal' ? [] : '@long',
  }, async ({ browser }) => {
    test.setTimeout(240_000)
    const deployment = await known.start()
    const desk = await startDeployedDesk(deployment)
    const context = await browser.newContext({ baseURL: desk.url, viewport: { width: 1440, height: 900 } })
    const watch = watchContext(context, desk.url)
    watch.allowStatus(404, 409, 422, 429, 502)
    await refuseStreams(context)
    const page = await context.newPage()
    await signIn(page, desk.admin)

    // The list, its end, and a filter.
    const list = new ListPage(page, 'Payments')
    await list.ready()
    await list.loadAll(known.ends)
    await expect(list.walk).toContainText(String(known.rows))
    await expectPage(page, '/payments')
    await keepShot(page, `${name}-payments`)
    await chooseFilter(page, 'State', [known.pending])
    await expect(list.rows.first()).toBeVisible()
    await expect(page.getByText(/^within [\d,]+ loaded rows$/u)).toBeVisible()
    await keepShot(page, `${name}-filtered`)
    await page.getByRole('button', { name: 'Clear filters' }).click()

    // A payment's page, loaded directly, and its cancellation.
    const id = await list.idOf(list.rows.first())
    await open(page, `/payments/${encodeURIComponent(id)}`)
    await expect(page.getByRole('button', { name: 'Cancel payment', exact: true })).toBeVisible({ timeout: 30_000 })
    await expectPage(page, '/payments/…')
    await keepShot(page, `${name}-payment`)
    await page.getByRole('button', { name: 'Cancel payment', exact: true }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel('Reason').fill('Ordered twice')
    await keepShot(page, `${name}-dialog`)
    await dialog.getByRole('button', { name: 'Cancel payment', exact: true }).click()
    await expect(page.locator('[data-outcome="cancelled"]').first()).toBeVisible({ timeout: 45_000 })
    await keepShot(page, `${name}-cancelled`)

    for (const path of [
      '/',
      '/customers',
      `/customers/${known.customer}`,
      '/mandates',
      `/mandates/${known.mandate}`,
      '/agreements',
      `/agreements/${known.agreement}`,
      '/webhooks',
      '/merchant',
    ]) {
      await open(page, path)
      await expectPage(page, path)
      const words = known.says[path]
      if (words) await expect(page.getByRole('main'), path).toContainText(words)
      await keepShot(page, `${name}${path.replaceAll('/', '-')}`)
    }

    // Diagnostics report findings as they are made, and send no writes.
    const writes = () => deployment.service.requests.filter(({ method }) => method !== 'GET').length
    const before = writes()
    await page.goto('/merchant/doctor')
    await page.getByRole('button', { name: 'Run check', exact: true }).click()
    await expect(page.locator('[data-doctor]')).toHaveAttribute('data-doctor', /ok|warning/u, { timeout: 90_000 })
    await expect(page.getByRole('row').filter({ hasText: 'Payments: paging' })).toContainText(/rows/u)
    await keepShot(page, `${name}-doctor`)
    expect(writes()).toBe(before)

    expect(watch.faults).toEqual([])
    await context.close()
    await desk.close()
  })
}
