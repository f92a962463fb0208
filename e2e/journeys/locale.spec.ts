import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'
import { signIn } from '../support/session'

/** How readers of each locale write days, amounts and counts; on the server and in the browser alike, or hydration would complain. */
const readers = [
  ['de-DE', /^\d{2}\.\d{2}\.\d{4}$/u, /^-?\d{1,3}(\.\d{3})*,\d{2}/u, '.'],
  ['da-DK', /^\d{2}\.\d{2}\.\d{4}$/u, /^-?\d{1,3}(\.\d{3})*,\d{2}/u, '.'],
  ['sv-SE', /^\d{4}-\d{2}-\d{2}$/u, /^\u2212?\d{1,3}(\u00a0\d{3})*,\d{2}/u, '\u00a0'],
  ['en-US', /^[A-Z][a-z]{2} \d{1,2}, \d{4}$/u, /^-?\d{1,3}(,\d{3})*\.\d{2}/u, ','],
  ['ar-EG', /^\d{2}\/\d{2}\/\d{4}$/u, /^-?\d{1,3}(,\d{3})*\.\d{2}/u, ','],
] as const

for (const [locale, day, amount, mark] of readers) {
  test.describe(`a reader of ${locale}`, () => {
    test.use({ locale })

    const tag = ['da-DK', 'en-US'].includes(locale) ? '@long' : []
    test('finds days, amounts and counts written as usual', { tag }, async ({ page, desk }) => {
      await signIn(page, desk.signIn('support'), '/payments')
      const list = new ListPage(page, 'Payments')
      await list.ready()
      const readDays = () => page.locator('[data-row-id] time').allInnerTexts()
      const days = (await readDays()).map((text) => text.trim())
      expect(days.length).toBeGreaterThan(0)
      for (const text of days) expect(text).toMatch(day)
      const amounts = await page.locator('[data-row-id] [role="gridcell"]:has(.dt-unit)').allInnerTexts()
      const known = amounts.filter((text) => /DKK|EUR|SEK/u.test(text))
      expect(known.length).toBeGreaterThan(0)
      for (const text of known) expect(text.trim()).toMatch(amount)

      await page.goto('/')
      await expect(page.locator('[data-overview="whole"]')).toBeVisible({ timeout: 60_000 })
      await expect(page.locator('[data-overview="whole"]')).toContainText(
        new RegExp(`from all \\d[${mark}]\\d{3} payments`, 'u'),
      )
    })
  })
}
