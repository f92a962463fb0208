import { openSignedIn } from '../support/session'
import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'
import { readPayments } from '../support/api'

test('a row opens a side panel with every documented field, and so does its own address', async ({
  page,
  desk,
  context,
}) => {
  await openSignedIn(page, desk, { role: 'viewer' })
  const list = new ListPage(page, 'Payments')
  await list.ready()
  const row = list.rows.nth(3)
  const id = await list.idOf(row)
  const payments = await readPayments(context.request, desk.url, {})
  const payment = payments.find((candidate) => candidate.id === id)
  expect(payment).toBeDefined()
  if (!payment) return

  const told = [
    payment.id,
    payment.handle,
    payment.reference,
    payment.description,
    payment.currency,
    payment.customer.name,
    payment.mandate.handle,
    payment.mandate.scheme,
  ]
  await row.click()
  const panel = page
    .getByRole('dialog')
    .or(page.getByRole('complementary'))
    .or(page.getByRole('region', { name: /payment/iu }))
    .first()
  for (const text of told) await expect(panel).toContainText(text)
  for (const label of ['Payment date', 'Schedule date', 'Settlement date', 'Created', 'Modified']) {
    await expect(panel).toContainText(new RegExp(label, 'iu'))
  }

  await page.goto(`/payments/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  for (const text of told) await expect(page.getByRole('main')).toContainText(text)
  await expect(page).toHaveTitle(`Payment ${payment.reference} · Debitdesk`)
})

test('an address that names no payment says so', async ({ page, desk, watch }) => {
  watch.allowStatus(404)
  await openSignedIn(page, desk, { role: 'viewer' })
  await page.goto(`/payments/${crypto.randomUUID()}`)
  await expect(page.getByRole('main')).toContainText(/not found|no payment|could not be found/iu)
})

test('the panel of a payment that is not there is closed like any other, on a phone too', async ({ page, desk }) => {
  await openSignedIn(page, desk, { role: 'viewer' })
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    const panel = page.getByRole('dialog', { name: 'Payment', exact: true })
    for (const close of ['button', 'key'] as const) {
      await page.goto(`/payments?open=${crypto.randomUUID()}`)
      await expect(panel).toContainText('No such payment')
      if (close === 'key') await page.keyboard.press('Escape')
      else await panel.getByRole('button', { name: 'Close panel' }).click()
      await expect(panel).toHaveCount(0)
      await expect(page).toHaveURL(/\/payments$/u)
    }
  }
})

test('a payment of the last page is found when its address is opened cold', async ({ page, desk, context }) => {
  await openSignedIn(page, desk, { role: 'viewer' })
  const [last] = await readPayments(context.request, desk.url, { orderby: 'createdAt', limit: '1' })
  await page.goto(`/payments/${last?.id}`)
  await expect(page.getByRole('main')).toContainText(last?.reference ?? '?')
})

test('who marks text in a row wants the text: the row opens at a plain click alone', async ({ page, desk }) => {
  await openSignedIn(page, desk, { role: 'viewer' })
  const list = new ListPage(page, 'Payments')
  await list.ready()
  const payer = list.rows.nth(3).getByRole('gridcell').nth(2)
  const box = await payer.boundingBox()
  if (!box) throw new Error('the cell is not in sight')
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + 10, y)
  await page.mouse.down()
  await page.mouse.move(box.x + 60, y, { steps: 4 })
  await page.mouse.up()
  expect(await page.evaluate(() => getSelection()?.toString())).not.toBe('')
  await expect(page).not.toHaveURL(/open=/u)
  await payer.click()
  await expect(page).toHaveURL(/open=/u)
})
