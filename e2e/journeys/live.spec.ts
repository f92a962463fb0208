import type { Browser, BrowserContext, Page } from '@playwright/test'
import { callApi, cancellationOf, takePendingPayment } from '../support/api'
import type { SignIn } from '../support/desk'
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

/** Signs in as an admin in a browser of its own. */
async function openOther(browser: Browser, desk: { url: string; signIn: (role: 'admin') => SignIn }) {
  const others = await browser.newContext({ baseURL: desk.url })
  await signIn(await others.newPage(), desk.signIn('admin'))
  return others
}

async function createCustomer(others: BrowserContext, url: string, name: string): Promise<void> {
  const created = await callApi(others.request, `${url}/api/service/Customers`, {
    method: 'POST',
    body: { name },
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  expect(created.ok()).toBe(true)
}

test('what one person cancels appears in another’s open list by itself', async ({ page, desk, browser }) => {
  await signIn(page, desk.signIn('support'))
  const payment = await takePendingPayment(page.context().request, desk.url)
  await openLive(page, '/payments')
  await page.getByLabel('Search', { exact: true }).fill(payment.reference)
  const row = new ListPage(page, 'Payments').row(payment.id)
  await expect(row).toBeVisible()
  await expect(row.locator('[data-outcome]')).toHaveCount(0)

  const others = await openOther(browser, desk)
  const body = cancellationOf(payment, 'By somebody else')
  const requested = await callApi(others.request, `${desk.url}/api/desk/cancellations`, { method: 'POST', body })
  expect(requested.ok()).toBe(true)
  // Well before a page would have polled: this one knew of nothing open.
  await expect(row.locator('[data-outcome]').first()).toBeVisible({ timeout: 8_000 })
  await expect(row).toHaveAttribute('data-status', 'Cancelled', { timeout: 60_000 })
  await others.close()
})

test('a customer that somebody else creates is offered at the head of an open list', { tag: '@long' }, async ({
  page,
  desk,
  browser,
}) => {
  await signIn(page, desk.signIn('support'))
  await openLive(page, '/customers')
  const others = await openOther(browser, desk)
  await createCustomer(others, desk.url, 'Ærø Bådebyggeri')
  // Where another journey has just changed a customer, the list is read again after 15 s.
  await expect(page.getByRole('button', { name: /^\d+ new/u })).toBeVisible({ timeout: 20_000 })
  await others.close()
})

test('a note of a colleague appears on the open page of its payment', { tag: '@long' }, async ({
  page,
  desk,
  browser,
}) => {
  await signIn(page, desk.signIn('support'))
  const payment = await takePendingPayment(page.context().request, desk.url)
  await openLive(page, `/payments/${payment.id}`)
  const notes = page.getByRole('region', { name: 'Notes' })
  await expect(notes.getByRole('button', { name: 'Add note' })).toBeVisible()
  const others = await openOther(browser, desk)
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

test('new entries of the activity log wait at its head; what is read there stays in place', { tag: '@long' }, async ({
  page,
  desk,
  browser,
}) => {
  await signIn(page, desk.signIn('support'))
  await openLive(page, '/activity?action=customer.create')
  const others = await openOther(browser, desk)
  await createCustomer(others, desk.url, 'The first of them')
  const newEntries = page.getByRole('button', { name: /^\d+ new/u })
  await expect(newEntries).toBeVisible({ timeout: 8_000 })
  await newEntries.click()
  const entries = page.getByRole('list', { name: 'Activity' }).getByRole('listitem')
  await expect(entries.first()).toContainText('Customer created')
  const [first] = await entries.evaluateAll((all) => all.map((entry) => entry.getAttribute('data-row-id')))

  // An opened entry and the focus on it stay while more is written.
  await entries.first().locator('summary').press('Enter')
  const readHeight = async () => (await entries.first().boundingBox())?.height
  await expect.poll(readHeight).toBeGreaterThan(100)
  const place = await entries.first().boundingBox()
  await createCustomer(others, desk.url, 'The second of them')
  await expect(page.getByRole('button', { name: '1 new', exact: true })).toBeVisible({ timeout: 8_000 })
  const opened = page.locator(`[data-row-id="${first}"]`)
  expect(await opened.boundingBox()).toEqual(place)
  await expect(opened.locator('summary')).toBeFocused()
  await page.getByRole('button', { name: '1 new', exact: true }).press('Enter')
  await expect(entries.nth(1)).toHaveAttribute('data-row-id', first ?? '')
  await expect(opened.locator('details')).toHaveAttribute('open', '')
  await expect(newEntries).toHaveCount(0)
  // The keyboard goes on at the newest entry.
  await page.keyboard.press('Tab')
  await expect(entries.first().locator('summary')).toBeFocused()
  await others.close()
})

test('an entry of the log is read by pages that show it, and by no other', { tag: '@long' }, async ({
  page,
  desk,
  context,
  browser,
}) => {
  await signIn(page, desk.signIn('support'))
  const payment = await takePendingPayment(context.request, desk.url)
  await openLive(page, `/customers/${payment.customer.id}`)
  const timeline = page.getByRole('region', { name: 'Activity', exact: true })
  await expect(timeline.getByText('No activity')).toBeVisible()
  const others = await openOther(browser, desk)
  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  // Of another customer: this page is told, and has nothing to read.
  await createCustomer(others, desk.url, 'Somebody else')
  await page.waitForTimeout(3_000)
  expect(paths).not.toContain('/api/desk/activity')
  const note = { kind: 'customer', objectId: payment.customer.id, objectName: '', text: 'They moved' }
  const added = await callApi(others.request, `${desk.url}/api/desk/notes`, {
    method: 'POST',
    body: { ...note, assigneeId: null, dueDay: null },
  })
  expect(added.ok()).toBe(true)
  await expect(timeline.getByRole('listitem').first()).toContainText('Note added', { timeout: 8_000 })
  await others.close()
})

test('an address that somebody else subscribes appears in the open list of webhooks', { tag: '@long' }, async ({
  page,
  desk,
  browser,
}) => {
  await signIn(page, desk.signIn('support'))
  await openLive(page, '/webhooks')
  const others = await openOther(browser, desk)
  const webhookUrl = `https://example.com/hooks/${crypto.randomUUID()}`
  const subscribed = await callApi(others.request, `${desk.url}/api/service/Merchants/webhooks/subscribe`, {
    method: 'POST',
    body: { webhookUrl },
  })
  expect(subscribed.ok(), await subscribed.text()).toBe(true)
  await expect(page.locator(`[data-webhook="${webhookUrl}"]`)).toBeVisible({ timeout: 8_000 })
  const again = await callApi(others.request, `${desk.url}/api/service/Merchants/webhooks/unsubscribe`, {
    method: 'POST',
    body: { webhookUrl },
  })
  expect(again.ok(), await again.text()).toBe(true)
  await expect(page.locator(`[data-webhook="${webhookUrl}"]`)).toHaveCount(0, { timeout: 8_000 })
  await others.close()
})

test('the tabs of a browser share one connection, and it ends with the session', { tag: '@long' }, async ({
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
