import { expect, test } from '../harness/journey'
import { ListPage } from '../harness/list-page'
import { signIn } from '../harness/sign-in'

test('rows of two pages can be scrolled to before the page’s script runs, and stay where they are when it does', async ({
  page,
  desk,
}) => {
  await signIn(page, desk.signIn('viewer'))
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/_next/static/**/*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/payments', { waitUntil: 'commit' })
  const list = new ListPage(page, 'Payments')
  const rowAt = (index: number) => page.locator(`.dt-row[aria-rowindex="${index}"]`)
  await expect(rowAt(2)).toBeVisible()
  await expect(rowAt(129)).toBeAttached()
  const ids = await list.visibleIds()
  expect([ids.length, new Set(ids).size]).toEqual([128, 128])
  const row = await rowAt(112).elementHandle()

  await list.scroller.evaluate((element) => element.scrollTo({ top: 4_600, behavior: 'instant' }))
  await expect(rowAt(112)).toBeInViewport()
  release()
  await list.ready()
  expect(await list.scroller.evaluate(({ scrollTop }) => scrollTop)).toBe(4_600)
  await expect(rowAt(112)).toBeInViewport()
  // It is the very row that stood there, not one like it.
  expect(await rowAt(112).evaluate((now, before) => now === before, row)).toBe(true)
  await expect(list.row(ids[110] ?? '')).toHaveAttribute('aria-rowindex', '112')
  await rowAt(112).click()
  await expect(page).toHaveURL(new RegExp(`open=${ids[110]}`, 'u'))
})

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

test('a list that is filtered has its first page alone in the HTML, and is read on as before', async ({
  page,
  desk,
  browser,
  context,
}) => {
  await signIn(page, desk.signIn('viewer'))
  const still = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await context.storageState(),
    baseURL: desk.url,
  })
  const plain = await still.newPage()
  await plain.goto('/payments?sort=amount')
  expect(await plain.locator('.dt-row').count()).toBe(100)
  await plain.locator('.dt-row').nth(99).scrollIntoViewIfNeeded()
  await expect(plain.locator('.dt-row').nth(99)).toBeInViewport()
  await still.close()
  await page.goto('/payments?state=Settled')
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await list.scroller.evaluate((element) => element.scrollTo(0, 4_600))
  await expect(page.locator('.dt-row[aria-rowindex="112"]')).toBeInViewport()
})
