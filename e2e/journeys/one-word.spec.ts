import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { confirmCancellation, openCancelDialog } from '../support/cancellation'
import { expect } from '../support/journey'
import { testFakeUpstream } from '../support/own-desk'
import { signIn } from '../support/session'

const test = testFakeUpstream({ CANCEL_GRACE: '1 s' })

const customer = { id: '7b0c6f0e-6f5b-4f57-9a53-3f3b7f4f0012', name: 'Ann Example', number: '1', mandates: [] }
const payment = {
  id: '7b0c6f0e-6f5b-4f57-9a53-3f3b7f4f0011',
  handle: 'pay-0011',
  reference: 'INV-0011',
  amount: 12_500,
  currency: 'DKK',
  status: 'Pending',
  scheduleDate: '2099-01-01T00:00:00Z',
  paymentDate: '2099-01-02T00:00:00Z',
  modifiedAt: '2026-11-01T09:00:00Z',
  customer,
}

/** The states in the exported CSV of payments. */
async function exportStates(page: Page): Promise<string> {
  await page.goto('/payments')
  await expect(page.locator('[data-walk]')).toHaveAttribute('data-walk', 'complete')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Export payments' })
  await dialog.getByRole('button', { name: 'Start export' }).click()
  await expect(dialog.locator('[data-export="complete"]')).toBeVisible({ timeout: 30_000 })
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Download CSV' }).click(),
  ])
  return readFile(await file.path(), 'utf8')
}

const places = ['/payments', `/payments?open=${payment.id}`, `/payments/${payment.id}`, `/customers/${customer.id}`]

/** The badge with the payment's state from the service. */
const stateOf = (page: Page) => page.locator('.state-mark').first()

/** All outcomes of the payment's cancellation on the page. */
function readOutcomes(page: Page): Promise<(string | undefined)[]> {
  return page.locator('[data-outcome]').evaluateAll((all) => all.map((one) => one.dataset.outcome))
}

test('while a cancellation is on its way every page says the same word of it, and none says Cancelled (CX-33)', {
  tag: '@long',
}, async ({ page, foreign }) => {
  test.setTimeout(150_000)
  let status = 'Pending'
  const now = () => ({ ...payment, status })
  foreign.answer(() => ({ body: { results: [now()], hasMore: false, nextOffset: null } }))
  foreign.answerElse((method, path) => {
    if (method === 'DELETE') return { status: 202, body: null }
    if (path === `/Customers/${customer.id}`) return { body: customer }
    if (path === '/Customers') return { body: { results: [customer], hasMore: false, nextOffset: null } }
    return null
  })
  await signIn(page, foreign.admin)
  await page.goto(`/payments/${payment.id}`)
  await confirmCancellation(await openCancelDialog(page), 'Ordered twice')
  await expect(page.locator('[data-outcome]').first()).toHaveAttribute('data-outcome', 'requested')

  for (const place of [...places, '/']) {
    await page.goto(place)
    await expect(page.getByText('Cancellation requested').first(), place).toBeVisible()
    expect(new Set(await readOutcomes(page)), place).toEqual(new Set(['requested']))
    await expect(page.locator('.state-mark').filter({ hasText: 'Cancelled' })).toHaveCount(0)
  }
  expect(await exportStates(page)).not.toContain('Cancelled')
  await page.goto('/activity')
  await expect(page.locator('[data-action="cancellation.accepted"]')).toBeVisible()
  await expect(page.locator('[data-action="cancellation.cancelled"]')).toHaveCount(0)

  status = 'Cancelled'
  await page.goto(`/payments/${payment.id}`)
  await expect(page.locator('[data-outcome]').first()).toHaveAttribute('data-outcome', 'cancelled', { timeout: 60_000 })
  for (const place of places) {
    await page.goto(place)
    await expect(stateOf(page), place).toHaveText('Cancelled')
    expect(new Set([...(await readOutcomes(page)), 'cancelled']), place).toEqual(new Set(['cancelled']))
  }
  expect(await exportStates(page)).toContain(',Cancelled,')
  await page.goto('/activity')
  await expect(page.locator('[data-action="cancellation.cancelled"]')).toBeVisible()
})
