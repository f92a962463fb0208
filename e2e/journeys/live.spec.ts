import type { BrowserContext, Page } from '@playwright/test'
import { callApi, cancellationOf, takePendingPayment } from '../support/api'
import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'
import { signIn } from '../support/session'

const isStream = (url: string) => new URL(url).pathname === '/api/desk/events'

/** Counts the streams that the pages of a context open. */
function countStreams(context: BrowserContext) {
  const counted = { opened: 0 }
  context.on('request', (request) => {
    if (isStream(request.url())) counted.opened += 1
  })
  return counted
}

/** Waits until the page is told of changes, a few seconds after its load. */
async function openLive(page: Page, path: string): Promise<void> {
  const stream = page.waitForResponse((response) => isStream(response.url()) && response.status() === 200)
  await page.goto(path)
  await stream
}

test('what one person cancels appears in another’s open list by itself', async ({ page, desk, browser }) => {
  await signIn(page, desk.signIn('support'))
  const payment = await takePendingPayment(page.context().request, desk.url)
  await openLive(page, '/payments')
  await page.getByLabel('Search', { exact: true }).fill(payment.reference)
  const row = new ListPage(page, 'Payments').row(payment.id)
  await expect(row).toBeVisible()
  await expect(row.locator('[data-outcome]')).toHaveCount(0)

  const others = await browser.newContext({ baseURL: desk.url })
  const other = await others.newPage()
  await signIn(other, desk.signIn('admin'))
  const body = cancellationOf(payment, 'By somebody else')
  const requested = await callApi(others.request, `${desk.url}/api/desk/cancellations`, { method: 'POST', body })
  expect(requested.ok()).toBe(true)
  // Well before a page would have polled: this one knew of nothing open.
  await expect(row.locator('[data-outcome]').first()).toBeVisible({ timeout: 8_000 })
  await expect(row).toHaveAttribute('data-status', 'Cancelled', { timeout: 60_000 })
  await others.close()
})

test('a customer that somebody else creates is offered at the head of an open list', async ({
  page,
  desk,
  browser,
}) => {
  await signIn(page, desk.signIn('support'))
  await openLive(page, '/customers')
  const others = await browser.newContext({ baseURL: desk.url })
  const other = await others.newPage()
  await signIn(other, desk.signIn('admin'))
  const created = await callApi(others.request, `${desk.url}/api/service/Customers`, {
    method: 'POST',
    body: { name: 'Ærø Bådebyggeri' },
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  expect(created.ok()).toBe(true)
  await expect(page.getByRole('button', { name: /^\d+ new/u })).toBeVisible({ timeout: 8_000 })
  await others.close()
})

test('a note of a colleague appears on the open page of its payment', async ({ page, desk, browser }) => {
  await signIn(page, desk.signIn('support'))
  const payment = await takePendingPayment(page.context().request, desk.url)
  await openLive(page, `/payments/${payment.id}`)
  const notes = page.getByRole('region', { name: 'Notes' })
  await expect(notes.getByRole('button', { name: 'Add note' })).toBeVisible()
  const others = await browser.newContext({ baseURL: desk.url })
  const other = await others.newPage()
  await signIn(other, desk.signIn('admin'))
  const text = `They call back ${crypto.randomUUID()}`
  const added = await callApi(others.request, `${desk.url}/api/desk/notes`, {
    method: 'POST',
    body: {
      kind: 'payment',
      objectId: payment.id,
      objectName: payment.reference,
      text,
      assigneeId: null,
      dueDay: null,
    },
  })
  expect(added.ok()).toBe(true)
  await expect(notes.getByText(text)).toBeVisible({ timeout: 8_000 })
  await others.close()
})

test('the tabs of a browser share one connection, and it ends with the session', async ({
  page,
  desk,
  context,
  watch,
}) => {
  watch.allowStatus(401)
  await signIn(page, desk.signIn('support'))
  const streams = countStreams(context)
  await openLive(page, '/payments')
  const second = await context.newPage()
  await second.goto('/customers')
  // Longer than the tab waits before it connects.
  await second.waitForTimeout(5_000)
  expect(streams.opened).toBe(1)

  // The tab that was connected is closed: the other one takes over.
  await page.close()
  await expect.poll(() => streams.opened, { timeout: 15_000 }).toBe(2)

  // It is ended elsewhere: so is the stream, and none is opened any more, a while later.
  const refused = second.waitForResponse((response) => isStream(response.url()) && response.status() === 401)
  const listed = await callApi(context.request, `${desk.url}/api/desk/sessions`)
  const { sessions }: { sessions: { sessionId: string; isCurrent: boolean }[] } = await listed.json()
  const own = sessions.find(({ isCurrent }) => isCurrent)?.sessionId
  await callApi(context.request, `${desk.url}/api/desk/sessions/${own}`, { method: 'DELETE' })
  await refused
})
