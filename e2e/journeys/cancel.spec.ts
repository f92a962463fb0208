import { callApi, cancellationOf, takePendingPayment } from '../support/api'
import { confirmCancellation, openCancelDialog, outcomeOf, readCancellations } from '../support/cancellation'
import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'
import { signIn } from '../support/session'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/u

for (const role of ['support', 'admin'] as const) {
  test(`${role} cancels a payment: requested first, cancelled only after a read`, async ({ page, desk, context }) => {
    await signIn(page, desk.signIn(role))
    const payment = await takePendingPayment(context.request, desk.url)
    await page.goto(`/payments/${payment.id}`)
    const dialog = await openCancelDialog(page)
    await expect(dialog).toContainText(payment.customer.name)
    await expect(dialog).toContainText(payment.currency)
    await confirmCancellation(dialog, 'Paid by bank transfer – ærø ✓')

    await expect(outcomeOf(page)).toHaveAttribute('data-outcome', 'requested')
    await expect(outcomeOf(page)).toContainText('Cancellation requested')
    await expect(outcomeOf(page)).toHaveAttribute('data-outcome', 'cancelled', { timeout: 45_000 })
    await expect(outcomeOf(page)).toContainText('Cancelled')
    await expect(dialog).toBeHidden()

    const sent = await readCancellations(desk.dataDir, payment.id)
    expect(sent).toHaveLength(1)
    expect(sent[0]?.idempotencyKey).toMatch(uuid)
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ text: 'Paid by bank transfer – ærø ✓' })
  })
}

test('past the limit of single cancellations the dialog asks for the password, keeps the reason and goes on', async ({
  page,
  desk,
  context,
  watch,
}) => {
  watch.allowStatus(403)
  const who = desk.signIn('support')
  await signIn(page, who)
  const payment = await takePendingPayment(context.request, desk.url)
  await page.goto(`/payments/${payment.id}`)
  // The desk's own answer past the limit, once.
  const json = { type: 'https://debitdesk.example/problems/step-up', title: 'x', status: 403, proof: 'password' }
  let refused = 0
  await page.route('**/api/desk/cancellations', (route) => {
    if (route.request().method() !== 'POST' || refused === 2) return route.continue()
    refused += 1
    return route.fulfill({ status: 403, contentType: 'application/problem+json', json })
  })
  const dialog = await openCancelDialog(page)
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await confirmCancellation(dialog, 'The twenty-first')
  await question.getByRole('button', { name: 'Not now' }).click()
  await expect(dialog.getByLabel('Reason')).toHaveValue('The twenty-first')
  await dialog.getByRole('button', { name: 'Cancel payment', exact: true }).click()
  await question.getByLabel('Password').fill(who.password)
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(dialog).toBeHidden()
  await expect(outcomeOf(page)).toHaveAttribute('data-outcome', /^(?:requested|cancelled)$/u)
  const sent = await readCancellations(desk.dataDir, payment.id)
  expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ text: 'The twenty-first' })
})

test('a row has its own button, and the outcome is told in the row', async ({ page, desk, context }) => {
  await signIn(page, desk.signIn('support'))
  const payment = await takePendingPayment(context.request, desk.url)
  const list = new ListPage(page, 'Payments')
  await page.getByLabel('Search', { exact: true }).fill(payment.customer.name)
  await expect(page).toHaveURL(/[?&]search=/u)
  await list.ready()
  const row = list.row(payment.id)
  const button = row.getByRole('button', { name: `Cancel payment ${payment.reference}`, exact: true })
  const dialog = page.getByRole('alertdialog', { name: `Cancel payment ${payment.reference}` })
  await button.click()
  await dialog.getByRole('button', { name: 'Keep payment', exact: true }).click()
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await confirmCancellation(dialog, 'Duplicate collection')
  await expect(dialog).toBeHidden()
  // The outcome takes the place of the button: the focus goes to its row.
  await expect(row).toBeFocused()
  await expect(row.locator('[data-outcome]')).toHaveAttribute('data-outcome', 'cancelled', { timeout: 45_000 })
  // The payment is read again then: the row says what the service says now.
  await expect(row).toHaveAttribute('data-status', 'Cancelled')
  expect(await readCancellations(desk.dataDir, payment.id)).toHaveLength(1)
})

test('a payment is cancelled from its row on the page of its customer, by who may', async ({ page, desk, context }) => {
  await signIn(page, desk.signIn('support'))
  const payment = await takePendingPayment(context.request, desk.url)
  await page.goto(`/customers/${payment.customer.id}`)
  const list = new ListPage(page, 'Payments')
  await list.ready()
  const row = list.row(payment.id)
  await row.getByRole('button', { name: `Cancel payment ${payment.reference}`, exact: true }).click()
  await confirmCancellation(page.getByRole('alertdialog'), 'Moved away')
  await expect(row.locator('[data-outcome]')).toHaveAttribute('data-outcome', 'cancelled', { timeout: 45_000 })
  expect(await readCancellations(desk.dataDir, payment.id)).toHaveLength(1)
})

test('without a reason nothing is sent; "Keep payment" sends nothing either', async ({ page, desk, context }) => {
  await signIn(page, desk.signIn('support'))
  const payment = await takePendingPayment(context.request, desk.url)
  await page.goto(`/payments/${payment.id}`)
  const dialog = await openCancelDialog(page)
  await dialog.getByRole('button', { name: 'Cancel payment', exact: true }).click()
  await expect(dialog.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('Reason').fill('Changed my mind')
  await dialog.getByLabel('Reason').press('Enter')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Keep payment', exact: true }).click()
  await expect(dialog).toBeHidden()
  expect(await readCancellations(desk.dataDir, payment.id)).toHaveLength(0)
})

test('a viewer has no button, and the API answers 403 at both doors', async ({ page, desk, context }) => {
  await signIn(page, desk.signIn('viewer'))
  const payment = await takePendingPayment(context.request, desk.url)
  await page.goto(`/payments/${payment.id}`)
  await expect(page.getByRole('main')).toContainText(payment.reference)
  await expect(page.getByRole('button', { name: /^Cancel payment/u })).toHaveCount(0)
  await page.goto('/payments')
  await new ListPage(page, 'Payments').ready()
  await expect(page.getByRole('button', { name: /^Cancel payment/u })).toHaveCount(0)

  const desks = await callApi(context.request, `${desk.url}/api/desk/cancellations`, {
    method: 'POST',
    body: cancellationOf(payment, 'I may not'),
  })
  const documented = await callApi(context.request, `${desk.url}/api/service/Payments/${payment.id}`, {
    method: 'DELETE',
    body: { text: 'I may not' },
  })
  for (const response of [desks, documented]) {
    expect(response.status()).toBe(403)
    expect(response.headers()['content-type']).toContain('application/problem+json')
  }
  expect(await readCancellations(desk.dataDir, payment.id)).toHaveLength(0)
})
