import { openCancelDialog } from '../support/cancellation'
import { findViolations } from '../support/accessibility'
import { expect, test } from '../support/journey'
import { ListPage, openSearch } from '../support/page-objects'
import { takePendingPayment } from '../support/api'
import { signIn } from '../support/session'

test('the sign-in page breaks no rule of axe', async ({ page }) => {
  await page.goto('/sign-in')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  expect(await findViolations(page)).toEqual([])
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [size, viewport] of [
    ['a desk', { width: 1440, height: 900 }],
    ['a phone', { width: 390, height: 844 }],
  ] as const) {
    test(`no page breaks a rule of axe, ${colorScheme}, on ${size}`, {
      tag: (colorScheme === 'light') === (size === 'a desk') ? [] : '@long',
    }, async ({ page, desk, context }) => {
      test.setTimeout(120_000)
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      await signIn(page, desk.signIn('support'))
      for (const [path, name] of [
        ['/payments', 'Payments'],
        ['/customers', 'Customers'],
        ['/mandates', 'Mandates'],
      ] as const) {
        await page.goto(path)
        await new ListPage(page, name).ready()
        expect(await findViolations(page), path).toEqual([])
      }
      for (const [path, ready] of [
        ['/', '[data-overview="whole"]'],
        ['/webhooks', '#inbox'],
        ['/merchant', '[data-field="metaData"]'],
        ['/reference', 'article'],
      ] as const) {
        await page.goto(path)
        await expect(page.locator(ready).first()).toBeVisible()
        expect(await findViolations(page), path).toEqual([])
      }
      await (await openSearch(page)).fill('pay')
      await expect(page.getByRole('option').first()).toBeVisible()
      expect(await findViolations(page), 'the search').toEqual([])
      await page.keyboard.press('Escape')
      const payment = await takePendingPayment(context.request, desk.url)
      await page.goto(`/payments/${payment.id}`)
      await expect(page.getByRole('main')).toContainText(payment.reference)
      expect(await findViolations(page), 'the page of a payment').toEqual([])
      const dialog = await openCancelDialog(page)
      await dialog.getByRole('button', { name: 'Cancel payment', exact: true }).click()
      await expect(dialog.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true')
      expect(await findViolations(page), 'the dialog').toEqual([])
    })
  }
}
