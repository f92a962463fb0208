import { expect, test } from '../support/journey'
import { signIn } from '../support/session'

test('the merchant record is shown as it came, metaData as a tree, and how the desk reads amounts', async ({
  page,
  desk,
}) => {
  await signIn(page, desk.signIn('viewer'), '/merchant')
  const main = page.getByRole('main')
  await expect(page.getByRole('heading', { level: 1, name: 'Merchant', exact: true })).toBeVisible()
  await expect(main.locator('[data-field="id"] dd')).toContainText(/[\da-f-]{36}/u)
  await expect(main.locator('[data-field="metaData"] dt').first()).toBeVisible()
  await expect(main).toContainText('ISO 4217 minor units')
  await expect(page.getByRole('link', { name: 'Create merchant' })).toHaveCount(0)
})

test('an admin creates a merchant; what is wrong is told at its field and nothing typed is lost', async ({
  page,
  desk,
}) => {
  await signIn(page, desk.signIn('admin'), '/merchant')
  await page.getByRole('link', { name: 'Create merchant' }).click()
  const [name, metaData] = [
    page.getByLabel('Name', { exact: true }),
    page.getByLabel('Additional data', { exact: true }),
  ]
  await expect(name).toBeFocused()
  await page.getByRole('link', { name: 'Cancel', exact: true }).click()
  await expect(name).toHaveCount(0)
  await page.getByRole('link', { name: 'Create merchant' }).click()
  await name.fill('Second shop')
  await page.getByLabel('ISV handle', { exact: true }).fill('isv_second')
  await metaData.fill('{"shop": ')
  await page.getByRole('button', { name: 'Create merchant' }).click()
  await expect(metaData).toHaveAttribute('aria-invalid', 'true')
  await expect(name).toHaveValue('Second shop')

  await page.getByRole('link', { name: 'Payments', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
  await expect(name).toHaveValue('Second shop')

  await metaData.fill('{"shop": "12"}')
  await page.getByRole('button', { name: 'Create merchant' }).click()
  await expect(page.getByText('The merchant was created')).toBeVisible()
  await expect(page.getByText('Its token, shown only once')).toBeVisible()
  await expect(page.locator('output code')).toBeHidden()
  await page.getByRole('button', { name: 'Show token' }).click()
  await expect(page.locator('output code')).toHaveText(/^\S{16,}$/u)
})
