import type { Page } from '@playwright/test'
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
  // The desk's own reply past the limit, once.
  const json = { type: 'https://debitdesk.example/problems/step-up', title: 'x', status: 403, proof: 'password' }
  let refused = 0
  await page.route('**/api/desk/cancellations', (route) => {
    if (route.request().method() !== 'POST' || refused === 2) return route.continue()
    refused += 1
    return route.fulfill({ status: 403, contentType: 'application/problem+json', json })
  })
  const dialog = await openCancelDialog(page)
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' })
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
  // The outcome replaces the button, so the focus moves to the row.
  await expect(row).toBeFocused()
  await expect(row.locator('[data-outcome]')).toHaveAttribute('data-outcome', 'cancelled', { timeout: 45_000 })
  // The payment is read again, and the row shows its new state.
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

test('a double click is one cancellation', async ({ page, desk, context }) => {
  await signIn(page, desk.signIn('support'))
  const payment = await takePendingPayment(context.request, desk.url)
  await page.goto(`/payments/${payment.id}`)
  const dialog = await openCancelDialog(page)
  await dialog.getByLabel('Reason').fill('Clicked twice')
  await dialog.getByRole('button', { name: 'Cancel payment', exact: true }).dblclick()
  await expect(outcomeOf(page)).toHaveAttribute('data-outcome', 'cancelled', { timeout: 45_000 })
  expect(await readCancellations(desk.dataDir, payment.id)).toHaveLength(1)
})

/** Opens a payment in two tabs of one user, each with its dialog open and a reason typed. */
async function openInTwoTabs(page: Page, paymentId: string | null) {
  const tabs = []
  for (const tab of [page, await page.context().newPage()]) {
    await tab.goto(`/payments/${paymentId}`)
    const dialog = await openCancelDialog(tab)
    await dialog.getByLabel('Reason').fill('From two tabs')
    tabs.push({ outcome: outcomeOf(tab), confirm: dialog.getByRole('button', { name: 'Cancel payment', exact: true }) })
  }
  return tabs
}

test('two tabs of one user are one cancellation', async ({ page, desk, context, watch }) => {
  watch.allowStatus(409)
  await signIn(page, desk.signIn('support'))
  const payment = await takePendingPayment(context.request, desk.url)
  const tabs = await openInTwoTabs(page, payment.id)
  await Promise.all(tabs.map(({ confirm }) => confirm.click()))
  for (const { outcome } of tabs)
    await expect(outcome).toHaveAttribute('data-outcome', 'cancelled', { timeout: 45_000 })
  expect(await readCancellations(desk.dataDir, payment.id)).toHaveLength(1)
})

test('a tab that asks when another has long cancelled says so', async ({ page, desk, context, watch }) => {
  watch.allowStatus(409)
  await signIn(page, desk.signIn('support'))
  const payment = await takePendingPayment(context.request, desk.url)
  for (const { outcome, confirm } of await openInTwoTabs(page, payment.id)) {
    await confirm.click()
    await expect(outcome).toHaveAttribute('data-outcome', 'cancelled', { timeout: 45_000 })
  }
  expect(await readCancellations(desk.dataDir, payment.id)).toHaveLength(1)
})

test('two users at once, through both doors, twenty times: one cancellation', async ({
  page,
  desk,
  context,
  browser,
}) => {
  await signIn(page, desk.signIn('support'))
  const second = await browser.newContext({ baseURL: desk.url })
  await signIn(await second.newPage(), desk.signIn('admin'))
  const payment = await takePendingPayment(context.request, desk.url)
  const attempts = [context, second].flatMap(({ request }) =>
    Array.from({ length: 5 }, () => [
      callApi(request, `${desk.url}/api/desk/cancellations`, {
        method: 'POST',
        body: cancellationOf(payment, 'At once'),
      }),
      callApi(request, `${desk.url}/api/service/Payments/${payment.id}`, {
        method: 'DELETE',
        body: { text: 'At once' },
      }),
    ]).flat(),
  )
  const statuses = (await Promise.all(attempts)).map((response) => response.status())
  expect(statuses.filter((status) => status === 202)).toHaveLength(1)
  expect(statuses.filter((status) => status !== 202 && status !== 409)).toEqual([])
  expect(await readCancellations(desk.dataDir, payment.id)).toHaveLength(1)
  await second.close()
})

test('the same key sent again is answered with the same cancellation', async ({ page, desk, context }) => {
  await signIn(page, desk.signIn('support'))
  const payment = await takePendingPayment(context.request, desk.url)
  const body = cancellationOf(payment, 'Sent again')
  const post = () => callApi(context.request, `${desk.url}/api/desk/cancellations`, { method: 'POST', body })
  const first = await post()
  const again = await post()
  expect(first.status()).toBe(202)
  expect(again.headers()['idempotency-replayed']).toBe('true')
  expect((await again.json()).id).toBe((await first.json()).id)
  expect(await readCancellations(desk.dataDir, payment.id)).toHaveLength(1)
})

test('a tab that is closed while the cancellation is on its way does not stop it', async ({ page, desk, context }) => {
  await signIn(page, desk.signIn('support'))
  const payment = await takePendingPayment(context.request, desk.url)
  await page.goto(`/payments/${payment.id}`)
  const dialog = await openCancelDialog(page)
  await dialog.getByLabel('Reason').fill('And gone')
  const sent = page.waitForRequest((request) => request.method() !== 'GET' && request.url().includes('cancellations'))
  await dialog.getByRole('button', { name: 'Cancel payment', exact: true }).click()
  await sent
  await page.close()
  const back = await context.newPage()
  await back.goto(`/payments/${payment.id}`)
  await expect(outcomeOf(back)).toHaveAttribute('data-outcome', 'cancelled', { timeout: 45_000 })
  expect(await readCancellations(desk.dataDir, payment.id)).toHaveLength(1)
})
