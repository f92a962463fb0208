import type { Page } from '@playwright/test'
import { callApi, cancellationOf, takePendingPayment } from '../support/api'
import { expect, test } from '../support/journey'
import { signIn } from '../support/session'

const field = (page: Page) => page.getByLabel('Callback address', { exact: true })
const subscribe = (page: Page) => page.getByRole('button', { name: 'Subscribe', exact: true })
const row = (page: Page, address: string) => page.locator(`[data-webhook="${address}"]`)
const unique = () => `https://hooks.example.com/${crypto.randomUUID()}`

async function remove(page: Page, address: string): Promise<void> {
  await row(page, address).getByRole('button', { name: 'Unsubscribe', exact: true }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Unsubscribe this address?' })
  await expect(dialog).toContainText(address)
  await dialog.getByRole('button', { name: 'Unsubscribe', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(row(page, address)).toHaveCount(0)
}

test('an address is subscribed after a second thought, changed, and unsubscribed', { tag: '@long' }, async ({
  page,
  desk,
  watch,
}) => {
  const [address, other] = [unique(), unique()]
  watch.allowStatus(400)
  await signIn(page, desk.signIn('admin'), '/webhooks')
  await field(page).fill(address)
  await subscribe(page).click()
  await expect(page.getByText('Press the button again to subscribe it anyway')).toBeVisible()
  await expect(row(page, address)).toHaveCount(0)
  await subscribe(page).click()
  await expect(row(page, address)).toBeVisible()
  await expect(page.getByText('Its signing secret, shown only once')).toBeVisible()
  await expect(field(page)).toHaveValue('')

  await field(page).fill(address)
  await subscribe(page).click()
  await expect(page.getByText('Callback address is already subscribed.')).toBeVisible()
  await field(page).fill('')

  await row(page, address).getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByLabel('New callback address', { exact: true }).fill(other)
  const change = page.getByRole('button', { name: 'Replace address' })
  await change.click()
  await expect(page.getByText('Press the button again')).toBeVisible()
  await change.click()
  await expect(row(page, other)).toBeVisible()
  await expect(row(page, address)).toHaveCount(0)
  await remove(page, other)
})

test('an address that must not be subscribed is told before anything is sent', async ({ page, desk }) => {
  await signIn(page, desk.signIn('admin'), '/webhooks')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url())
  })
  for (const [address, reason] of [
    ['http://hooks.example.com/', /must start with https:\/\/, because unencrypted/u],
    ['https://10.0.0.1/hooks', /this is an address on a private network/u],
    ['https://user:secret@hooks.example.com/', /must not contain a username or password/u],
    ['javascript:alert(1)', /must start with https:\/\/\. /u],
    ['nonsense', /must be an address such as/u],
  ] as const) {
    await field(page).fill(address)
    await subscribe(page).click()
    await expect(field(page)).toHaveAttribute('aria-invalid', 'true')
    await expect(field(page)).toHaveAccessibleDescription(reason)
    await field(page).fill('')
    await expect(field(page)).not.toHaveAccessibleDescription(reason)
  }
  expect(sent).toEqual([])
})

