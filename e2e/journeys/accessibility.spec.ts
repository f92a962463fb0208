import { openCancelDialog } from '../support/cancellation'
import { findViolations } from '../support/accessibility'
import { expect, test } from '../support/journey'
import { textsOn } from '../support/language'
import { ListPage, openSearch } from '../support/page-objects'
import { takePendingPayment } from '../support/api'
import { signIn } from '../support/session'

test('the sign-in page breaks no rule of axe', async ({ page }) => {
  await page.goto('/sign-in')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  expect(await findViolations(page)).toEqual([])
})

const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

/** The daily runs are those in which each theme, size and language appears. */
const runs = [
  { locale: 'en-GB', colorScheme: 'light', viewport: desktop, daily: true },
  { locale: 'da-DK', colorScheme: 'dark', viewport: phone, daily: true },
  { locale: 'en-GB', colorScheme: 'dark', viewport: phone, daily: false },
  { locale: 'en-GB', colorScheme: 'dark', viewport: desktop, daily: false },
  { locale: 'en-GB', colorScheme: 'light', viewport: phone, daily: false },
  { locale: 'da-DK', colorScheme: 'light', viewport: desktop, daily: false },
] as const

for (const { locale, colorScheme, viewport, daily } of runs) {
  test.describe(`${locale}, ${colorScheme}, ${viewport.width} px`, () => {
    test.use({ locale })
    test('no page breaks a rule of axe', { tag: daily ? [] : '@long' }, async ({ page, desk, context }) => {
      test.setTimeout(120_000)
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      await signIn(page, desk.signIn('support'))
      const text = await textsOn(page)
      for (const [path, name] of [
        ['/payments', 'shell_payments'],
        ['/customers', 'shell_customers'],
        ['/mandates', 'shell_mandates'],
      ] as const) {
        await page.goto(path)
        await new ListPage(page, text(name)).ready()
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
      await dialog.getByRole('button', { name: text('cancelButton_cancelPayment'), exact: true }).click()
      await expect(dialog.getByLabel(text('cancelling_reason'))).toHaveAttribute('aria-invalid', 'true')
      expect(await findViolations(page), 'the dialog').toEqual([])
    })
  })
}
