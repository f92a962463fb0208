import { findViolations } from '../support/accessibility'
import { readPayments } from '../support/api'
import { openCancelDialog } from '../support/cancellation'
import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'
import { openSignedIn } from '../support/session'

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
  for (const label of ['Collection date', 'Sent to scheme', 'Settlement date', 'Created', 'Modified']) {
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

test('the panel of a payment that is not there is closed like any other, on a phone too', { tag: '@long' }, async ({
  page,
  desk,
}) => {
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

test('a panel that is closed leaves no press of Back that does nothing; one press more goes no further', async ({
  page,
  desk,
}) => {
  await openSignedIn(page, desk, { role: 'viewer', path: '/customers' })
  await page.getByRole('link', { name: 'Payments', exact: true }).click()
  const list = new ListPage(page, 'Payments')
  await list.ready()
  const panel = page.getByRole('dialog')
  for (const index of [3, 5]) {
    await list.rows.nth(index).click()
    await expect(panel).toBeVisible()
    await list.rows.nth(index + 1).click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(panel).toHaveCount(0)
    await expect(page).toHaveURL(/\/payments$/u)
  }
  await page.goBack()
  await expect(page).toHaveURL(/\/customers$/u)
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
  const payer = list.rows.nth(3).getByRole('gridcell').nth(1)
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

const estimate = /can be cancelled until \w{3} \d{1,2} \w{3,4}, 16:00 Copenhagen \(estimate\)/iu

test('a row has a menu, at the pointer and by the keyboard; a link keeps the menu of the browser', async ({
  page,
  desk,
}) => {
  await openSignedIn(page, desk, { role: 'support', path: '/payments?state=Pending' })
  const list = new ListPage(page, 'Payments')
  await list.ready()
  const row = list.rows.nth(2)
  const id = await list.idOf(row)
  await row.getByRole('gridcell').nth(3).click({ button: 'right' })
  const menu = page.getByRole('menu')
  await expect(menu.getByRole('menuitem')).toHaveText([
    'Open',
    'Open full page',
    'Open customer',
    'Copy reference',
    'Copy payment id',
    'Cancel payment',
  ])
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(list.row(id)).toBeFocused()
  // The menu key, which Chromium under Playwright does not turn into the event.
  await list.row(id).dispatchEvent('contextmenu', { clientX: 0, clientY: 0 })
  await page.keyboard.press('ArrowDown')
  await menu.getByRole('menuitem', { name: 'Cancel payment' }).press('Enter')
  const dialog = page.getByRole('alertdialog', { name: 'Cancel payment' })
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Keep payment' }).click()
  await expect(dialog).toHaveCount(0)
  const isLeft = await row
    .getByRole('link')
    .first()
    .evaluate((link) => link.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true })))
  expect(isLeft).toBe(true)
  await expect(menu).toHaveCount(0)
  await row.getByRole('gridcell').nth(3).click({ button: 'right' })
  await menu.getByRole('menuitem', { name: 'Open', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`open=${id}`, 'u'))
  await row.getByRole('gridcell').nth(3).click({ button: 'right' })
  await menu.getByRole('menuitem', { name: 'Open customer' }).click()
  await expect(page).toHaveURL(/\/customers\//u)
  const related = new ListPage(page, 'Payments')
  await related.ready()
  await related.rows.first().getByRole('gridcell').nth(2).click({ button: 'right' })
  await expect(menu.getByRole('menuitem').first()).toHaveText('Open full page')
})

test('Until when a payment can be cancelled stands by its button, on its page and in the dialog, as an estimate', async ({
  page,
  desk,
}) => {
  await openSignedIn(page, desk, { role: 'support', path: '/payments?state=Pending&sort=-scheduleDate' })
  const list = new ListPage(page, 'Payments')
  await list.ready()
  const row = list.rowsOf('Pending').first()
  const id = await list.idOf(row)
  await row.click()
  const panel = page.getByRole('dialog')
  await expect(panel.locator('[data-cut-off]')).toHaveText(estimate)
  const dialog = await openCancelDialog(page)
  await expect(dialog.locator('[data-cut-off]')).toHaveText(estimate)
  await dialog.getByRole('button', { name: 'Keep payment' }).click()
  await page.goto(`/payments/${id}`)
  await expect(page.locator('[data-cut-off]')).toHaveText(estimate)
})

test('A payment that cannot be cancelled says why by the button, and has no cut-off', async ({ page, desk }) => {
  await openSignedIn(page, desk, { role: 'support', path: '/payments?state=Scheduled' })
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await list.rowsOf('Scheduled').first().click()
  const button = page.getByRole('button', { name: 'Cancel payment', exact: true })
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expect(button).toHaveAccessibleDescription('A payment in the state Scheduled can’t be cancelled.')
  await expect(page.locator('[data-cut-off]')).toHaveCount(0)
})

test('What closes today is a view of its own, which says when nothing can', async ({ page, desk }) => {
  await openSignedIn(page, desk, { role: 'viewer' })
  await new ListPage(page, 'Payments').ready()
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Next cut-off' }).click()
  // On a day that is no bank day the page says so and shows what closes next.
  const heading = page.getByRole('heading', { level: 1, name: /^Closing .+ \(estimate\)$/u })
  await expect(heading).toBeVisible()
  await expect(page.locator('[data-walk="complete"]')).toBeVisible({ timeout: 30_000 })
  const notToday = page.getByText('Nothing more closes today')
  expect((await heading.textContent()) === 'Closing today (estimate)').toBe((await notToday.count()) === 0)
  expect((await notToday.allTextContents()).filter((words) => !words.includes('The next cut-off is on'))).toEqual([])
  for (const row of await page.getByRole('grid').locator('[data-row-id]').all())
    await expect(row).toHaveAttribute('data-status', 'Pending')
  expect(await findViolations(page)).toEqual([])
})
