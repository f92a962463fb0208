import type { Page } from '@playwright/test'
import { callApi } from '../support/api'
import { endSession, signIn } from '../support/session'
import { expect, test } from '../support/journey'
import { startFakeUpstream } from '../support/fake-upstream'
import { openSearch } from '../support/page-objects'

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('loading the page anew with something typed asks first, and staying keeps it', async ({ page, desk }) => {
  await signIn(page, desk.signIn('admin'), '/agreements/new')
  await field(page, 'Data source handle').fill('half typed')
  const asked = page.waitForEvent('dialog')
  const reload = page.reload({ timeout: 3_000 }).catch(() => null)
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await reload
  await expect(field(page, 'Data source handle')).toHaveValue('half typed')
  // An empty form can be left without a question.
  await field(page, 'Data source handle').fill('')
  await expect(() => page.reload()).toPass()
  await expect(field(page, 'Data source handle')).toHaveValue('')
})

test('what is wrong with a form is led to, also where it stands at a choice or was said by the desk', async ({
  page,
  desk,
  watch,
}) => {
  watch.allowStatus(403)
  await signIn(page, desk.signIn('admin'), '/agreements/new')
  await press(page, 'Create agreement')
  await expect(page.getByLabel('Scheme', { exact: true })).toBeFocused()
  await expect(page.getByLabel('Scheme', { exact: true })).toHaveAccessibleDescription('Choose a scheme.')
  await page.goto('/account')
  await field(page, 'Current password').fill('not the password')
  await field(page, 'New password').fill('a kettle below the stairs')
  await press(page, 'Change password')
  await expect(field(page, 'Current password')).toHaveAccessibleDescription('Incorrect password.')
  await expect(field(page, 'Current password')).toBeFocused()
})

test('a session that ends in a form is begun again over it, keeps what was typed, and sends it once', async ({
  page,
  desk,
  context,
  playwright,
  watch,
}) => {
  watch.allowStatus(401)
  const admin = desk.signIn('admin')
  const name = `Kept ${Date.now()}`
  await signIn(page, admin, '/customers/new')
  await field(page, 'Name').fill(name)
  await field(page, 'City').fill('Ribe')
  await endSession(page, playwright)
  await press(page, 'Create customer')
  const again = page.getByRole('dialog', { name: 'Sign in again to continue' })
  await again.getByLabel('Password', { exact: true }).fill(admin.password)
  await again.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(again).toBeHidden()
  await expect(field(page, 'Name')).toHaveValue(name)
  await expect(field(page, 'City')).toHaveValue('Ribe')
  const filter = encodeURIComponent(`contains(name,'${name}')`)
  const count = async () => {
    const reply = await callApi(context.request, `${desk.url}/api/service/Customers?filter=${filter}`)
    const { results }: { results: unknown[] } = await reply.json()
    return results.length
  }
  expect(await count()).toBe(0)
  await press(page, 'Create customer')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  expect(await count()).toBe(1)
})

test('what was saved is confirmed, on the page that follows, where the keyboard reaches it, and can be read again', async ({
  page,
  desk,
}) => {
  await signIn(page, desk.signIn('admin'), '/customers/new')
  await field(page, 'Name').fill(`Confirmed ${Date.now()}`)
  await press(page, 'Create customer')
  const notices = page.getByRole('region', { name: /^Confirmations/u })
  await expect(notices).toContainText('Customer created')
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await field(page, 'City').fill('Vejle')
  await press(page, 'Save')
  await expect(page.getByRole('main')).toContainText('Vejle')
  await expect(notices.getByRole('dialog', { name: 'Customer saved' })).toBeVisible()
  await page.keyboard.press('F6')
  await expect(notices).toBeFocused()
  await notices.getByRole('dialog', { name: 'Customer saved' }).getByRole('button', { name: 'Close' }).click()
  await expect(notices).not.toContainText('Customer saved')
  const find = await openSearch(page)
  await find.fill('confirmations')
  await find.press('Enter')
  // Others cancel payments at this desk meanwhile.
  const past = page
    .getByRole('dialog', { name: 'Confirmations' })
    .getByRole('listitem')
    .filter({ hasText: /^Customer/u })
  await expect(past).toHaveText([/^Customer saved/u, /^Customer created/u])
})

test('what the service says of fields stands at them, however it spells their names', { tag: '@long' }, async ({
  browser,
}) => {
  const foreign = await startFakeUpstream()
  const errors = {
    NAME: ['Is taken.'],
    '$.City': ['Is no city.'],
    'customer.PostalCode': ['Is too short.'],
  }
  const problem = { title: 'Validation failed', detail: 'See the fields.', instance: '/Customers/42', errors }
  foreign.answerElse((method, path) =>
    method === 'POST' && path === '/Customers' ? { status: 400, body: { ...problem, status: 400 } } : null,
  )
  const page = await browser.newPage({ baseURL: foreign.url })
  await signIn(page, foreign.admin, '/customers/new')
  await field(page, 'Name').fill('Ann')
  await press(page, 'Create customer')
  const describedAt = async (name: string) => {
    const ids = (await field(page, name).getAttribute('aria-describedby')) ?? ''
    return page
      .locator(
        ids
          .split(' ')
          .map((id) => `[id="${id}"]`)
          .join(','),
      )
      .allInnerTexts()
  }
  await expect(field(page, 'Name')).toHaveAttribute('aria-invalid', 'true')
  await expect(field(page, 'Name')).toBeFocused()
  expect(await describedAt('Name')).toContain('Is taken.')
  expect(await describedAt('City')).toContain('Is no city.')
  expect(await describedAt('Postal code')).toContain('Is too short.')
  const alert = page.getByRole('alert').filter({ hasText: 'Validation failed' })
  for (const words of ['See the fields.', '/Customers/42']) await expect(alert).toContainText(words)
  await expect(field(page, 'Name')).toHaveValue('Ann')
  await page.close()
  await foreign.close()
})
