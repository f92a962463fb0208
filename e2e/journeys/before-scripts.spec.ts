import { expect, test } from '../harness/journey'
import { ListPage } from '../harness/list-page'
import { openPage, waitForScript } from '../harness/open-page'
import { openWithoutScripts } from '../harness/open-without-scripts'
import { signIn } from '../harness/sign-in'

test('links, popovers and what reads a list anew work before the page’s script runs', async ({ page, desk }) => {
  await page.setViewportSize({ width: 1024, height: 720 })
  await signIn(page, desk.signIn('viewer'), '/merchant')
  let release = await openWithoutScripts(page, '/payments?state=Pending')
  await page.getByRole('button', { name: /^Account/u }).click()
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
  release()
  await waitForScript(page)
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
  await page.unrouteAll()

  release = await openWithoutScripts(page, '/payments?state=Pending')
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await expect(page).toHaveURL(/\/payments\??$/u)
  await page.getByRole('link', { name: 'Customers', exact: true }).click()
  await expect(page).toHaveURL(/\/customers$/u)
  await expect(page.getByRole('heading', { name: 'Customers', level: 1 })).toBeVisible()
  release()
  await new ListPage(page, 'Customers').ready()
})

test('ticks that the browser fills in again on Back are nobody’s: nothing is selected', async ({ page, desk }) => {
  await signIn(page, desk.signIn('support'), '/payments')
  await page.locator('[data-scroller]').evaluate((scroller) => scroller.scrollTo({ top: 700 }))
  const ticks = page.locator('[data-row-id] input[type=checkbox]')
  await ticks.nth(5).click()
  await ticks.nth(7).click()
  await expect(page.getByText(/^2 payments selected/u)).toBeVisible()
  await openPage(page, '/reference')
  await page.goBack()
  await waitForScript(page)
  await expect(ticks.first()).toBeVisible()
  await expect(page.getByText(/payments? selected/u)).toHaveCount(0)
  await expect(page.locator('[data-row-id] input:checked')).toHaveCount(0)
})
