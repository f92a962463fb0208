import { findViolations } from '../harness/find-violations'
import { expect, test } from '../harness/journey'
import { ListPage } from '../harness/list-page'
import { signIn } from '../harness/sign-in'

test('A view is saved under a name, opened by a colleague, made the default, renamed and deleted', async ({
  page,
  desk,
  browser,
  watch,
}) => {
  watch.allowStatus(409)
  await signIn(page, desk.signIn('support'), '/payments?state=Settled&sort=-amount')
  await new ListPage(page, 'Payments').ready()
  const tool = page.getByRole('button', { name: 'Views', exact: true })
  await tool.click()
  const dialog = page.getByRole('dialog', { name: 'Views of payments' })
  const name = dialog.getByLabel('Save what is shown now as')
  await name.fill('Largest settled')
  await dialog.getByLabel('For everybody at this merchant').check()
  await name.press('Enter')
  await expect(dialog.getByRole('link', { name: 'Largest settled' })).toBeVisible()
  await name.fill('The same')
  await dialog.getByLabel('For everybody at this merchant').check()
  await name.press('Enter')
  await expect(dialog.getByRole('link', { name: 'The same' })).toBeVisible()
  await name.fill('LARGEST settled')
  await dialog.getByLabel('For everybody at this merchant').check()
  await name.press('Enter')
  await expect(name).toHaveAccessibleDescription('Another view has this name.')
  await expect(name).toBeFocused()
  await expect(name).toHaveValue('LARGEST settled')
  expect(await findViolations(page)).toEqual([])

  const context = await browser.newContext({ baseURL: desk.url })
  const colleague = await context.newPage()
  await signIn(colleague, desk.signIn('viewer'), '/payments')
  await new ListPage(colleague, 'Payments').ready()
  await colleague.getByRole('button', { name: 'Views', exact: true }).click()
  await expect(colleague.getByRole('button', { name: 'Delete Largest settled' })).toHaveCount(0)
  await expect(colleague.getByLabel('For everybody at this merchant')).toHaveCount(0)
  await colleague.getByRole('link', { name: 'Largest settled' }).click()
  // Which view is shown stands beside the heading, until something else is asked for.
  const shown = colleague.getByText('Largest settled', { exact: true })
  await expect(shown).toBeVisible()
  await expect(colleague).toHaveURL(/\/payments\?state=Settled&sort=-amount$/u)
  await expect(colleague.getByLabel('State')).toHaveValue('Settled')
  await colleague.getByLabel('State').selectOption('Rejected')
  await expect(shown).toHaveCount(0)
  await context.close()

  await dialog.getByRole('button', { name: 'Make default: Largest settled' }).click()
  await expect(dialog.getByText('Default', { exact: true })).toBeVisible()
  await page.goto('/payments')
  await expect(page).toHaveURL(/\?state=Settled&sort=-amount$/u)
  await new ListPage(page, 'Payments').ready()
  await tool.click()
  await dialog.getByRole('button', { name: 'Not default: Largest settled' }).click()
  await expect(dialog.getByText('Default', { exact: true })).toHaveCount(0)

  await dialog.getByRole('button', { name: 'Rename Largest settled' }).click()
  const newName = dialog.getByLabel('New name of Largest settled')
  await expect(newName).toBeFocused()
  await newName.fill('The same')
  await page.keyboard.press('Enter')
  await expect(newName).toHaveAccessibleDescription('Another view has this name.')
  await expect(newName).toHaveValue('The same')
  await newName.fill('Settled, by size')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Rename Settled, by size' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Delete Settled, by size' }).press('Enter')
  await expect(dialog.getByRole('button', { name: 'Delete for everybody' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('link', { name: 'Settled, by size' })).toHaveCount(0)
  await expect(dialog.getByRole('link', { name: 'The same' })).toBeFocused()
  // The key that asked for the deletion, held down, does not confirm it.
  let deletions = 0
  page.on('request', (request) => (deletions += request.method() === 'DELETE' ? 1 : 0))
  await dialog.getByRole('button', { name: 'Delete The same' }).focus()
  await page.keyboard.down('Enter')
  await expect(dialog.getByRole('button', { name: 'Delete for everybody' })).toBeFocused()
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await page.keyboard.press('Escape')
  await tool.click()
  await expect(dialog.getByRole('link', { name: 'The same' })).toBeVisible()
  expect(deletions).toBe(0)
})
