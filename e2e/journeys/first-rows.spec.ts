import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'
import { openWithoutScripts, signIn } from '../support/session'

/** Counts the rows in sight in every frame from now on, in `window.seen`. */
function watchRows(page: Page) {
  return page.evaluate(() => {
    const seen: number[] = []
    Object.assign(window, { seen })
    const look = () => {
      const view = document.querySelector('[data-scroller]')?.getBoundingClientRect()
      const rows = [...document.querySelectorAll('[data-row-id]')].map((row) => row.getBoundingClientRect())
      if (view) seen.push(rows.filter(({ top, bottom }) => bottom > view.top && top < view.bottom).length)
      requestAnimationFrame(look)
    }
    look()
  })
}

for (const { name, viewport, isCompact } of [
  { name: 'on a desk’s screen', viewport: { width: 1440, height: 900 }, isCompact: false },
  { name: 'as cards', viewport: { width: 390, height: 844 }, isCompact: false },
  { name: 'that stand close', viewport: { width: 1440, height: 1200 }, isCompact: true },
]) {
  test(`a screen of rows ${name} is in the server’s HTML and stays as it is when the script runs`, async ({
    page,
    desk,
  }) => {
    await page.setViewportSize(viewport)
    await signIn(page, desk.signIn('viewer'))
    const list = new ListPage(page, 'Payments')
    await list.ready()
    if (isCompact) {
      await page.getByRole('button', { name: 'Display', exact: true }).click()
      await page.getByRole('radio', { name: 'Compact' }).check()
    }
    const release = await openWithoutScripts(page, '/payments')
    await expect(list.rows.first()).toBeVisible()
    const second = await list.rows.nth(1).elementHandle()
    const lowest = await list.rows.last().evaluate((row) => row.getBoundingClientRect().bottom)
    expect(lowest).toBeGreaterThan(viewport.height)
    await watchRows(page)
    release()
    await list.ready()
    // It is the very row that stood there, not one like it.
    expect(await list.rows.nth(1).evaluate((now, before) => now === before, second)).toBe(true)
    const seen = await page.evaluate(() => (window as unknown as { seen: number[] }).seen)
    expect(Math.min(...seen)).toBe(Math.max(...seen))
  })
}

test('the browser does not ask for the first page, which the server has handed over', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'))
  const list = new ListPage(page, 'Payments')
  await list.ready()
  const asked: (string | null)[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith('/api/service/Payments')) asked.push(searchParams.get('after'))
  })
  await page.reload()
  await list.ready()
  await expect(list.walk).toContainText(/[23]00 loaded/u)
  expect(asked).not.toContain(null)
  expect(new Set(asked).size).toBe(asked.length)

  // Neither does it on the way from another page, where the rows come without HTML.
  await page.getByRole('link', { name: 'Customers' }).first().click()
  await new ListPage(page, 'Customers').ready()
  asked.length = 0
  await page.getByRole('link', { name: 'Payments' }).first().click()
  await list.ready()
  await expect(list.walk).toContainText(/[23]00 loaded/u)
  expect(asked).not.toContain(null)
})

test('a list that is filtered is read on as any other', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'))
  await page.goto('/payments?state=Settled')
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await list.scroller.evaluate((element) => element.scrollTo(0, 4_600))
  await expect(page.locator('[data-row-id][aria-rowindex="112"]')).toBeInViewport()
})
