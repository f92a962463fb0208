import { confirmCancellation, openCancelDialog, outcomeOf } from '../support/cancellation'
import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'
import { takePendingPayment } from '../support/api'
import { signIn } from '../support/session'

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
