import { expect, type Page, test as base } from '@playwright/test'
import { type OpenIdProvider, startOpenIdProvider } from '@/lib/server/testing/openid-provider'
import { endSession, signOut } from '../support/session'
import { findFreePort } from '@/lib/database/testing/find-free-port'
import { type Desk, makeFolder, startDesk } from '../support/desk'

const test = base.extend<{ own: { desk: Desk; provider: OpenIdProvider } }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
  own: async ({}, provide) => {
    const { folder, remove } = await makeFolder()
    const port = String(await findFreePort())
    const provider = await startOpenIdProvider({ desk: `http://127.0.0.1:${port}` })
    const desk = await startDesk(folder, {
      PORT: port,
      SEED_PAYMENTS: '60',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
    })
    await provide({ desk, provider })
    await desk.command.stop()
    await provider.close()
    await remove()
  },
  baseURL: async ({ own }, provide) => provide(own.desk.url),
})

async function continueAs(page: Page, account: string): Promise<void> {
  await page.getByLabel('Account').fill(account)
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('signing in and out through a provider, by keyboard, without a violation of the policy', { tag: '@long' }, async ({
  page,
  own,
}) => {
  const { desk, provider } = own
  const violations: string[] = []
  page.on('console', (message) => {
    if (/content security policy/iu.test(message.text())) violations.push(message.text())
  })
  provider.people.set('ann', { email: 'ann@shop.example', email_verified: true, roles: ['support'] })
  provider.people.set('cook', { email: 'cook@shop.example', email_verified: true, roles: ['cook'] })
  const button = page.getByRole('button', { name: `Sign in with ${new URL(provider.issuer).host}` })

  await page.goto('/payments?state=Pending')
  // Both ways are offered, because the demo users have passwords.
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
  // Presses again if the page was not hydrated yet.
  await expect(async () => {
    if (await button.isVisible()) await button.press('Enter', { timeout: 2_000 })
    await expect(page.getByRole('heading', { name: 'Provider' })).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 30_000 })
  await continueAs(page, 'ann')
  await expect(page).toHaveURL(`${desk.url}/payments?state=Pending`)
  await expect(page.locator('[data-row-id]').first()).toBeVisible()
  await expect(page.getByText('ann@shop.example')).toBeVisible()
  await expect(page.getByText('Support', { exact: true })).toBeVisible()
  // No token of the provider is readable by a script or a person.
  const tokens = provider.given.flatMap(({ access_token: access, id_token: id }) => [String(access), String(id)])
  const html = await page.content()
  const stored = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]),
  )
  expect(tokens.filter((token) => html.includes(token) || stored.includes(token))).toEqual([])

  const answer = page.waitForResponse((reply) => reply.url().endsWith('/api/auth/signout'))
  await signOut(page)
  expect((await (await answer).allHeaders())['clear-site-data']).toBe('"cache", "storage"')
  await expect(page).toHaveURL(new RegExp(`^${provider.issuer}/session/end`, 'u'))
  expect(tokens.filter((token) => page.url().includes(token))).toEqual([])
  await page.getByRole('button', { name: /yes/iu }).click()
  await expect(page).toHaveURL(/\/sign-in/u)
  await page.goto('/payments')
  await expect(page).toHaveURL(/\/sign-in\?/u)

  await button.click()
  await expect(page.getByRole('heading', { name: 'Provider' })).toBeVisible()
  await continueAs(page, 'cook')
  await expect(page).toHaveURL(`${desk.url}/sign-in?error=NoRole&callbackUrl=%2Fpayments`)
  await expect(page.getByRole('alert').filter({ hasText: 'gives you no role' })).toBeVisible()
  expect(violations).toEqual([])
})

/** Authenticates again at the provider in another tab, by the link in the question. */
async function proveInAnotherTab(page: Page, account: string): Promise<void> {
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Sign in using another tab' }).click(),
  ])
  await tab.getByRole('button', { name: /^Sign in with/u }).click()
  await continueAs(tab, account)
  await expect(tab.getByRole('heading', { name: 'You’re signed in' })).toBeVisible()
  await tab.close()
}

/** The event when a tab becomes visible again. */
const comeBack = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

test('what was proven in another tab counts in this one, where everything has stayed', { tag: '@long' }, async ({
  page,
  own,
  playwright,
}) => {
  const { desk, provider } = own
  provider.people.set('boss', { email: 'boss@shop.example', email_verified: true, roles: ['admin'] })
  // An earlier authentication that the provider remembers is no recent proof for the desk.
  provider.tamper = (body) => {
    const [, payload = ''] = String(body.id_token).split('.')
    const claims: object = JSON.parse(Buffer.from(payload, 'base64url').toString())
    body.id_token = provider.sign({ ...claims, auth_time: Math.floor(Date.now() / 1_000) - 3_600 })
  }
  await page.goto('/team')
  await page.getByRole('button', { name: /^Sign in with/u }).click()
  await continueAs(page, 'boss')
  await expect(page).toHaveURL(`${desk.url}/team`)
  provider.tamper = null

  await page.getByLabel('Email', { exact: true }).fill('new.colleague@shop.example')
  await page.getByRole('button', { name: 'Create invitation' }).click()
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await question.getByRole('button', { name: 'Continue' }).click()
  await expect(question.getByRole('alert')).toHaveText('You haven’t signed in again there yet.')
  await proveInAnotherTab(page, 'boss')
  await comeBack(page)
  await expect(question).toBeHidden()
  await expect(page.locator('[data-link]')).toContainText('/set-password#')

  const typed = page.getByLabel('Email', { exact: true })
  await typed.fill('another.colleague@shop.example')
  await endSession(page, playwright)
  await page.getByRole('button', { name: 'Create invitation' }).click()
  const again = page.getByRole('dialog', { name: 'Sign in again to continue' })
  await again.getByRole('button', { name: 'Continue' }).click()
  await expect(again.getByRole('alert')).toHaveText('You aren’t signed in yet.')
  await proveInAnotherTab(page, 'boss')
  await comeBack(page)
  await expect(again).toBeHidden()
  await expect(typed).toHaveValue('another.colleague@shop.example')
  await expect(page.locator('[data-member="another.colleague@shop.example"]')).toHaveCount(0)
  await page.getByRole('button', { name: 'Create invitation' }).click()
  await expect(page.locator('[data-member="another.colleague@shop.example"]')).toBeVisible()
})
