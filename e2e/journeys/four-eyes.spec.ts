import type { Locator, Page } from '@playwright/test'
import { findViolations } from '../support/accessibility'
import { callApi, cancellationOf, readPayments } from '../support/api'
import { openCancelDialog, readCancellations } from '../support/cancellation'
import { expect } from '../support/journey'
import { testOwnDesk } from '../support/own-desk'
import { signIn, signOut } from '../support/session'

/** A desk of its own, because the rule holds for a whole merchant. */
const test = testOwnDesk(async () => ({ SEED_PAYMENTS: '300' }))
test.describe.configure({ mode: 'serial' })

const pendingOnly = { filter: "status eq 'Pending'" }
const bulkState = (page: Page) => page.locator('[data-bulk]')
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })

/** Checks a pasted list and requests its approval. */
async function requestApproval(page: Page, ids: readonly string[]): Promise<void> {
  await page.goto('/payments/bulk')
  await page.getByLabel('Ids, handles or references', { exact: true }).fill(ids.join('\n'))
  await button(page, 'Check the list').click()
  await expect(page).toHaveURL(/\/bulk\/[\da-f-]{36}/u)
  await expect(bulkState(page)).toHaveAttribute('data-bulk', 'ready')
  await expect(page.getByText('A second person must approve this before anything is sent.')).toBeVisible()
  await page.getByLabel('Reason', { exact: true }).fill('Ordered twice')
  const name = `Request approval of ${ids.length} payments`
  await button(page, name).click()
  await button(page.getByRole('alertdialog', { name: `${name}?` }), 'Request approval').click()
  await expect(bulkState(page)).toHaveAttribute('data-bulk', 'awaiting')
}

test('an admin asks for a second person: the rule says what is missing, and keeps what was typed', async ({
  page,
  desk,
}) => {
  await signIn(page, desk.signIn('admin'), '/merchant')
  const section = page.getByRole('region', { name: 'Approval by a second person' })
  await expect(section).toContainText('Off: one person is enough.')
  await button(section, 'Change approval by a second person').click()
  await section.getByLabel('Every bulk cancellation').check()
  await button(section, 'Add an amount').click()
  await section.getByLabel('Currency 1').fill('DK')
  await section.getByLabel('Above amount 1').fill('2')
  await button(section, 'Save').click()
  await expect(section.getByLabel('Currency 1')).toHaveAccessibleDescription(/must be a currency code/u)
  await expect(section.getByLabel('Currency 1')).toBeFocused()
  await expect(section.getByLabel('Above amount 1')).toHaveValue('2')
  expect(await findViolations(page)).toEqual([])
  await section.getByLabel('Currency 1').fill('dkk')
  await button(section, 'Save').click()
  await expect(section).toContainText('Every bulk cancellation needs a second person.')
  await expect(section).toContainText(/Cancellations above 2\.00\sDKK need a second person/u)
})

test('what one person requests, another approves; nobody approves their own', async ({ page, desk, context }) => {
  await signIn(page, desk.signIn('support'), '/payments')
  const [first, second] = await readPayments(context.request, desk.url, pendingOnly)
  if (!first || !second) throw new Error('too few pending payments')
  await requestApproval(page, [first.id, second.id])
  const path = new URL(page.url()).pathname
  await expect(page.getByRole('main')).toContainText('You can’t approve your own.')
  await page.goto('/attention')
  await expect(page.getByRole('region', { name: 'Your requests for approval' })).toContainText('2 payments')
  await page.goto(path)
  await expect(button(page, 'Approve and cancel 2 payments')).toHaveCount(0)
  const bulk = path.split('/').at(-1) ?? ''
  const { digest } = await (await callApi(context.request, `${desk.url}/api/desk/bulk/${bulk}`)).json()
  const own = await callApi(context.request, `${desk.url}/api/desk/bulk/${bulk}/approval`, {
    method: 'POST',
    body: { decision: 'approve', count: 2, digest },
  })
  expect(own.status()).toBe(403)
  await page.reload()
  await expect(bulkState(page)).toHaveAttribute('data-bulk', 'awaiting')
  expect(await readCancellations(desk.dataDir, first.id)).toEqual([])

  await signOut(page)
  await signIn(page, desk.signIn('admin'), '/attention')
  const waiting = page.getByRole('region', { name: 'Waiting for your approval' })
  await expect(page.getByRole('link', { name: /^Needs attention.*1 request waits for your approval$/u })).toBeVisible()
  await waiting.getByRole('link', { name: 'Review 2 payments' }).click()
  await expect(page).toHaveURL(path)
  await expect(page.getByRole('table')).toContainText('Ordered twice')
  expect(await findViolations(page)).toEqual([])
  await button(page, 'Approve and cancel 2 payments').click()
  const dialog = page.getByRole('alertdialog', { name: 'Approve cancelling 2 payments?' })
  await expect(dialog).toContainText(desk.signIn('support').email)
  await button(dialog, 'Approve and cancel 2 payments').click()
  await expect(bulkState(page)).toHaveAttribute('data-bulk', 'finished', { timeout: 60_000 })
  for (const { id } of [first, second]) expect(await readCancellations(desk.dataDir, id)).toHaveLength(1)
  await page.goto('/activity')
  await expect(page.getByRole('main')).toContainText('Bulk cancellation approved')
})

