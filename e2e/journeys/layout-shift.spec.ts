import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'
import { signIn } from '../support/session'

type Shift = { value: number; afterInput: boolean; what: string[] }

/** Every layout shift of the page so far, also those that follow an input within half a second and which CLS forgives. */
function watchShifts(): void {
  const shifts: Shift[] = []
  Object.assign(window, { shifts })
  new PerformanceObserver((seen) => {
    for (const entry of seen.getEntries()) {
      const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
        value: number
        hadRecentInput: boolean
        sources: { node: Node | null }[]
      }
      const what = sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 120) : 'gone'))
      shifts.push({ value, afterInput: hadRecentInput, what })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

test('nothing moves by itself from finding a payment to its confirmed cancellation', async ({ page, desk }) => {
  await page.addInitScript(watchShifts)
  await signIn(page, desk.signIn('support'), '/payments?state=Pending')
  const list = new ListPage(page, 'Payments')
  await list.ready()
  const reference = await list.rows.nth(5).getByRole('link').innerText()
  await page.getByLabel('Search', { exact: true }).fill(reference)
  await expect(list.rows).toHaveCount(1)
  await list.rows.first().click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Cancel payment', exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Reason').fill('Paid by bank transfer')
  await dialog.getByRole('button', { name: 'Cancel payment', exact: true }).click()
  await expect(panel.locator('[data-outcome="cancelled"]').first()).toBeVisible({ timeout: 30_000 })
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  const shifts = await page.evaluate(() => Reflect.get(window, 'shifts') as Shift[])
  expect(shifts.filter(({ afterInput }) => !afterInput)).toEqual([])
})
