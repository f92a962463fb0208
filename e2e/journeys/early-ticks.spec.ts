import { expect, test } from '../harness/journey'
import { openWithoutScripts } from '../harness/open-without-scripts'
import { signIn } from '../harness/sign-in'

test('what is typed, chosen and ticked in a list before the page’s script runs counts', async ({ page, desk }) => {
  await signIn(page, desk.signIn('support'), '/merchant')
  const search = page.getByRole('searchbox', { name: 'Search' })
  const state = page.getByRole('combobox', { name: 'State' })
  let release = await openWithoutScripts(page, '/payments')
  await search.fill('a')
  await state.selectOption('Pending')
  release()
  await expect(page).toHaveURL(/[?&]search=a(&|$)/u)
  await expect(page).toHaveURL(/[?&]state=Pending(&|$)/u)
  await expect(search).toHaveValue('a')
  await expect(state).toHaveValue('Pending')
  await page.unrouteAll()

  release = await openWithoutScripts(page, '/payments')
  const ticks = page.locator('[data-row-id] input[type=checkbox]')
  await ticks.nth(1).click()
  // The whole cell ticks, not the box alone.
  await page
    .locator('[data-row-id] .dt-select')
    .nth(3)
    .click({ position: { x: 3, y: 3 } })
  await expect(ticks.nth(3)).toBeChecked()
  await ticks.nth(5).click()
  await ticks.nth(5).click()
  release()
  await expect(page.getByText(/^2 payments? selected/u)).toBeVisible()
  await expect(ticks.nth(1)).toBeChecked()
  await expect(ticks.nth(3)).toBeChecked()
  await ticks.nth(3).click()
  await expect(page.getByText(/^1 payments? selected/u)).toBeVisible()
  await page.unrouteAll()

  release = await openWithoutScripts(page, '/payments')
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await expect(ticks.nth(7)).toBeChecked()
  // Those of the second page, too, which the list gets later than the first.
  await page.locator('[data-row-id][aria-rowindex="110"]').waitFor({ state: 'attached' })
  const count = await ticks.count()
  expect(count).toBeGreaterThan(108)
  release()
  await expect(page.getByText(`${count} payments selected`)).toBeVisible()
  await page.unrouteAll()

  // Ticks are drawn, and the button of another row that was pressed after them is still there to be pressed again.
  await page.goto('/payments?state=Pending')
  await expect(page.locator('html')).toHaveAttribute('data-find-state', 'ready')
  release = await openWithoutScripts(page, '/payments?state=Pending')
  await ticks.nth(0).click()
  await page
    .getByRole('button', { name: /^Cancel payment/u })
    .nth(2)
    .click()
  release()
  await expect(page.getByRole('alertdialog', { name: /^Cancel payment/u })).toBeVisible()
  await page.getByRole('button', { name: 'Keep payment' }).click()
  await expect(page.getByText(/^1 payment selected/u)).toBeVisible()
})

test('a row that the list does not have yet is ticked once it is here, and not if its tick was taken away', async ({
  page,
  desk,
}) => {
  await signIn(page, desk.signIn('support'), '/merchant')
  // The list waits for its second page, whose first rows stand in the server's HTML already.
  await page.addInitScript(() => {
    const race = Promise.race.bind(Promise)
    Promise.race = async (entries: readonly unknown[]) => {
      await new Promise((resolve) => document.addEventListener('go-on', resolve, { once: true }))
      return race(entries)
    }
  })
  await page.goto('/payments')
  await expect(page.locator('html')).toHaveAttribute('data-find-state', 'ready')
  const box = (index: number) => page.locator(`[data-row-id][aria-rowindex="${index}"] input[type=checkbox]`)
  await page.locator('[data-scroller]').evaluate((scroller) => scroller.scrollTo({ top: scroller.scrollHeight }))
  const cell = (index: number) => page.locator(`[data-row-id][aria-rowindex="${index}"] .dt-select`)
  await box(104).click()
  await page.keyboard.press('Escape')
  await cell(105).click({ position: { x: 3, y: 3 } })
  await box(106).click()
  await box(106).click()
  await expect(page.getByText(/payments? selected/u)).toHaveCount(0)
  await page.evaluate(() => document.dispatchEvent(new Event('go-on')))
  await expect(page.getByText(/^1 payment selected/u)).toBeVisible()
  await expect(box(104)).not.toBeChecked()
  await expect(box(105)).toBeChecked()
  await expect(box(106)).not.toBeChecked()
})

test('ticks that the browser fills in again on Back are nobody’s: nothing is selected', async ({ page, desk }) => {
  await signIn(page, desk.signIn('support'), '/payments')
  await expect(page.locator('html')).toHaveAttribute('data-find-state', 'ready')
  await page.locator('[data-scroller]').evaluate((scroller) => scroller.scrollTo({ top: 700 }))
  const ticks = page.locator('[data-row-id] input[type=checkbox]')
  await ticks.nth(5).click()
  await ticks.nth(7).click()
  await expect(page.getByText(/^2 payments selected/u)).toBeVisible()
  await page.goto('/reference')
  await page.goBack()
  await expect(page.locator('html')).toHaveAttribute('data-find-state', 'ready')
  await expect(ticks.first()).toBeVisible()
  await expect(page.getByText(/payments? selected/u)).toHaveCount(0)
  await expect(page.locator('[data-row-id] input:checked')).toHaveCount(0)
})