test('a single payment above the amount is requested from its dialog, on a phone too; declined, nothing is sent', async ({
  page,
  desk,
  context,
  watch,
}) => {
  // 401: a read may be under way while the page signs out.
  watch.allowStatus(401, 409)
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, desk.signIn('support'), '/payments')
  const payment = (await readPayments(context.request, desk.url, pendingOnly))[0]
  if (!payment) throw new Error('no pending payment')
  const alone = await callApi(context.request, `${desk.url}/api/desk/cancellations`, {
    method: 'POST',
    body: cancellationOf(payment, 'Alone'),
  })
  expect(alone.status()).toBe(409)
  expect((await alone.json()).type).toMatch(/\/approval-needed$/u)
  await page.goto(`/payments/${payment.id}`)
  const dialog = await openCancelDialog(page)
  await dialog.getByLabel('Reason').fill('Paid by transfer')
  await button(dialog, 'Cancel payment').click()
  await button(dialog, 'Request approval').click()
  await expect(bulkState(page)).toHaveAttribute('data-bulk', 'ready')
  await button(page, 'Request approval of 1 payment').click()
  await button(page.getByRole('alertdialog'), 'Request approval').click()
  await expect(bulkState(page)).toHaveAttribute('data-bulk', 'awaiting')
  const { pathname } = new URL(page.url())

  await signOut(page)
  await signIn(page, desk.signIn('admin'), pathname)
  await expect(page.getByRole('main')).toContainText('Paid by transfer')
  await button(page, 'Decline').click()
  const declining = page.getByRole('alertdialog', { name: 'Decline this request?' })
  await declining.getByLabel('Why').fill('The transfer bounced')
  await button(declining, 'Decline').click()
  await expect(bulkState(page)).toHaveAttribute('data-bulk', 'declined')
  await expect(page.getByRole('main')).toContainText('The transfer bounced')
  await expect(page.getByRole('main')).toContainText('Nothing was sent.')
  expect(await readCancellations(desk.dataDir, payment.id)).toEqual([])
})

test('a request is withdrawn by who made it', async ({ page, desk, context }) => {
  await signIn(page, desk.signIn('support'), '/payments')
  const ids = (await readPayments(context.request, desk.url, pendingOnly)).slice(0, 3).map(({ id }) => id)
  await requestApproval(page, ids)
  await button(page, 'Withdraw request').click()
  const dialog = page.getByRole('alertdialog', { name: 'Withdraw this request?' })
  await button(dialog, 'Keep request').click()
  await expect(dialog).toBeHidden()
  await button(page, 'Withdraw request').click()
  await button(dialog, 'Withdraw request').click()
  await expect(bulkState(page)).toHaveAttribute('data-bulk', 'declined')
  await expect(page.getByRole('main')).toContainText('Withdrawn by')
  for (const id of ids) expect(await readCancellations(desk.dataDir, id)).toEqual([])
})
