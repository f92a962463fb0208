import type { Page } from '@playwright/test'
import { callApi, cancellationOf, takePendingPayment } from '../support/api'
import { openCancelDialog, outcomeOf, readCancellations } from '../support/cancellation'
import { expect, test } from '../support/journey'
import { signIn } from '../support/session'

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

/** The same payment in two tabs of one user, each with its dialog open and a reason typed. */
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
