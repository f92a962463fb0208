import type { Page } from '@playwright/test'
import { findViolations } from '../support/accessibility'
import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'
import { openSignedIn, signIn } from '../support/session'

/** The index of the focused row; null if no row has the focus. */
function readFocus(page: Page): Promise<number | null> {
  return page.evaluate(() => {
    const row = document.activeElement?.closest('[data-row-id]')
    return row ? Number(row.getAttribute('aria-rowindex')) - 2 : null
  })
}

async function expectFocus(page: Page, index: number): Promise<void> {
  await expect.poll(() => readFocus(page)).toBe(index)
}

/** Opens the payments and moves the focus by Tab from the last tool into the grid. */
async function tabIntoGrid(
  page: Page,
  desk: Parameters<typeof openSignedIn>[1],
  role: 'viewer' | 'support',
): Promise<ListPage> {
  await openSignedIn(page, desk, { role })
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await page.getByRole('button', { name: 'Export', exact: true }).focus()
  await page.keyboard.press('Tab')
  return list
}

test('the grid is one tab stop, and its keys reach every row', async ({ page, desk }) => {
  const list = await tabIntoGrid(page, desk, 'viewer')
  await expectFocus(page, 0)
  await page.keyboard.press('Tab')
  await expect.poll(() => readFocus(page)).toBeNull()
  await page.keyboard.press('Shift+Tab')
  await expectFocus(page, 0)

  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expectFocus(page, 2)
  await page.keyboard.press('PageDown')
  const paged = (await readFocus(page)) ?? 0
  expect(paged).toBeGreaterThan(8)
  await page.keyboard.press('PageUp')
  await expectFocus(page, 2)
  await page.keyboard.press('End')
  await expect.poll(async () => (await readFocus(page)) ?? 0).toBeGreaterThan(98)
  await expect(list.row((await focusedId(page)) ?? '')).toBeInViewport()
  await page.keyboard.press('Home')
  await expectFocus(page, 0)

  await page.keyboard.press('ArrowUp')
  await expect(list.grid.getByRole('columnheader', { name: 'Amount' }).getByRole('button')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/sort=paymentDate/u)
  const header = list.grid.getByRole('columnheader', { name: 'Collection date' })
  // The address changes first; a second key before that would request the same again.
  await expect(header).toHaveAttribute('aria-sort', 'ascending')
  await expect(header.getByRole('button')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(header).toHaveAttribute('aria-sort', 'descending')
  await expect(header.getByRole('button')).toBeFocused()
})

test('the focus stays in the list when another takes its place', async ({ page, desk }) => {
  const list = await tabIntoGrid(page, desk, 'viewer')
  await expectFocus(page, 0)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(list.grid.getByRole('columnheader', { name: 'Amount' })).toHaveAttribute('aria-sort', 'ascending')
  await list.ready()
  await page.keyboard.press('ArrowDown')
  await expectFocus(page, 0)
  await page.keyboard.press('ArrowDown')
  await expectFocus(page, 1)
  await page.goBack()
  await expect(page).not.toHaveURL(/sort=/u)
  await expectFocus(page, 0)
  await page.goForward()
  await expectFocus(page, 1)
})

test('what the keys reach in a row is in sight and has its ring', async ({ page, desk }) => {
  // Too narrow for the payments' columns, so the list scrolls horizontally.
  await page.setViewportSize({ width: 800, height: 700 })
  await tabIntoGrid(page, desk, 'viewer')
  await expectFocus(page, 0)
  const focused = page.locator(':focus')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(focused).toHaveJSProperty('tagName', 'TIME')
  await expect(focused).toHaveCSS('outline-style', 'solid')
  await expect(focused).toBeInViewport({ ratio: 1 })
})

function focusedId(page: Page): Promise<string | null> {
  return page.evaluate(() => document.activeElement?.getAttribute('data-row-id') ?? null)
}

test('Space ticks a row, Enter opens it, and leaving the panel leads back to it', async ({ page, desk }) => {
  const list = await tabIntoGrid(page, desk, 'support')
  await page.keyboard.press('ArrowDown')
  const row = list.row((await focusedId(page)) ?? '')
  await page.keyboard.press('Space')
  await expect(row).toHaveAttribute('aria-selected', 'true')
  await expect(row.getByRole('checkbox')).toBeChecked()
  await expect(page.getByText('1 payment selected')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/open=/u)
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row).toBeFocused()
})

test('the focused row stays in the document however far the list is scrolled', async ({ page, desk }) => {
  const list = await tabIntoGrid(page, desk, 'viewer')
  await page.keyboard.press('ArrowDown')
  const id = (await focusedId(page)) ?? ''
  await list.scroller.evaluate((element) => element.scrollTo(0, 4_000))
  await expect(list.rows.nth(1)).not.toHaveAttribute('aria-rowindex', '3')
  await expect(list.row(id)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expectFocus(page, 2)
  await expect(list.row((await focusedId(page)) ?? '')).toBeInViewport()
})

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
