import type { Page } from '@playwright/test'
import { callApi } from '../support/api'
import { confirmCancellation, openCancelDialog } from '../support/cancellation'
import { expect, test } from '../support/journey'
import { textsOn } from '../support/language'
import { ListPage } from '../support/page-objects'
import { openSignedIn, openWithoutScripts, signIn } from '../support/session'

test('all 2,000 payments are reached by scrolling, each once', { tag: '@long' }, async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'))
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await expect(list.grid).toHaveAttribute('aria-rowcount', '-1')
  const seen = await list.scrollToEnd()
  expect(seen.size).toBe(2_000)
  await expect(list.walk).toHaveAttribute('data-walk', 'complete')
  await expect(list.walk).toHaveText(/All 2,000 loaded/u)
  await expect(list.grid).not.toHaveAttribute('aria-rowcount', '-1')
  await expect(list.loadMore).toHaveCount(0)
})

test('all 2,000 payments are reached by "Load more" with the keyboard alone', { tag: '@long' }, async ({
  page,
  desk,
}) => {
  await signIn(page, desk.signIn('viewer'))
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await expect(async () => {
    if ((await list.walk.getAttribute('data-walk')) === 'more') {
      await list.loadMore.focus()
      await page.keyboard.press('Enter')
    }
    await expect(list.walk).toHaveAttribute('data-walk', 'complete', { timeout: 100 })
  }).toPass({ timeout: 120_000, intervals: [50] })
  await expect(list.walk).toHaveText(/All 2,000 loaded/u)
})

test('the next page is fetched before the user gets there', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'))
  const list = new ListPage(page, 'Payments')
  await list.ready()
  const next = page.waitForRequest((request) => request.url().includes('/api/service/Payments'))
  await list.scroller.evaluate((element) => element.scrollTo(0, (element.scrollHeight - element.clientHeight) * 0.75))
  await next
})

test('however many rows are loaded, the document holds few of them', { tag: '@long' }, async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'))
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await list.scrollToEnd()
  expect((await list.visibleIds()).length).toBeLessThan(150)
})

for (const [path, name] of [
  ['/customers', 'Customers'],
  ['/mandates', 'Mandates'],
] as const) {
  test(`${name} are an infinite list, scrolled to its end`, async ({ page, desk }) => {
    await openSignedIn(page, desk, { role: 'viewer', path })
    const list = new ListPage(page, name)
    await list.ready()
    const seen = await list.scrollToEnd()
    await expect(list.walk).toHaveAttribute('data-walk', 'complete')
    await expect(list.walk).toHaveText(new RegExp(`All ${seen.size.toLocaleString('en-GB')} loaded`, 'u'))
    expect(seen.size).toBeGreaterThan(100)
  })
}

test('customers are searched by name', async ({ page, desk, context }) => {
  await openSignedIn(page, desk, { role: 'viewer', path: '/customers' })
  const response = await callApi(context.request, `${desk.url}/api/service/Customers?limit=50`)
  const { results }: { results: { id: string; name: string }[] } = await response.json()
  const customer = results.at(-1)
  const list = new ListPage(page, 'Customers')
  await list.ready()
  await page.getByLabel('Search', { exact: true }).fill(customer?.name ?? '?')
  await expect(list.row(customer?.id ?? '?')).toBeVisible()
  await expect(list.row(customer?.id ?? '?')).toContainText(customer?.name ?? '?')
  await expect(page).toHaveURL(/\?/u)
})

test('a search that nothing matches says so', async ({ page, desk }) => {
  await openSignedIn(page, desk, { role: 'viewer', path: '/customers' })
  const list = new ListPage(page, 'Customers')
  await list.ready()
  await page.getByLabel('Search', { exact: true }).fill('Nobody is called this')
  await expect(list.rows).toHaveCount(0)
  await expect(page.getByRole('main')).toContainText(/nothing matches|no .*match/iu)
})

/** Records the number of visible rows in every frame from now on in `window.seen`. */
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
  test(`a screen of rows ${name} is in the server’s HTML and stays as it is when the script runs`, {
    tag: isCompact ? '@long' : [],
  }, async ({ page, desk }) => {
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
    // The same element, not a new one for the same row.
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

  // The same holds on client-side navigation, without server-rendered rows.
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

type Shift = { value: number; afterInput: boolean; what: string[] }

/** All layout shifts of the page so far, including those within half a second of an input, which CLS ignores. */
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

for (const locale of ['en-GB', 'da-DK'])
  test.describe(locale, () => {
    test.use({ locale })
    test('nothing moves by itself from finding a payment to its confirmed cancellation', {
      tag: locale === 'en-GB' ? [] : '@long',
    }, async ({ page, desk }) => {
      await page.addInitScript(watchShifts)
      await signIn(page, desk.signIn('support'), '/payments?state=Pending')
      const text = await textsOn(page)
      const list = new ListPage(page, text('shell_payments'))
      await list.ready()
      const reference = await list.rows.nth(5).getByRole('link').innerText()
      const takeShifts = () =>
        page.evaluate(() => (Reflect.get(window, 'shifts') as Shift[]).splice(0).filter((shift) => !shift.afterInput))
      expect(await takeShifts()).toEqual([])
      await page.getByLabel(text('payments_search'), { exact: true }).fill(reference)
      await expect(list.rows).toHaveCount(1)
      // The found row comes to the top when the service has answered, however long that takes: it was asked to.
      await takeShifts()
      await list.rows.first().click()
      const panel = page.getByRole('dialog')
      await confirmCancellation(await openCancelDialog(page), 'Paid by bank transfer')
      const dialog = page.getByRole('alertdialog')
      await expect(panel.locator('[data-outcome="cancelled"]').first()).toBeVisible({ timeout: 30_000 })
      await expect(dialog).toHaveCount(0)
      await page.keyboard.press('Escape')
      await expect(panel).toHaveCount(0)
      expect(await takeShifts()).toEqual([])
    })
  })
