import { findFreePort } from '@/lib/database/testing/find-free-port'
import { findViolations } from '../support/accessibility'
import { expect } from '../support/journey'
import { testOwnDesk } from '../support/own-desk'
import { signIn } from '../support/session'

const test = testOwnDesk(async () => {
  const port = String(await findFreePort())
  return { SEED_PAYMENTS: '50', PORT: port, NEXTAUTH_URL: `http://localhost:${port}` }
})

test('a token is made by keyboard, shown once, used by a script, and revoked at once', async ({
  page,
  desk,
  watch,
  playwright,
}) => {
  watch.allowStatus(400)
  await signIn(page, desk.signIn('support'), '/account')
  const section = page.getByRole('region', { name: 'API tokens' })
  await section.getByRole('button', { name: 'Create token' }).press('Enter')
  const name = section.getByLabel('Name')
  await expect(name).toBeFocused()
  await expect(section.getByLabel('Role').getByRole('option')).toHaveText([
    'Support',
    'Support without bulk',
    'Viewer',
    'Auditor',
  ])
  await page.keyboard.type('nightly “export”')
  await page.keyboard.press('Enter')
  await expect(section.getByText('Name must begin with a letter or digit')).toBeVisible()
  await expect(name).toBeFocused()
  await expect(name).toHaveValue('nightly “export”')
  expect(await findViolations(page)).toEqual([])
  await name.fill('nightly export')
  await section.getByLabel('Role').selectOption('Support')
  await section.getByRole('button', { name: 'Create token' }).press('Enter')
  const notice = section.getByRole('region', { name: 'Token “nightly export” created' })
  await expect(notice).toBeFocused()
  const token = await notice.locator('[data-token-text]').innerText()
  expect(token).toMatch(/^dd_[0-9a-f]{12}_[\w-]{43}$/u)
  expect(await findViolations(page)).toEqual([])
  await notice.getByRole('button', { name: 'I’ve copied it' }).press('Enter')
  await expect(section.getByRole('heading', { name: 'API tokens' })).toBeFocused()
  const row = section.locator('[data-token="nightly export"]')
  await expect(row).toContainText('never used')
  await expect(row).toContainText(`${token.slice(0, 15)}…`)
  await page.reload()
  await expect(row).toBeVisible()
  expect(await page.content()).not.toContain(token)

  const script = await playwright.request.newContext({
    baseURL: desk.url,
    extraHTTPHeaders: { authorization: `Bearer ${token}` },
  })
  const listed = await script.get('/api/service/Payments?limit=5')
  expect(listed.status()).toBe(200)
  const { results }: { results: { id: string; status: string }[] } = await listed.json()
  const pending = results.find(({ status }) => status === 'Pending') ?? results[0]
  const cancelled = await script.delete(`/api/service/Payments/${pending?.id}`, { data: { text: 'Ordered twice' } })
  expect([202, 409]).toContain(cancelled.status())
  expect((await script.get('/api/desk/team')).status()).toBe(403)
  // A page knows no token.
  const opened = await script.get('/payments', { maxRedirects: 0 })
  expect([opened.status(), opened.headers().location]).toEqual([307, expect.stringContaining('/sign-in')])

  await page.goto('/activity')
  await expect(page.getByText('token “nightly export” of').first()).toBeVisible()
  await page.goto('/account')
  await expect(row).toContainText('last used')
  await row.getByRole('button', { name: 'Revoke nightly export' }).press('Enter')
  const dialog = page.getByRole('alertdialog', { name: 'Revoke “nightly export”?' })
  await expect(dialog.getByRole('button', { name: 'Keep token' })).toBeFocused()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Revoke token' }).press('Enter')
  await expect(row).toContainText('Revoked')
  await expect(section.getByRole('heading', { name: 'API tokens' })).toBeFocused()
  expect((await script.get('/api/service/Payments')).status()).toBe(401)
  await script.dispose()
})

test('an admin sees everybody’s tokens and revokes one, on a phone in Danish', { tag: '@long' }, async ({
  page,
  desk,
  browser,
}) => {
  const context = await browser.newContext({ baseURL: desk.url })
  const theirs = await context.newPage()
  await signIn(theirs, desk.signIn('viewer'), '/account')
  await theirs.getByRole('button', { name: 'Create token' }).click()
  await theirs.getByLabel('Name', { exact: true }).fill('report')
  await theirs.getByRole('button', { name: 'Create token' }).click()
  await expect(theirs.locator('[data-token-text]')).toBeVisible()
  await context.close()

  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, desk.signIn('admin'), '/team')
  const row = page.locator('[data-token="report"]')
  await expect(row).toContainText(desk.signIn('viewer').email)
  await page.evaluate(() => (document.cookie = 'debitdesk-language=da; path=/'))
  await page.reload()
  expect(await findViolations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await row.getByRole('button', { name: /^(?:Tilbagekald|Revoke) report/u }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^(?:Tilbagekald token|Revoke token)$/u })
    .click()
  await expect(row).toContainText(/Tilbagekaldt|Revoked/u)
})
