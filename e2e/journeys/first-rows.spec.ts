import type { Page } from '@playwright/test'
import { expect, test } from '../harness/journey'
import { ListPage } from '../harness/list-page'
import { signIn } from '../harness/sign-in'

/** Counts the rows in sight in every frame from now on, in `window.seen`. */
function watchRows(page: Page) {
  return page.evaluate(() => {
    const seen: number[] = []
    Object.assign(window, { seen })
    const look = () => {
      const view = document.querySelector('[data-scroller]')?.getBoundingClientRect()
      const rows = [...document.querySelectorAll('.dt-row')].map((row) => row.getBoundingClientRect())
      if (view) seen.push(rows.filter(({ top, bottom }) => bottom > view.top && top < view.bottom).length)
      requestAnimationFrame(look)
    }
    look()
  })
}

for (const { name, height, viewport } of [
  { name: 'on a desk’s screen', height: 44, viewport: { width: 1440, height: 900 } },
  { name: 'as cards', height: 112, viewport: { width: 390, height: 844 } },
  { name: 'that stand close', height: 32, viewport: { width: 1440, height: 1400 } },
]) {
  test(`rows of two pages ${name} can be scrolled to before the page’s script runs, and stay when it does`, async ({
    page,
    desk,
  }) => {
    await page.setViewportSize(viewport)
    await signIn(page, desk.signIn('viewer'))
    const list = new ListPage(page, 'Payments')
    await list.ready()
    if (height === 32) {
      await page.getByRole('button', { name: 'Display', exact: true }).click()
      await page.getByRole('radio', { name: 'Compact' }).check()
    }
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/_next/static/**/*.js', async (route) => {
      await released
      await route.continue()
    })
    await page.goto('/payments', { waitUntil: 'commit' })
    const rowAt = (index: number) => page.locator(`.dt-row[aria-rowindex="${index}"]`)
    await expect(rowAt(2)).toBeVisible()
    await expect(rowAt(129)).toBeAttached()
    const ids = await list.visibleIds()
    expect([ids.length, new Set(ids).size]).toEqual([128, 128])

    const top = await list.scroller.evaluate((element, to) => {
      element.scrollTo({ top: to, behavior: 'instant' })
      return element.scrollTop
    }, 108 * height)
    await expect(rowAt(112)).toBeInViewport()
    const row = await rowAt(112).elementHandle()
    await watchRows(page)
    release()
    await list.ready()
    await expect.poll(() => list.rows.count()).toBeLessThan(100)
    expect(await list.scroller.evaluate(({ scrollTop }) => scrollTop)).toBe(top)
    // It is the very row that stood there, not one like it.
    expect(await rowAt(112).evaluate((now, before) => now === before, row)).toBe(true)
    const seen = await page.evaluate(() => (window as unknown as { seen: number[] }).seen)
    expect(Math.min(...seen)).toBe(Math.max(...seen))
    await expect(list.row(ids[110] ?? '')).toHaveAttribute('aria-rowindex', '112')
    await rowAt(112).click()
    await expect(page).toHaveURL(new RegExp(`open=${ids[110]}`, 'u'))
  })
}

test('the browser does not ask for the first two pages, which the server has handed over', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'))
  const list = new ListPage(page, 'Payments')
  await expect(list.walk).toContainText('300 loaded')
  const asked: (string | null)[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith('/api/service/Payments')) asked.push(searchParams.get('after'))
  })
  await page.reload()
  await list.ready()
  await expect(list.walk).toContainText(`${200 + asked.length * 100} loaded`)
  expect(asked).not.toContain(null)
  expect(new Set(asked).size).toBe(asked.length)

  // Neither does it on the way from another page, where the rows come without HTML.
  await page.getByRole('link', { name: 'Customers' }).first().click()
  await new ListPage(page, 'Customers').ready()
  asked.length = 0
  await page.getByRole('link', { name: 'Payments' }).first().click()
  await list.ready()
  await expect(list.walk).toContainText(`${200 + asked.length * 100} loaded`)
  expect(asked).not.toContain(null)
})

test('a list that is filtered is read on as before', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'))
  await page.goto('/payments?state=Settled')
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await list.scroller.evaluate((element) => element.scrollTo(0, 4_600))
  await expect(page.locator('.dt-row[aria-rowindex="112"]')).toBeInViewport()
})
