import { readFile } from 'node:fs/promises'
import { callApi } from '../support/api'
import { expect, test } from '../support/journey'
import { signIn } from '../support/session'

test('a file is mapped, tried out and imported; run again, it creates nobody twice', async ({
  page,
  desk,
  context,
}) => {
  test.setTimeout(120_000)
  const stamp = `Imp${Date.now()}`
  const lines = Array.from({ length: 12 }, (_, index) => `${stamp} ${index};${index};"Byvej ${index}; th"`)
  const text = ['Kunde;Nr;Gade', ...lines, ';99;Nobody'].join('\r\n')
  const file = { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  const countMade = async () => {
    const filter = encodeURIComponent(`contains(name,'${stamp}')`)
    const reply = await callApi(context.request, `${desk.url}/api/service/Customers?limit=100&filter=${filter}`)
    const { results }: { results: unknown[] } = await reply.json()
    return results.length
  }

  await signIn(page, desk.signIn('admin'), '/customers')
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  for (const round of [1, 2]) {
    await page.getByLabel('CSV file', { exact: true }).setInputFiles(file)
    await page.getByLabel('Name', { exact: true }).selectOption('Kunde')
    await page.getByLabel('Number', { exact: true }).selectOption('Nr')
    await page.getByLabel('Address line 1', { exact: true }).selectOption('Gade')
    await expect(page.getByRole('main')).toContainText('12 customers can be created; 1 line has an error')
    await expect(page.getByRole('main')).toContainText('Line 14: Name must not be empty')
    await page.getByRole('button', { name: 'Create 12 customers', exact: true }).click()
    await expect(page.locator('[data-import]')).toHaveAttribute('data-import', 'done')
    await expect(page.getByRole('main')).toContainText('12 of 13 created, 1 left out')
    await expect(page.getByRole('main')).toContainText('Line 14, left out: Name must not be empty')
    expect(await countMade(), `round ${round}`).toBe(12)
    if (round === 2) break
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Result file', exact: true }).click()
    const result = await readFile(await (await download).path(), 'utf8')
    expect(result.match(/,created,/gu)).toHaveLength(12)
    expect(result).toContain('"Byvej 0; th"')
    await page.getByRole('button', { name: 'Another file', exact: true }).click()
  }
})

test('only an admin may import', async ({ page, desk, context }) => {
  await signIn(page, desk.signIn('support'), '/customers/import')
  await expect(page.getByRole('main')).toContainText('Your role does not allow this')
  expect((await callApi(context.request, `${desk.url}/api/desk/imports`)).status()).toBe(403)
})
