import { findFreePort } from '@/lib/database/testing/find-free-port'
import { readPayments } from '../support/api'
import { chooseFilter } from '../support/page-objects'
import { expect } from '../support/journey'
import { testOwnDesk } from '../support/own-desk'
import { signInByForm, signOut } from '../support/session'

const test = testOwnDesk(async () => ({ SEED_PAYMENTS: '60', SERVICE_PORT: String(await findFreePort()) }))
test.describe.configure({ timeout: 240_000 })

const switcher = 'header [data-merchant]'

test('an admin connects a merchant, works for both in two tabs, and neither shows the other’s', async ({
  page,
  context,
  desk,
  own,
  watch,
}) => {
  // 401 and 409: the other tab asks for changes once the session has ended, and once it is somebody else's.
  watch.allowStatus(400, 401, 403, 404, 409, 422)
  const admin = desk.signIn('admin')
  await signInByForm(page, admin, '/payments')
  // With one merchant there is no switcher.
  await expect(page.locator(switcher)).toHaveCount(0)
  expect(new URL(page.url()).search).toBe('')
  const first = await page.locator('[data-row-id]').first().getAttribute('data-row-id')
  const payments = await readPayments(context.request, desk.url, {})
  const reference = payments.find(({ id }) => id === first)?.reference ?? ''
  expect(reference).toMatch(/^INV-/u)

  // With an ISV credential the embedded service creates a second merchant and its token.
  await page.goto('/merchant?new=1')
  await page.getByLabel('Name', { exact: true }).fill('Second shop')
  await page.getByRole('button', { name: 'Create merchant' }).click()
  await page.getByRole('button', { name: 'Show token' }).click()
  const token = (await page.locator('output code').textContent()) ?? ''
  await page.getByRole('link', { name: 'All merchants' }).click()
  await page
    .getByRole('alertdialog', { name: 'Leave without copying the token?' })
    .getByRole('button', { name: 'Stay' })
    .click()
  await page.getByRole('button', { name: 'I’ve copied it' }).click()
  await expect(page.locator('output code')).toHaveCount(0)

  await page.goto('/merchants')
  await page.getByRole('link', { name: 'Connect merchant' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Second shop')
  await page.getByLabel('Payments', { exact: true }).selectOption('test')
  await page.getByLabel('Provider address').fill('http://169.254.169.254')
  await page.getByLabel('Token', { exact: true }).fill('wrong-token')
  await page.getByRole('button', { name: 'Connect merchant' }).click()
  await expect(page.getByText(/must be publicly reachable/u)).toBeVisible()
  await page.getByLabel('Provider address').fill(`http://127.0.0.1:${own.settings.SERVICE_PORT}`)
  await page.getByRole('button', { name: 'Connect merchant' }).click()
  await expect(page.getByText('The provider refused this token.')).toBeVisible()
  await expect(page.getByLabel('Token', { exact: true })).toBeFocused()
  await expect(page.getByRole('alert').filter({ hasText: 'Nothing was saved' })).toContainText('doesn’t work')
  await page.getByLabel('Token', { exact: true }).fill(token)
  await page.getByRole('button', { name: 'Connect merchant' }).click()
  await expect(page).toHaveURL(/\/\?merchant=m-/u)
  const second = new URL(page.url()).searchParams.get('merchant') ?? ''
  await expect(page.locator(switcher)).toContainText('Second shop')
  await expect(page.locator(switcher)).toContainText('Test')

  // The second merchant has no payments; the other tab stays at the first.
  await page.getByRole('link', { name: 'Payments', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/payments\\?merchant=${second}`, 'u'))
  await expect(page.locator('[data-walk]')).toHaveAttribute('data-walk', 'complete')
  await expect(page.locator('[data-row-id]')).toHaveCount(0)

  const other = await context.newPage()
  await other.goto(`${desk.url}/payments?merchant=default`)
  await expect(other.locator(`[data-row-id="${first}"]`)).toBeVisible()
  await expect(other.locator(switcher)).toHaveAttribute('data-merchant', 'default')
  await other.getByRole('link', { name: 'Customers', exact: true }).click()
  await expect(other).toHaveURL(/\/customers\?merchant=default/u)
  await expect(other.locator('[data-row-id]').first()).toBeVisible()

  // Each tab keeps its merchant, whichever was used last; filters keep it too.
  await page.getByRole('link', { name: 'Customers', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/customers\\?merchant=${second}`, 'u'))
  await expect(page.locator('[data-row-id]')).toHaveCount(0)
  await other.getByRole('link', { name: 'Payments', exact: true }).click()
  await chooseFilter(other, 'State', ['Pending'])
  await expect(other).toHaveURL(/merchant=default/u)
  await expect(other).toHaveURL(/state=Pending/u)
  await other.reload()
  await expect(other.locator(switcher)).toHaveAttribute('data-merchant', 'default')
  await expect(other.locator('[data-row-id]').first()).toBeVisible()

  // Switches by keyboard; a page without a merchant in its address uses the last one.
  await page.locator(switcher).focus()
  await page.keyboard.press('Enter')
  await page
    .getByRole('navigation', { name: 'Merchants' })
    .getByRole('link', { name: 'Nordkyst Forsyning A/S' })
    .click()
  await expect(page).toHaveURL(/\/\?merchant=default/u)
  await expect(page.locator(switcher)).toContainText('Nordkyst Forsyning A/S')
  await page.goto('/payments')
  await expect(page).toHaveURL(/\/payments\?merchant=default/u)

  // A payment of the first does not exist for the second, nor does an unknown merchant.
  expect((await page.goto('/payments?merchant=m-nobody'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1, name: 'You can’t work for this merchant' })).toBeVisible()
  // The shell leads back to the user's own merchant.
  await expect(page.locator(switcher)).toHaveAttribute('data-merchant', 'default')
  await expect(page.getByRole('link', { name: 'Team', exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Payments', exact: true }).click()
  await expect(page).toHaveURL(/\/payments\?merchant=default/u)
  await expect(page.locator(`[data-row-id="${first}"]`)).toBeVisible()
  await page.goto(`/payments/${first}?merchant=default`)
  await expect(page.locator('main')).toContainText(reference)
  await expect(page.locator('main [data-field]').first()).toBeVisible()
  await page.goto(`/payments/${first}?merchant=${second}`)
  await expect(page.locator('main')).toContainText('No such payment')
  await expect(page.locator('main [data-field]')).toHaveCount(0)
  await expect(page.locator('main')).not.toContainText(reference)

  // Another user sees nothing of the second merchant.
  await page.goto('/payments')
  await expect(page.locator('[data-walk]')).toHaveAttribute('data-walk', 'complete')
  await signOut(page)
  await expect(page).toHaveURL(/\/sign-in$/u)
  await signInByForm(page, desk.signIn('support'), '/payments')
  await expect(page.locator(switcher)).toHaveCount(0)
  expect((await page.goto(`/payments?merchant=${second}`))?.status()).toBe(404)
  await expect(page.getByText(desk.signIn('support').email)).toBeVisible()
  await expect(page.getByText('Second shop')).toHaveCount(0)
  await page.goto('/payments')
  await expect(page.locator('[data-walk]')).toHaveAttribute('data-walk', 'complete')
  await signOut(page)
  await expect(page).toHaveURL(/\/sign-in$/u)

  // A stored connection can be tested and removed.
  await signInByForm(page, admin, '/merchants')
  await page.goto(`/merchants?merchant=${second}`)
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await expect(page.getByLabel('Token', { exact: true })).toHaveValue('')
  await page.getByRole('button', { name: 'Test saved connection' }).click()
  await expect(page.locator('[data-result="ok"]').first()).toBeVisible()
  await page.getByRole('button', { name: 'Disconnect merchant' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Name').fill('Second shop')
  await dialog.getByRole('button', { name: 'Disconnect merchant' }).click()
  await expect(page.locator(switcher)).toHaveCount(0)
  await expect(page.getByText('Second shop was disconnected')).toBeVisible()
  await page.goto('/merchants')
  await expect(page.getByText('Second shop')).toHaveCount(0)
})
