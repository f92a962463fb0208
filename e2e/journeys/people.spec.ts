import { readFile } from 'node:fs/promises'
import { findViolations } from '../support/accessibility'
import { callApi } from '../support/api'
import { expect, test } from '../support/journey'
import { signIn } from '../support/session'

test('an admin downloads what is kept about a customer and erases it; the log says so without a name', async ({
  page,
  desk,
}) => {
  const number = `P-${Date.now()}`
  const name = `Åse Erasable ${number}`
  await signIn(page, desk.signIn('admin'), '/customers/new')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Number', { exact: true }).fill(number)
  await page.getByRole('button', { name: 'Create customer', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  const notes = page.locator('[data-notes]')
  await notes.getByLabel('New note', { exact: true }).fill(`Called ${name} about the flat`)
  await notes.getByRole('button', { name: 'Add note' }).click()
  await expect(notes.locator('[data-note]').first()).toContainText('about the flat')

  await page.getByRole('link', { name: 'Kept data', exact: true }).click()
  await expect(page.getByRole('heading', { name: '2 places would be erased' })).toBeVisible()
  await expect(page.getByRole('row', { name: /^Notes/u })).toContainText('1')
  await expect(page.getByRole('row', { name: /^Entries of the activity log/u })).toContainText('1')
  expect(await findViolations(page), 'the page').toEqual([])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download what is kept' }).click()
  const file = JSON.parse(await readFile(await (await download).path(), 'utf8'))
  expect(file).toMatchObject({
    about: { atTheProvider: { name, number } },
    note: [{ text: `Called ${name} about the flat` }],
  })
  expect((await download).suggestedFilename()).not.toContain(number)

  await page.getByRole('button', { name: 'Erase this person’s data' }).press('Enter')
  const dialog = page.getByRole('alertdialog', { name: `Erase the data of ${name}?` })
  await expect(dialog.getByRole('textbox')).toBeFocused()
  expect(await findViolations(page), 'the dialog').toEqual([])
  await page.keyboard.type(number)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Debitdesk keeps no texts about this person' })).toBeVisible()
  await page.getByRole('link', { name: 'Customer', exact: true }).click()
  await expect(page.locator('[data-notes]')).toContainText('No notes yet.')

  await page.goto('/activity')
  const log = page.getByRole('list', { name: 'Activity' })
  await expect(log).toContainText('Person’s data erased')
  await expect(log).toContainText('Person’s data downloaded')
  await expect(log).not.toContainText(number)
})

test('a person that the provider does not know is looked for by what is typed, which a mistake keeps', async ({
  page,
  desk,
}) => {
  await signIn(page, desk.signIn('admin'), '/team')
  await page.getByRole('link', { name: 'People’s data', exact: true }).click()
  await page.getByRole('button', { name: 'Show what is kept' }).click()
  const customer = page.getByLabel('Customer id or handle')
  await expect(customer).toBeFocused()
  await expect(customer).toHaveAccessibleDescription(/or another field must be filled in/u)
  await page.getByLabel('Name', { exact: true }).fill('Nobody At All')
  await page.getByLabel('Other spellings').fill('x'.repeat(201))
  await page.getByRole('button', { name: 'Show what is kept' }).click()
  await expect(page.getByLabel('Other spellings')).toHaveAccessibleDescription(/at most 200 characters/u)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Nobody At All')
  await page.getByLabel('Other spellings').fill('')
  await page.getByRole('button', { name: 'Show what is kept' }).click()
  await expect(page.getByRole('heading', { name: 'Debitdesk keeps no texts about this person' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Erase this person’s data' })).toHaveAttribute('aria-disabled', 'true')
  expect(await findViolations(page)).toEqual([])
})

test('support sees none of it, and the routes refuse', async ({ page, desk, context, watch }) => {
  watch.allowStatus(403)
  await signIn(page, desk.signIn('support'), '/team/people')
  await expect(page.locator('[data-problem="refused"]')).toBeVisible()
  const person = { customer: 'x', name: '', number: '', addressLine1: '', addressLine2: '', others: [], ids: [] }
  for (const [path, body] of [
    ['', person],
    ['/export', person],
    ['/erase', { person, expected: 0 }],
  ] as const)
    expect(
      (await callApi(context.request, `${desk.url}/api/desk/people${path}`, { method: 'POST', body })).status(),
    ).toBe(403)
})
