import { findViolations } from '../support/accessibility'
import { callApi, readPayments } from '../support/api'
import { confirmCancellation, openCancelDialog, outcomeOf } from '../support/cancellation'
import { expect } from '../support/journey'
import { testOwnDesk } from '../support/own-desk'
import { addMember, signIn, signOut, waitForScript } from '../support/session'

/** A desk of its own, because members and rules hold for a whole merchant. */
const test = testOwnDesk(async () => ({ SEED_PAYMENTS: '300' }))
test.describe.configure({ mode: 'serial' })

test('an auditor sees activity and makes exports, and nothing else', async ({ page, desk, playwright, watch }) => {
  watch.allowStatus(403)
  const auditor = await addMember(playwright, desk.url, { admin: desk.signIn('admin'), role: 'auditor' })
  await signIn(page, auditor, '/')
  await expect(page).toHaveURL(/\/activity$/u)
  const places = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect(places).toHaveText(['Activity', 'Exports'])
  // Others' sign-ins are in the log, without ways to records.
  await page
    .getByRole('listitem')
    .filter({ hasText: desk.signIn('admin').email })
    .first()
    .click()
  await expect(page.getByRole('link', { name: /^Open /u })).toHaveCount(0)

  await page.goto('/payments')
  await expect(page).toHaveURL(/\/team\/roles\?refused=1$/u)
  await expect(page.getByText('Your role doesn’t open that page')).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Auditor Your role' })).toBeVisible()
  await expect(page.getByRole('row', { name: /^Cancel payments one by one.* Yes Yes Yes No No$/u })).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  for (const path of ['/api/service/Payments', '/api/desk/search?q=a', '/api/desk/overview', '/api/desk/bulk'])
    expect((await callApi(page.request, desk.url + path)).status()).toBe(403)

  await page.getByRole('link', { name: 'Exports' }).click()
  await waitForScript(page)
  await page.getByLabel('Period', { exact: true }).selectOption({ label: 'Choose dates' })
  await page.getByLabel('From', { exact: true }).fill('2020-01-01')
  await page.getByLabel('To', { exact: true }).fill('2019-01-01')
  await expect(page.getByLabel('To', { exact: true })).toHaveAccessibleDescription(/./u)
  await page.getByLabel('To', { exact: true }).fill('')
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Start export' }).click()
  const result = page.locator('[data-export="complete"]')
  await expect(result).toBeVisible({ timeout: 30_000 })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    result.getByRole('link', { name: 'Download CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^payments-.*\.csv$/u)
  await page.getByRole('button', { name: 'New export' }).click()
  await page.getByLabel('List', { exact: true }).selectOption({ label: 'Customers' })
  await page.getByLabel('Period', { exact: true }).selectOption({ label: 'Last 30 days' })
  await page.getByLabel('Repeat').selectOption({ label: 'Every week' })
  await page.getByRole('button', { name: 'Schedule export' }).click()
  await expect(page.getByRole('list', { name: 'Scheduled exports' })).toContainText('created Last 30 days')
})

test('support without bulk cancels one by one', async ({ page, desk, playwright }) => {
  const single = await addMember(playwright, desk.url, { admin: desk.signIn('admin'), role: 'support-without-bulk' })
  await signIn(page, single, '/payments?state=Pending')
  await expect(page.getByRole('link', { name: 'Bulk cancellation' })).toHaveCount(0)
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await page.goto('/payments/bulk')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(
    'Only these roles can start bulk cancellations: Admin and Support.',
  )
  await expect(page.getByLabel('Ids, handles or references', { exact: true })).toHaveCount(0)
  const [payment] = await readPayments(page.request, desk.url, { filter: "status eq 'Pending'" })
  await page.goto(`/payments/${payment?.id}`)
  await confirmCancellation(await openCancelDialog(page), 'Ordered twice')
  await expect(outcomeOf(page)).toHaveAttribute('data-outcome', 'cancelled', { timeout: 20_000 })
})

test('an amount above which only support needs a second person', { tag: '@long' }, async ({ page, desk, watch }) => {
  watch.allowStatus(409)
  await signIn(page, desk.signIn('admin'), '/merchant')
  const section = page.getByRole('region', { name: 'Approval by a second person' })
  await section.getByRole('button', { name: 'Change approval by a second person' }).click()
  const lower = section.getByRole('group', { name: 'Lower amounts for support' })
  await lower.getByRole('button', { name: 'Add an amount for support' }).click()
  await lower.getByLabel('Currency 1').fill('DKK')
  await lower.getByLabel('Above amount 1').fill('x')
  await section.getByRole('button', { name: 'Save' }).click()
  await expect(lower.getByLabel('Above amount 1')).toBeFocused()
  await expect(lower.getByLabel('Above amount 1')).toHaveAccessibleDescription(/must be a number/u)
  await lower.getByLabel('Above amount 1').fill('0')
  await section.getByRole('button', { name: 'Save' }).click()
  await expect(section).toContainText(/From support, cancellations above 0\.00\sDKK need a second person/u)
  await page.goto('/team/roles')
  await expect(page.getByRole('region', { name: 'Rules for everyone here' })).toContainText(/From support, .*0\.00/u)
  await signOut(page)

  await signIn(page, desk.signIn('support'), '/payments')
  const [payment] = await readPayments(page.request, desk.url, { filter: "status eq 'Pending'" })
  if (!payment) throw new Error('no pending payment')
  await page.goto(`/payments/${payment.id}`)
  const dialog = await openCancelDialog(page)
  await confirmCancellation(dialog, 'Ordered twice')
  await expect(dialog.getByRole('button', { name: 'Request approval' })).toBeVisible()
  await page.goto('/account')
  await signOut(page)

  await signIn(page, desk.signIn('admin'), `/payments/${payment.id}`)
  await confirmCancellation(await openCancelDialog(page), 'Ordered twice')
  await expect(outcomeOf(page)).toHaveAttribute('data-outcome', 'cancelled', { timeout: 20_000 })
})
