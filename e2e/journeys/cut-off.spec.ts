import { findViolations } from '../support/accessibility'
import { openCancelDialog } from '../support/cancellation'
import { openSignedIn } from '../support/session'
import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'

const estimate = /[ck]ancellable until \w{3} \d{1,2} \w{3,4}, 16:00 Copenhagen \(estimate\)/iu

test('Until when a payment can be cancelled stands by its button, on its page and in the dialog, as an estimate', async ({
  page,
  desk,
}) => {
  await openSignedIn(page, desk, { role: 'support', path: '/payments?state=Pending&sort=-scheduleDate' })
  const list = new ListPage(page, 'Payments')
  await list.ready()
  const row = list.rowsOf('Pending').first()
  const id = await list.idOf(row)
  await row.click()
  const panel = page.getByRole('dialog')
  await expect(panel.locator('[data-cut-off]')).toHaveText(estimate)
  const dialog = await openCancelDialog(page)
  await expect(dialog.locator('[data-cut-off]')).toHaveText(estimate)
  await dialog.getByRole('button', { name: 'Keep payment' }).click()
  await page.goto(`/payments/${id}`)
  await expect(page.locator('[data-cut-off]')).toHaveText(estimate)
})

test('A payment that cannot be cancelled says why by the button, and has no cut-off', async ({ page, desk }) => {
  await openSignedIn(page, desk, { role: 'support', path: '/payments?state=Scheduled' })
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await list.rowsOf('Scheduled').first().click()
  const button = page.getByRole('button', { name: 'Cancel payment', exact: true })
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expect(button).toHaveAccessibleDescription('A payment in the state Scheduled cannot be cancelled.')
  await expect(page.locator('[data-cut-off]')).toHaveCount(0)
})

test('What closes today is a view of its own, which says when nothing can', async ({ page, desk }) => {
  await openSignedIn(page, desk, { role: 'viewer' })
  await new ListPage(page, 'Payments').ready()
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByRole('link', { name: 'Closing today' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Closing today (estimate)' })).toBeVisible()
  // On a day without banking it says so, and shows what closes next.
  await expect(page.locator('[data-walk="complete"]')).toBeVisible({ timeout: 30_000 })
  const notToday = page.getByText('Nothing closes today')
  expect((await notToday.allTextContents()).filter((words) => !words.includes('The next is on'))).toEqual([])
  for (const row of await page.getByRole('grid').locator('[data-row-id]').all())
    await expect(row).toHaveAttribute('data-status', 'Pending')
  expect(await findViolations(page)).toEqual([])
})
