import { findViolations } from '../support/accessibility'
import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'
import { signIn } from '../support/session'

test('letters move, tick and copy on a row alone, and the focus comes back from what they open', async ({
  page,
  desk,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, desk.signIn('support'))
  const list = new ListPage(page, 'Payments')
  await list.ready()
  const [first = '', second = ''] = await list.visibleIds()
  await list.row(first).focus()
  await page.keyboard.press('j')
  await expect(list.row(second)).toBeFocused()
  await page.keyboard.press('x')
  await expect(list.row(second)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(list.row(second)).toHaveAttribute('aria-selected', 'false')
  await page.keyboard.press('c')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(second)
  await page.keyboard.press('Shift+C')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe(second)

  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(keys).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(keys).toHaveCount(0)
  await expect(list.row(second)).toBeFocused()
  await page.keyboard.press('k')
  await expect(list.row(first)).toBeFocused()

  const search = page.getByLabel('Search', { exact: true })
  await search.fill('jx?c')
  await expect(search).toHaveValue('jx?c')
  await search.press('?')
  await expect(keys).toHaveCount(0)
  await search.press('Control+/')
  await expect(keys).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(search).toBeFocused()
})

test('a short date says its full moment to the pointer and to the focus, and Escape takes it away', async ({
  page,
  desk,
}) => {
  await signIn(page, desk.signIn('viewer'), '/payments?columns=createdAt.scheduleDate')
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await list.rows.first().focus()
  await page.keyboard.press('ArrowRight')
  const tip = page.getByRole('tooltip')
  await expect(tip).toHaveText(/^\d+ \w+ \d{4}, \d\d:\d\d (CET|CEST|GMT[+-]\d+)$/u)
  await expect(list.rows.first().locator('time:focus')).toHaveAccessibleDescription(/:\d\d/u)
  await page.keyboard.press('ArrowRight')
  await expect(tip).toHaveText(/a day in Europe\/Copenhagen$/u)
  await page.keyboard.press('Escape')
  await expect(tip).toHaveCount(0)
  await expect(list.rows.first()).toBeFocused()
  await list.rows.nth(3).locator('time').first().hover()
  await expect(tip).toHaveText(/, \d\d:\d\d /u)
})
