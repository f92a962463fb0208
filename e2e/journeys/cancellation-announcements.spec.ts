import type { Page } from '@playwright/test'
import { confirmCancellation, openCancelDialog } from '../support/cancellation'
import { expect } from '../support/journey'
import { testBehindFaults } from '../support/own-desk'
import { takePendingPayment } from '../support/api'
import { readRegions } from '../support/accessibility'
import { signIn } from '../support/session'

/*
 * AX-03: a changed outcome is a status, a failure an alert, and neither relies on colour. Checked in the accessibility
 * tree of the browser.
 */
const test = testBehindFaults(async () => ({ CANCEL_GRACE: '3 s' }))

/** The text and icon that show an outcome without colours. */
async function readWithoutColour(page: Page): Promise<{ words: string; picture: string | null }> {
  await page.emulateMedia({ forcedColors: 'active' })
  const shown = page.getByRole('region', { name: 'Cancellation' }).locator('[data-outcome]')
  const words = await shown.innerText()
  const picture = await shown.evaluate((badge) => {
    const mark = getComputedStyle(badge, '::before')
    const isSeen = mark.backgroundColor === getComputedStyle(badge).color && mark.maskImage.startsWith('url(')
    return isSeen ? mark.maskImage : null
  })
  await page.emulateMedia({ forcedColors: 'none' })
  return { words: words.trim(), picture }
}

test('an outcome that becomes known is a status, in words, and the focus lands where it stands', {
  tag: '@long',
}, async ({ page, pair, context }) => {
  test.setTimeout(150_000)
  await signIn(page, pair.admin)
  const payment = await takePendingPayment(context.request, pair.desk.url)
  await page.goto(`/payments?open=${payment.id}`)
  const dialog = await openCancelDialog(page)
  pair.proxy.setFault('swallow-reply')
  await confirmCancellation(dialog, 'Lost on the way')
  // Keeps the outcome unknown until it was checked, however slow this machine is.
  await pair.proxy.sawDelete()
  pair.proxy.refuseReads((path) => path.includes('Payments'))
  await expect.poll(() => readRegions(page, 'status'), { timeout: 60_000 }).toContain('Outcome unknown')
  expect(await readRegions(page, 'alert')).not.toContain('Outcome unknown')
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  const unknown = await readWithoutColour(page)
  expect(unknown.words).toBe('Outcome unknown')
  expect(unknown.picture).not.toBeNull()

  pair.proxy.refuseReads(null)
  await expect.poll(() => readRegions(page, 'status'), { timeout: 60_000 }).toMatch(/Cancelled: .*“?.*/u)
  expect(await readRegions(page, 'alert')).not.toContain('Cancelled')
  const cancelled = await readWithoutColour(page)
  expect(cancelled.words).toBe('Cancelled')
  expect(cancelled.picture).not.toBe(unknown.picture)
  await expect(page.getByRole('region', { name: 'Cancellation' })).toBeFocused()
  pair.proxy.setFault('pass')
})

test('a cancellation that fails is an alert, in words', { tag: '@long' }, async ({ page, pair, context, watch }) => {
  test.setTimeout(150_000)
  watch.allowStatus(409, 502, 503, 504)
  await signIn(page, pair.admin)
  const payment = await takePendingPayment(context.request, pair.desk.url)
  await page.goto(`/payments/${payment.id}`)
  const dialog = await openCancelDialog(page)
  await pair.proxy.goAway()
  await confirmCancellation(dialog, 'Nobody is there')
  await expect
    .poll(() => readRegions(page, 'alert'), { timeout: 60_000 })
    .toMatch(/couldn’t (?:be loaded|read the payment) again|Not cancelled/u)
  await pair.proxy.comeBack()
  await dialog.getByRole('button', { name: 'Keep payment', exact: true }).click()
  await expect(dialog).toHaveCount(0)
})
