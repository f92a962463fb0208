import { expect, test } from '../support/journey'
import { openWithoutScripts, signIn, waitForScript } from '../support/session'

test('a popover opens before the page’s script runs, and stays open', async ({ page, desk }) => {
  await page.setViewportSize({ width: 1024, height: 720 })
  await signIn(page, desk.signIn('viewer'), '/merchant')
  const release = await openWithoutScripts(page, '/payments')
  await page.getByRole('button', { name: /^Account/u }).click()
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
  release()
  await waitForScript(page)
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
})

test('a link leads on before the page’s script runs', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/merchant')
  const release = await openWithoutScripts(page, '/payments')
  await page.getByRole('link', { name: 'Customers' }).click()
  await expect(page).toHaveURL(/\/customers$/u)
  release()
  await expect(page.getByRole('heading', { name: 'Customers', level: 1 })).toBeVisible()
})

test('what only the page’s script can do is held until it runs', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/merchant')
  const release = await openWithoutScripts(page, '/activity')
  const held = [
    page.getByLabel('Action', { exact: true }),
    page.getByLabel('Person'),
    page.getByRole('radio', { name: 'Dark' }),
  ]
  for (const field of held) await expect(field).toBeDisabled()
  release()
  for (const field of held) await expect(field).toBeEnabled()
})

test('a box that is ticked before the page’s script runs, or by the browser on Back, selects nothing and says so', async ({
  page,
  desk,
}) => {
  await signIn(page, desk.signIn('support'), '/merchant')
  const ticks = page.locator('[data-row-id] input[type=checkbox]')
  const release = await openWithoutScripts(page, '/payments')
  await ticks.nth(1).click()
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  release()
  await waitForScript(page)
  await expect(page.locator('[role=grid] input:checked')).toHaveCount(0)
  await ticks.nth(2).click()
  await ticks.nth(4).click()
  await expect(page.getByText(/^2 payments selected/u)).toBeVisible()
  await page.goto('/reference')
  await page.goBack()
  await waitForScript(page)
  await expect(ticks.first()).toBeVisible()
  await expect(page.getByText(/payments? selected/u)).toHaveCount(0)
  await expect(page.locator('[role=grid] input:checked')).toHaveCount(0)
})
