import { openCancelDialog } from '../support/cancellation'
import { expect } from '../support/journey'
import { testOwnDesk } from '../support/own-desk'
import { ListPage } from '../support/page-objects'
import { signIn } from '../support/session'

/** An unused desk, which has not probed its service yet. */
const test = testOwnDesk(async () => ({ SEED_PAYMENTS: '150' }))

test('the proofs of a list arrive: what was ticked stays ticked, and an open dialog keeps its text', {
  tag: '@long',
}, async ({ page, desk }) => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/desk/capabilities?*', async (route) => {
    await released
    await route.continue()
  })
  await signIn(page, desk.signIn('support'), '/payments?state=Pending')
  const list = new ListPage(page, 'Payments')
  await expect(page.getByRole('main')).toContainText(/within \d+ loaded rows/u)
  const ticked = list.row(await list.idOf(list.rowsOf('Pending').nth(2)))
  await list.ready()
  await ticked.getByRole('checkbox').click()
  const selection = page.getByLabel('Selection', { exact: true })
  await expect(selection).toContainText('1 payment selected')
  await list.rowsOf('Pending').first().click()
  const dialog = await openCancelDialog(page)
  await dialog.getByLabel('Reason').fill('Half a sentence')
  release()
  await expect(page.getByText(/within \d+ loaded rows/u)).toBeHidden()
  await expect(dialog.getByLabel('Reason')).toHaveValue('Half a sentence')
  await dialog.getByRole('button', { name: 'Keep payment', exact: true }).click()
  await expect(ticked.locator('input')).toBeChecked()
  await expect(selection).toContainText('1 payment selected')
  // A range still begins at the row that was selected before.
  await list
    .rowsOf('Pending')
    .nth(5)
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] })
  await expect(selection).toContainText('4 payments selected')
})
