import { readFile } from 'node:fs/promises'
import { findViolations } from '../support/accessibility'
import { callApi, readPayments } from '../support/api'
import { expect, test } from '../support/journey'
import { ListPage, openSearch } from '../support/page-objects'
import { signIn } from '../support/session'

test('an admin creates a customer, changes it, and deletes it with its number typed', async ({ page, desk }) => {
  const number = `J-${Date.now()}`
  await signIn(page, desk.signIn('admin'), '/customers')
  await page.getByRole('link', { name: 'New customer', exact: true }).click()
  await page.getByRole('button', { name: 'Create customer', exact: true }).click()
  const name = page.getByLabel('Name', { exact: true })
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await expect(name).toBeFocused()
  expect(await findViolations(page), 'the form with an error').toEqual([])

  await name.fill('Åse Journey & Søn')
  await page.getByLabel('Number', { exact: true }).fill(number)
  await page.getByLabel('City', { exact: true }).fill('Ribe')
  await page.getByRole('button', { name: 'Create customer', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Åse Journey & Søn')
  await expect(page.getByRole('main')).toContainText(number)
  await expect(page.getByRole('grid', { name: 'Payments', exact: true })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(`${desk.url}/customers`)
  await page.goForward()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Åse Journey & Søn')

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Address line 1', { exact: true }).fill('Torvet 1')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('main')).toContainText('Torvet 1')
  await expect(page.getByRole('main')).toContainText('Ribe')

  await page.getByRole('button', { name: 'Delete customer', exact: true }).click()
  const dialog = page.getByRole('alertdialog', { name: `Delete customer ${number}` })
  await expect(dialog).toContainText('0 live, 0 test')
  const remove = dialog.getByRole('button', { name: 'Delete customer', exact: true })
  await expect(remove).toHaveAttribute('aria-disabled', 'true')
  expect(await findViolations(page), 'the dialog').toEqual([])
  await dialog.getByRole('textbox').fill(number)
  await remove.click()
  await expect(page).toHaveURL(`${desk.url}/customers`)
})

test('a customer with payments to collect is not deleted: the preview counts them and the service’s word is shown', async ({
  page,
  desk,
  context,
  watch,
}) => {
  watch.allowStatus(422)
  await signIn(page, desk.signIn('admin'))
  const pending = await readPayments(context.request, desk.url, { filter: "status eq 'Pending'" })
  const id = pending[0]?.customer.id ?? ''
  await page.goto(`/customers/${id}`)
  await page.getByRole('button', { name: 'Delete customer', exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText(/[1-9]\d* live|[1-9]\d* test/u)
  const [, word] = /Type (\S+)/u.exec(await dialog.innerText()) ?? []
  await dialog.getByRole('textbox').fill(word ?? '')
  await dialog.getByRole('button', { name: 'Delete customer', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('still to be collected')
  await expect(dialog.getByRole('textbox')).toHaveValue(word ?? '')
  await dialog.getByRole('button', { name: 'Keep customer', exact: true }).click()
  await expect(dialog).toBeHidden()
})

test('leaving a form with something typed asks first, by link, by Find and by Back, and keeps what was typed', async ({
  page,
  desk,
}) => {
  await signIn(page, desk.signIn('admin'), '/customers')
  await page.getByRole('link', { name: 'New customer', exact: true }).click()
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Half typed')
  const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await page.getByRole('navigation').getByRole('link', { name: 'Mandates', exact: true }).click()
  await dialog.getByRole('button', { name: 'Stay', exact: true }).click()
  await expect(name).toHaveValue('Half typed')
  await (await openSearch(page)).fill('Mandates')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Stay', exact: true }).click()
  await expect(name).toHaveValue('Half typed')
  await page.goBack()
  await dialog.getByRole('button', { name: 'Stay', exact: true }).click()
  await expect(name).toHaveValue('Half typed')
  await page.goBack()
  await dialog.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page).toHaveURL(`${desk.url}/customers`)
})

test('what somebody else changed meanwhile is neither lost nor overwritten unseen', async ({
  page,
  desk,
  context,
  watch,
}) => {
  watch.allowStatus(409)
  await signIn(page, desk.signIn('admin'))
  const made = await callApi(context.request, `${desk.url}/api/service/Customers`, {
    method: 'POST',
    body: { name: 'Before', city: 'Ribe', number: '1' },
  })
  const { reply }: { reply: { id: string } } = await made.json()
  const url = `${desk.url}/api/service/Customers/${reply.id}`
  await page.goto(`/customers/${reply.id}/edit`)
  await page.getByLabel('Number', { exact: true }).fill('2')
  await callApi(context.request, url, { method: 'PUT', body: { city: 'Vejle', number: '3' } })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Number' })).toContainText('Number is now “3”')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Before')
  expect(await (await callApi(context.request, url)).json()).toMatchObject({
    name: 'Before',
    city: 'Vejle',
    number: '2',
  })
  await callApi(context.request, url, { method: 'DELETE' })
})

test('a viewer reads a customer and its mandates, and is offered no change', async ({ page, desk, context }) => {
  await signIn(page, desk.signIn('viewer'))
  const [payment] = await readPayments(context.request, desk.url, { limit: '1' })
  const customer = payment?.customer.id ?? ''
  await page.goto(`/customers/${customer}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(payment?.customer.name ?? '')
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await expect(list.row(payment?.id ?? '')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Cancel payment/u })).toHaveCount(0)
  await list.row(payment?.id ?? '').focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${desk.url}/payments/${payment?.id}`)
  await page.goBack()
  await list.ready()
  await expect(list.row(payment?.id ?? '')).toBeFocused()
  await expect(page.getByRole('button', { name: 'Delete customer' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toHaveCount(0)
  await page.goto('/customers/new')
  await expect(page.getByRole('main')).toContainText('Your role doesn’t allow this')
  const refused = await callApi(context.request, `${desk.url}/api/service/Customers/${customer}`, {
    method: 'PUT',
    body: { name: 'x' },
  })
  expect(refused.status()).toBe(403)

  await page.goto(`/customers/${customer}`)
  await page
    .getByRole('main')
    .getByRole('link', { name: payment?.mandate.handle ?? '', exact: true })
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(payment?.mandate.handle ?? '?')
  await expect(page.getByRole('main')).toContainText('Read-only')
  await list.ready()
  const row = list.row(payment?.id ?? '')
  await expect(row).toBeVisible()
  await row.getByRole('gridcell').nth(1).click()
  await expect(page).toHaveURL(`${desk.url}/payments/${payment?.id}`)
  await page.goBack()
  await list.ready()
  expect(await findViolations(page), 'the page of a mandate').toEqual([])
  await page
    .getByRole('main')
    .getByRole('link', { name: payment?.customer.name ?? '', exact: true })
    .click()
  await expect(page).toHaveURL(`${desk.url}/customers/${customer}`)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the page of a customer and its forms break no rule of axe, ${colorScheme}, on a phone`, {
    tag: '@long',
  }, async ({ page, desk, context }) => {
    test.setTimeout(120_000)
    await page.setViewportSize({ width: 320, height: 700 })
    await page.emulateMedia({ colorScheme })
    await signIn(page, desk.signIn('admin'))
    const [payment] = await readPayments(context.request, desk.url, { limit: '1' })
    const id = payment?.customer.id
    for (const path of [
      `/customers/${id}`,
      `/customers/${id}/edit`,
      '/customers/nobody',
      '/customers/import',
      '/agreements',
      '/agreements/new',
    ]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
      expect(await findViolations(page), path).toEqual([])
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width, path).toBeLessThanOrEqual(320)
    }
  })
}

test('a file is mapped, tried out and imported; run again, it creates nobody twice', async ({
  page,
  desk,
  context,
}) => {
  test.setTimeout(120_000)
  const stamp = `Imp${Date.now()}`
  const lines = Array.from({ length: 12 }, (_, index) => `${stamp} ${index};${stamp}-${index};"Byvej ${index}; th"`)
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
    if (round === 2) {
      // Their customers exist now: they are left out unless told otherwise.
      await expect(page.getByRole('main')).toContainText('Line 2: A customer with this number exists')
      await expect(page.getByRole('button', { name: 'Create 0 customers', exact: true })).toHaveAttribute(
        'aria-disabled',
        'true',
      )
      await page.getByLabel('Also import the 12 lines with numbers of existing customers').check()
    }
    await expect(page.getByRole('main')).toContainText('12 customers can be created; 1 line has an error')
    await expect(page.getByRole('main')).toContainText('Line 14: Name must not be empty')
    await page.getByRole('button', { name: 'Create 12 customers', exact: true }).click()
    await expect(page.locator('[data-import]')).toHaveAttribute('data-import', 'done')
    await expect(page.getByRole('main')).toContainText('12 of 13 created, 1 skipped')
    await expect(page.getByRole('main')).toContainText('Line 14, skipped: Name must not be empty')
    expect(await countMade(), `round ${round}`).toBe(12)
    if (round === 2) break
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download result', exact: true }).click()
    const result = await readFile(await (await download).path(), 'utf8')
    expect(result.match(/,created,/gu)).toHaveLength(12)
    expect(result).toContain('"Byvej 0; th"')
    await page.getByRole('button', { name: 'Choose another file', exact: true }).click()
  }
})

test('only an admin may import', async ({ page, desk, context }) => {
  await signIn(page, desk.signIn('support'), '/customers/import')
  await expect(page.getByRole('main')).toContainText('Your role doesn’t allow this')
  expect((await callApi(context.request, `${desk.url}/api/desk/imports`)).status()).toBe(403)
})

test('a customer’s page says what is collected, coming up and failed, and makes a statement', async ({
  page,
  desk,
  context,
}) => {
  await signIn(page, desk.signIn('viewer'), '/payments')
  const query = new URLSearchParams({ filter: "status eq 'Settled'", limit: '100' })
  const reply = await callApi(context.request, `${desk.url}/api/service/Payments?${query.toString()}`)
  const { results }: { results: { id: string; status: string; test: boolean; customer: { id: string } }[] } =
    await reply.json()
  const payment = results.find(({ status, test: isTest }) => status === 'Settled' && !isTest)
  await page.goto(`/customers/${payment?.customer.id}`)
  const summary = page.locator('[data-summary]')
  await expect(summary).toBeVisible({ timeout: 20_000 })
  const collected = summary.locator('[data-figure="Collected, last 12 months"]').first()
  const count = /(\d+) payments?/u.exec(await collected.innerText())?.[1] ?? '0'
  expect(Number(count)).toBeGreaterThan(0)
  await page.setViewportSize({ width: 1280, height: 900 })
  const rows = page.locator('[data-row-id]')
  await expect(rows.first()).toBeVisible()
  for (const row of await rows.all()) {
    const reference = row.getByRole('gridcell').first()
    expect(
      await reference.evaluate((cell) => cell.scrollWidth - cell.clientWidth),
      'the reference is shown whole',
    ).toBeLessThanOrEqual(0)
  }
  await collected.getByRole('link').click()
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await expect(list.rows).toHaveCount(Number(count))
  await page.goBack()

  await summary.getByRole('link', { name: 'Statement' }).click()
  const statement = page.locator('[data-statement]')
  await expect(statement.getByRole('table', { name: 'Totals' })).toBeVisible()
  await page.getByLabel('From', { exact: true }).fill('2020-01-01')
  await page.getByLabel('To', { exact: true }).fill('2020-12-31')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(statement).toContainText('No payments in this period.')
  await expect(page).toHaveURL(/from=2020-01-01&to=2020-12-31/u)
  await page.goBack()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const csv = await readFile(await (await download).path(), 'utf8')
  expect(csv.split('\r\n')[0]).toBe('\uFEFFDate,Reference,Description,State,Amount,Currency,Settled on')
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark'
  })
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('html'), 'light on paper').toHaveCSS('color-scheme', 'light')
  await expect(page.getByRole('navigation').first()).toBeHidden()
  await expect(page.getByRole('button', { name: 'Print or save as PDF' })).toBeHidden()
  await expect(statement).toBeVisible()

  // A4 at 96 dots an inch.
  await page.setViewportSize({ width: 794, height: 1123 })
  const measureMain = async () => (await page.getByRole('main').boundingBox())?.width
  expect(await measureMain(), 'the statement takes the whole paper').toBe(794)
  const [tableWidth, shownWidth] = await statement
    .getByRole('table')
    .last()
    .evaluate((table) => [table.scrollWidth, table.parentElement?.clientWidth ?? 0])
  expect(tableWidth, 'no column of the statement is cut').toBeLessThanOrEqual(shownWidth ?? 0)
  await page.goto(`/payments/${payment?.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await measureMain(), 'a payment takes the whole paper').toBe(794)
})
