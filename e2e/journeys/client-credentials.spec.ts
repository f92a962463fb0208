import { expect, test as base } from '@playwright/test'
import { startEnterpriseDeployment } from '@/lib/server/testing/deployments/enterprise-deployment'
import { signIn } from '../support/session'
import { type DeployedDesk, startDeployedDesk } from '../support/deployment'

/* A deployment with OAuth 2.0 client credentials whose token server refuses or revokes them. */
const test = base.extend<{
  own: { desk: DeployedDesk; tokens: Awaited<ReturnType<typeof startEnterpriseDeployment>>['tokens'] }
}>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
  own: async ({}, provide) => {
    const deployment = await startEnterpriseDeployment()
    const desk = await startDeployedDesk(deployment)
    await provide({ desk, tokens: deployment.tokens })
    await desk.close()
    await deployment.tokens.close()
  },
  baseURL: async ({ own }, provide) => provide(own.desk.url),
})

test('tokens taken back are fetched anew unseen; a refused client is told, and what was loaded stays', {
  tag: '@long',
}, async ({ page, own }) => {
  const { desk, tokens } = own
  const rows = page.locator('[data-row-id]')
  const refresh = page.getByRole('button', { name: 'Refresh' })
  await signIn(page, desk.admin)
  await expect(page.locator('[data-walk]')).toHaveText('All 120 loaded')
  tokens.revoke()
  const read = page.waitForResponse((reply) => reply.url().includes('/api/service/Payments'))
  await refresh.click()
  expect((await read).status()).toBe(200)

  tokens.revoke()
  tokens.answer = { status: 401, body: '{"error":"invalid_client"}' }
  await refresh.click()
  await expect(page.getByRole('main')).toContainText('Not refreshed: The provider doesn’t accept Debitdesk')
  await expect(rows.first()).toBeVisible()
  await page.goto('/customers')
  await expect(page.locator('[data-problem]')).toContainText('doesn’t accept Debitdesk')
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('doesn’t accept Debitdesk')

  tokens.answer = undefined
  await expect(async () => {
    await page.goto('/payments')
    await expect(rows.first()).toBeVisible({ timeout: 2_000 })
  }).toPass()
})
