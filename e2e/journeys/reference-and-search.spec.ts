import { readFile } from 'node:fs/promises'
import { callApi } from '../support/api'
import { expect, test } from '../support/journey'
import { signIn, waitForScript } from '../support/session'
import { openSearch } from '../support/page-objects'

test('the reference shows all 18 endpoints and hands out the OpenAPI document', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/reference')
  await expect(page.getByRole('article')).toHaveCount(18)
  await expect(page.locator('#cancelPayment')).toContainText('/Payments/{paymentId}')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'OpenAPI document' }).click()
  const document: unknown = JSON.parse(await readFile(await (await download).path(), 'utf8'))
  expect(document).toMatchObject({ openapi: '3.1.0', paths: { '/Payments/{paymentId}': { delete: {} } } })
})

test('the search leads to pages, actions and records, by keyboard alone', async ({ page, desk, context }) => {
  await signIn(page, desk.signIn('admin'), '/merchant')
  await expect(page.getByRole('button', { name: 'Find' })).toBeVisible()
  const field = await openSearch(page)
  await field.fill('mandat')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${desk.url}/mandates`)

  const reply = await callApi(context.request, `${desk.url}/api/service/Customers?limit=1`)
  const { results }: { results: { id: string; name: string; handle: string }[] } = await reply.json()
  const customer = results[0]
  await openSearch(page, 'Meta+K')
  await field.fill(customer?.handle ?? '?')
  await expect(page.getByRole('option', { name: customer?.name ?? '?' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${desk.url}/customers/${customer?.id}`)

  await openSearch(page)
  await field.fill('new cust')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${desk.url}/customers/new`)
  await openSearch(page)
  await page.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
})

test('a viewer is offered no actions, and words lead to the lists', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/merchant')
  const field = page.getByRole('combobox', { name: 'Find pages, actions and records' })
  await waitForScript(page)
  await page.getByRole('button', { name: 'Find' }).click()
  await field.fill('new')
  await expect(page.getByRole('option', { name: 'New customer' })).toHaveCount(0)
  await field.fill('zz nobody')
  await page.getByRole('option', { name: 'Search payments for' }).click()
  await expect(page).toHaveURL(`${desk.url}/payments?search=zz%20nobody`)
})
