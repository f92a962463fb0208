import { callApi } from '../support/api'
import { expect, test } from '../support/journey'
import { signIn } from '../support/session'

test('an agreement of a known scheme is checked, created, remembered for the team and deleted', async ({
  page,
  desk,
  browser,
}) => {
  await signIn(page, desk.signIn('admin'), '/agreements')
  await page.getByRole('link', { name: 'New agreement', exact: true }).click()
  await page.getByLabel('Scheme', { exact: true }).selectOption('nets-bs')
  await page.getByLabel('CVR number', { exact: true }).fill('123')
  await page.getByRole('button', { name: 'Create agreement', exact: true }).click()
  await expect(page.getByRole('main')).toContainText('CVR number must be 8 digits.')
  await page.getByLabel('CVR number', { exact: true }).fill('12345678')
  await page.getByLabel('PBS number', { exact: true }).fill('87654321')
  await page.getByLabel('Agreement type', { exact: true }).selectOption('total')
  await page.getByLabel('Data source handle', { exact: true }).fill('erp')
  await page.getByLabel('Test', { exact: true }).uncheck()
  await page.getByRole('button', { name: 'Create agreement', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: 'Create this live agreement?' })
  for (const text of ['Betalingsservice (nets-bs)', '12345678', '87654321', 'erp'])
    await expect(question).toContainText(text)
  await question.getByRole('button', { name: 'Go back' }).click()
  await expect(page.getByLabel('CVR number', { exact: true })).toHaveValue('12345678')
  await page.getByRole('button', { name: 'Create agreement', exact: true }).click()
  await question.getByRole('button', { name: 'Create live agreement' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Agreement am_')
  for (const text of ['12345678', '87654321', 'total', 'erp', 'Live'])
    await expect(page.getByRole('main')).toContainText(text)
  const handle = ((await page.getByRole('heading', { level: 1 }).innerText()).split(' ').at(-1) ?? '').trim()

  const other = await browser.newContext({ baseURL: desk.url })
  const viewer = await other.newPage()
  await signIn(viewer, desk.signIn('viewer'), '/agreements')
  await expect(viewer.getByRole('row', { name: new RegExp(handle, 'u') })).toContainText('Created by')
  await expect(viewer.getByRole('link', { name: 'New agreement' })).toHaveCount(0)
  await viewer.getByLabel('Id or handle', { exact: true }).fill(handle)
  await viewer.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(viewer.getByRole('heading', { level: 1 })).toContainText(handle)
  await expect(viewer.getByRole('button', { name: 'Delete agreement' })).toHaveCount(0)
  await other.close()

  await page.getByRole('button', { name: 'Delete agreement', exact: true }).click()
  const dialog = page.getByRole('alertdialog', { name: `Delete agreement ${handle}` })
  const remove = dialog.getByRole('button', { name: 'Delete agreement', exact: true })
  await expect(remove).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByRole('textbox').fill(handle)
  await remove.click()
  await expect(page).toHaveURL(`${desk.url}/agreements`)
  await expect(page.getByRole('link', { name: handle })).toHaveCount(0)
})

test('an agreement of any other scheme takes JSON, and a test one is deleted without typing', async ({
  page,
  desk,
}) => {
  await signIn(page, desk.signIn('admin'), '/agreements/new')
  await page.getByLabel('Scheme', { exact: true }).selectOption('other')
  await page.getByLabel('Scheme name', { exact: true }).fill('sepa-b2b')
  await page.getByRole('textbox', { name: 'Key 1' }).fill('creditorId')
  await page.getByRole('textbox', { name: 'Value 1' }).fill('DE98')
  await page.getByRole('radio', { name: 'JSON' }).check()
  const json = page.getByRole('textbox', { name: 'JSON' })
  await expect(json).toHaveValue('{\n  "creditorId": "DE98"\n}')
  await page.getByRole('radio', { name: 'Keys and values' }).check()
  await page.getByRole('textbox', { name: 'Value 1' }).fill('DE99')
  await page.getByRole('radio', { name: 'JSON' }).check()
  await expect(json).toHaveValue('{\n  "creditorId": "DE99"\n}')
  await page.getByRole('textbox', { name: 'JSON' }).fill('{oops')
  await page.getByRole('button', { name: 'Create agreement', exact: true }).click()
  await expect(page.getByRole('main')).toContainText('must be a JSON object')
  await page.getByRole('textbox', { name: 'JSON' }).fill('{"creditorId":"DE98","limits":{"list":[1,2]}}')
  await page.getByRole('button', { name: 'Create agreement', exact: true }).click()
  await expect(page.getByRole('main')).toContainText('DE98')
  await page.getByRole('button', { name: 'Delete agreement', exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Delete agreement', exact: true }).click()
  await expect(page).toHaveURL(`${desk.url}/agreements`)
})

test('a word that names no agreement is told so, and support may not create one', async ({
  page,
  desk,
  context,
  watch,
}) => {
  watch.allowStatus(404)
  await signIn(page, desk.signIn('support'), '/agreements')
  await page.getByLabel('Id or handle', { exact: true }).fill('am_nowhere')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  const field = page.getByRole('textbox', { description: 'The provider has no agreement with this id or handle.' })
  await expect(field).toHaveValue('am_nowhere')
  const refused = await callApi(context.request, `${desk.url}/api/desk/agreements`, {
    method: 'POST',
    body: { input: { scheme: 'nets-bs' }, key: crypto.randomUUID() },
  })
  expect(refused.status()).toBe(403)
})
