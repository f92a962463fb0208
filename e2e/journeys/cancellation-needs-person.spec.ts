import { confirmCancellation, openCancelDialog } from '../support/cancellation'
import { findViolations } from '../support/accessibility'
import { expect } from '../support/journey'
import { testFakeUpstream } from '../support/own-desk'
import { signIn } from '../support/session'

const test = testFakeUpstream({ CANCEL_GRACE: '1 s' })

const payment = {
  id: '7b0c6f0e-6f5b-4f57-9a53-3f3b7f4f0001',
  handle: 'pay-0001',
  reference: 'INV-0001',
  amount: 12_500,
  currency: 'DKK',
  status: 'Pending',
  paymentDate: '2099-01-01T00:00:00Z',
  modifiedAt: '2026-11-01T09:00:00Z',
  customer: { id: '7b0c6f0e-6f5b-4f57-9a53-3f3b7f4f0002', name: 'Ann Example' },
}
const list = (...results: object[]) => ({ body: { results, hasMore: false, nextOffset: null } })

test('what the desk cannot settle is looked up again and marked as handled by a person, with the keyboard', {
  tag: '@long',
}, async ({ page, foreign }) => {
  test.setTimeout(150_000)
  foreign.answer(() => list(payment))
  await signIn(page, foreign.admin)
  await page.goto(`/payments?open=${payment.id}`)
  const panel = page.getByRole('dialog')
  await page.getByRole('row', { name: /INV-0001/u }).click()
  await expect(panel).toBeVisible()
  const dialog = await openCancelDialog(page)
  await confirmCancellation(dialog, 'Ordered twice')
  // From now on the service does not list the payment.
  await expect(page.locator('[data-outcome=unknown]').first()).toBeVisible()
  foreign.answer(() => list())
  await dialog.getByRole('button', { name: 'Close' }).click()
  const outcome = panel.locator('[data-outcome=needs-person]')
  await expect(outcome).toContainText('Needs a person', { timeout: 60_000 })

  // Other users see it too, in the list and on the overview.
  foreign.answer(() => list(payment))
  const later = await page.context().newPage()
  await later.goto(`${foreign.url}/payments`)
  await expect(later.locator(`[data-row-id="${payment.id}"] [data-outcome=needs-person]`)).toBeVisible()
  await expect(later.getByRole('button', { name: 'Cancel payment INV-0001' })).toHaveCount(0)
  await later.goto(`${foreign.url}/`)
  await expect(later.getByRole('region', { name: 'Open cancellations' })).toContainText('Needs a person')
  await later.close()

  foreign.answer(() => list({ ...payment, status: 'Cancelled' }))
  await panel.getByRole('button', { name: 'Check again' }).press('Enter')
  await expect(panel.getByText(/Checked by .*: the provider says Cancelled/u)).toBeVisible({ timeout: 20_000 })
  await expect(outcome).toContainText('Needs a person')

  await panel.getByRole('button', { name: 'Mark as handled…' }).press('Enter')
  await expect(panel.getByLabel('Note', { exact: true })).toBeFocused()
  await panel.getByRole('button', { name: 'Mark as handled', exact: true }).press('Enter')
  await expect(panel.getByText('Describe what you found and what you did.')).toBeVisible()
  await expect(panel.getByLabel('Note', { exact: true })).toBeFocused()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.type('Called the service: it is cancelled.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(panel.locator('[data-handled]')).toContainText(`by ${foreign.admin.email}`)
  await expect(panel.locator('[data-handled]')).toContainText('Called the service: it is cancelled.')
  await expect(panel.getByRole('button', { name: /Mark as handled/u })).toHaveCount(0)
  await expect(panel.getByRole('button', { name: 'Check again' })).toBeFocused()
  expect(await findViolations(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('handled.png') })

  // The payment's page shows the same.
  await page.goto(`/payments/${payment.id}`)
  await expect(page.locator('[data-handled]')).toContainText('Called the service: it is cancelled.')
  const story = page.getByRole('region', { name: 'Timeline' })
  await story.getByRole('button', { name: 'Show all activity' }).click()
  await expect(story).toContainText('Marked as handled')
  await page.goto('/')
  await expect(page.getByRole('region', { name: 'Open cancellations' })).toContainText('None.')
})
