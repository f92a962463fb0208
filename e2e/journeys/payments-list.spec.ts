import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'
import { signIn } from '../support/session'

test.describe.configure({ timeout: 180_000 })

test('all 2,000 payments are reached by scrolling, each once', async ({ page, desk }) => {
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

test('all 2,000 payments are reached by "Load more" with the keyboard alone', async ({ page, desk }) => {
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

test('however many rows are loaded, the document holds few of them', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'))
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await list.scrollToEnd()
  expect((await list.visibleIds()).length).toBeLessThan(150)
})