test('the inbox is subscribed with one click and shows by itself what the service reports', { tag: '@long' }, async ({
  page,
  desk,
  browser,
  context,
  watch,
}) => {
  test.setTimeout(120_000)
  watch.allowStatus(400)
  await signIn(page, desk.signIn('admin'), '/webhooks')
  await page.getByRole('button', { name: 'Subscribe the inbox' }).click()
  const own = page.locator('[data-webhook]', { hasText: 'Debitdesk inbox' })
  await expect(own).toHaveCount(1)
  const address = (await own.getAttribute('data-webhook')) ?? ''
  await expect(page.getByText('Signatures aren’t checked yet')).toBeVisible()

  const payment = await takePendingPayment(context.request, desk.url)
  const body = cancellationOf(payment, 'For the inbox')
  await callApi(context.request, `${desk.url}/api/desk/cancellations`, { method: 'POST', body })
  const delivery = page.locator('[data-inbox] [data-verdict="valid"]', { hasText: 'payment cancelled' }).first()
  await expect(delivery).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('Signatures are checked')).toBeVisible()
  await delivery.locator('summary').click()
  await expect(delivery).toContainText(payment.id)
  await expect(delivery.getByRole('link', { name: 'Open payment' })).toHaveAttribute('href', `/payments/${payment.id}`)

  // The payment's page shows the same, once it is asked for.
  const story = await context.newPage()
  await story.goto(`/payments/${payment.id}`)
  await story.getByRole('button', { name: 'Show all activity' }).click()
  const timeline = story.getByRole('region', { name: 'Timeline' })
  await expect(timeline.locator('[data-verdict="valid"]').first()).toContainText('cancelled')
  await expect(timeline.locator('[data-action="cancellation.intended"] ~ [data-verdict="valid"]').first()).toBeVisible()
  await story.close()

  // Unsigned: refused, counted and not stored.
  const forged = { objectType: 'payment', eventType: 'forged', data: { id: payment.id } }
  expect((await context.request.post(address, { data: forged })).status()).toBe(403)
  expect((await context.request.post(address, { data: 'x'.repeat(21_000) })).status()).toBe(413)
  expect((await context.request.post(`${address}x`, { data: forged })).status()).toBe(404)
  await expect(page.getByText('1 delivery was refused because of its signature or its time:')).toBeVisible()
  await expect(page.locator('[data-inbox]', { hasText: 'payment forged' })).toHaveCount(0)

  // A new address: the service is updated, the old address no longer works, and the new secret is stored.
  await page.getByRole('button', { name: 'Renew address', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Renew address', exact: true }).click()
  await expect(own).not.toHaveAttribute('data-webhook', address)
  await expect(own).toHaveCount(1)
  expect((await context.request.post(address, { data: forged })).status()).toBe(404)
  await expect(page.getByText('Signatures aren’t checked yet')).toBeVisible()
  await expect(page.getByRole('region', { name: /^Confirmations/u })).toContainText('The inbox has a new address')
  const valid = page.locator('[data-inbox] [data-verdict="valid"]')
  const before = await valid.count()
  const next = await takePendingPayment(context.request, desk.url)
  const another = cancellationOf(next, 'For the renewed inbox')
  await callApi(context.request, `${desk.url}/api/desk/cancellations`, { method: 'POST', body: another })
  // Messages to the old address stay, and new ones arrive at the new address.
  await expect.poll(() => valid.count(), { timeout: 60_000 }).toBeGreaterThan(before)

  // A viewer sees that it is the inbox, but never the secret end of its address.
  const renewed = (await own.getAttribute('data-webhook')) ?? ''
  const readers = await browser.newContext({ baseURL: desk.url })
  const reader = await readers.newPage()
  await signIn(reader, desk.signIn('viewer'), '/webhooks')
  await expect(reader.locator('[data-webhook]', { hasText: 'Debitdesk inbox' })).toContainText('/hooks/…')
  await expect(reader.getByText('Only admins can see it.')).toBeVisible()
  const told = [await reader.content()]
  for (const path of ['/', '/webhooks', '/activity', '/api/desk/inbox', '/api/service/Merchants/webhooks'])
    told.push(await (await callApi(readers.request, desk.url + path, { method: 'GET' })).text())
  expect(renewed).toMatch(/\/hooks\/[\w-]{32}$/u)
  expect(told.filter((text) => text.includes(renewed.slice(-32)))).toEqual([])
  await readers.close()

  // An invalid secret is refused at its field; one of another service makes every signature wrong.
  const secret = page.getByLabel('Signing secret', { exact: true })
  const change = page.getByRole('button', { name: 'Change signing secret', exact: true })
  await change.click()
  await expect(secret).toBeFocused()
  // Cancelling takes one click and shows no validation errors.
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(secret).toHaveCount(0)
  await expect(change).toBeFocused()
  await change.click()
  await secret.fill('nonsense')
  await page.getByRole('button', { name: 'Save secret', exact: true }).click()
  await expect(secret).toHaveAttribute('aria-invalid', 'true')
  await secret.fill(`whsec_${Buffer.alloc(32, 7).toString('base64')}`)
  await page.getByRole('button', { name: 'Save secret', exact: true }).click()
  await expect(secret).toHaveCount(0)
  await expect(page.getByRole('region', { name: /^Confirmations/u })).toContainText('Signing secret saved')
  await remove(page, (await own.getAttribute('data-webhook')) ?? '')
})

test('others than an admin look and cannot change', async ({ page, desk, context }) => {
  await signIn(page, desk.signIn('support'), '/webhooks')
  await expect(page.getByText('Only an admin can subscribe')).toBeVisible()
  await expect(subscribe(page)).toHaveCount(0)
  for (const path of [
    '/api/desk/webhooks/probe',
    '/api/desk/inbox/subscription',
    '/api/service/Merchants/webhooks/subscribe',
  ]) {
    const reply = await callApi(context.request, desk.url + path, { method: 'POST', body: { webhookUrl: unique() } })
    expect(reply.status()).toBe(403)
  }
})
