import type { Page } from '@playwright/test'
import { expect } from '../support/journey'
import { testFakeUpstream } from '../support/own-desk'
import { chooseFilter, ListPage } from '../support/page-objects'
import { signIn } from '../support/session'
import type { Answer, ListRequest, FakeUpstream } from '../support/fake-upstream'

/*
 * The list at a faulty service that ignores filter and orderby. No test here changes the service's capabilities, because
 * the desk remembers them for a day.
 */
const test = testFakeUpstream()

test.describe.configure({ mode: 'serial' })

const states = ['Pending', 'Zork', 'settled']

function makePayments(first: number, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: `p${first + index}`,
    reference: `R-${first + index}`,
    status: states[(first + index) % states.length],
    customer: { id: 'c', name: `Payer ${first + index}` },
  }))
}

/** Pages of 100 with `total` rows in all; ignores all other parameters. */
function honest(total: number) {
  return ({ after }: ListRequest): Answer => {
    const first = Number(after ?? 0)
    const hasMore = first + 100 < total
    const results = makePayments(first, Math.min(100, total - first))
    return { body: { results, hasMore, nextOffset: hasMore ? String(first + 100) : null } }
  }
}

async function openList(page: Page, foreign: FakeUpstream): Promise<ListPage> {
  await signIn(page, foreign.admin)
  return new ListPage(page, 'Payments')
}

test('that the next page takes a while shows at the foot, and goes when it is there', { tag: '@long' }, async ({
  page,
  foreign,
}) => {
  foreign.answer(honest(900))
  const list = await openList(page, foreign)
  await list.ready()
  const foot = page.locator('[data-walk]')
  const read = () => foot.evaluate((element) => getComputedStyle(element, '::after').visibility)
  await expect(foot).toHaveText(/^[3-9]00 loaded$/u)
  await page.route(/Payments\?after=/u, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    await route.continue()
  })
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(foot).toHaveAttribute('data-walk', 'loading')
  expect(await foot.evaluate((element) => getComputedStyle(element, '::after').content)).toContain('loading more')
  await expect.poll(read).toBe('visible')
  await expect(foot).toHaveAttribute('data-walk', 'more')
  expect(await foot.evaluate((element) => getComputedStyle(element, '::after').content)).toBe('none')
})

test('what the service cannot do works within the loaded rows, and the toolbar says so', { tag: '@long' }, async ({
  page,
  foreign,
}) => {
  foreign.answer(honest(400))
  const list = await openList(page, foreign)
  await list.ready()
  await chooseFilter(page, 'State', ['Zork'])
  await expect(page).toHaveURL(/state=Zork/u)
  await expect(list.rowsOf('Pending')).toHaveCount(0)
  await expect(list.rowsOf('Zork').first()).toContainText('Zork')
  await expect(page.getByText(/^within [\d,]+ loaded rows$/u)).toBeVisible()
  const header = list.grid.getByRole('columnheader', { name: 'Amount' })
  await header.getByRole('button').click()
  await expect(header).toHaveAttribute('aria-sort', 'ascending')
  await list.loadAll()
  await expect(list.walk).toHaveText(/133 of all 400 match/u)
  // The service was probed, and is not sent anything that it does not support.
  await page.reload()
  await list.ready()
  foreign.asked.length = 0
  await page.getByLabel('Search', { exact: true }).fill('R-1')
  await expect(list.rows.first()).toContainText('R-1')
  expect(foreign.asked.filter(({ filter, orderby }) => filter ?? orderby)).toEqual([])
})

test('an unknown state cannot be cancelled from its row', async ({ page, foreign }) => {
  foreign.answer(honest(6))
  const list = await openList(page, foreign)
  await list.ready()
  await expect(list.row('p0').getByRole('button', { name: 'Cancel payment R-0' })).toBeVisible()
  await expect(list.row('p1').getByRole('button')).toHaveCount(0)
  await expect(list.row('p2').getByRole('button')).toHaveCount(0)
})

test('a page that fails keeps the rows, and Retry goes on', async ({ page, foreign, watch }) => {
  watch.allowStatus(502)
  foreign.answer((asked) => (asked.after === '200' ? { status: 500 } : honest(1_000)(asked)))
  const list = await openList(page, foreign)
  await expect(list.walk).toHaveAttribute('data-walk', 'failed')
  await expect(list.rows.first()).toBeVisible()
  await expect(list.walk).toHaveText(/200 loaded/u)
  foreign.answer(honest(1_000))
  await page.getByRole('button', { name: 'Retry', exact: true }).click()
  await expect(list.walk).toHaveAttribute('data-walk', 'more')
  await expect(list.walk).toHaveText(/300 loaded/u)
})

test('a service that asks to slow down is not asked before its time, then by itself', { tag: '@long' }, async ({
  page,
  foreign,
  watch,
}) => {
  watch.allowStatus(429)
  let at = 0
  foreign.answer((asked) => {
    if (asked.after !== '100' || at > 0) return honest(300)(asked)
    at = Date.now()
    // Long enough for a busy machine to show the notice meanwhile.
    return { status: 429, headers: { 'retry-after': '20' } }
  })
  const list = await openList(page, foreign)
  await expect(page.locator('[data-problem="slow-down"]')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Retry/u })).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('button', { name: /^Retry/u }).click({ force: true })
  await expect(list.walk).toHaveAttribute('data-walk', 'complete', { timeout: 60_000 })
  expect(Date.now() - at).toBeGreaterThan(19_900)
  expect(foreign.asked.filter(({ after }) => after === '100')).toHaveLength(2)
})

test('a list that goes in a circle ends, and says that it may be incomplete', async ({ page, foreign }) => {
  foreign.answer(({ after }) => ({
    body: { results: makePayments(after === 'b' ? 10 : 0, 10), hasMore: true, nextOffset: after === 'b' ? 'a' : 'b' },
  }))
  const list = await openList(page, foreign)
  await expect(list.walk).toHaveAttribute('data-walk', 'incomplete')
  await expect(list.walk).toHaveText(/The list may be incomplete: 20 loaded/u)
  await expect(list.loadMore).toHaveCount(0)
  await expect(list.grid).toHaveAttribute('aria-rowcount', '-1')
})

test('a slow first page is waited for with a skeleton in its place', { tag: '@long' }, async ({ page, foreign }) => {
  foreign.answer((asked) => ({ ...honest(50)(asked), delay: 2_500 }))
  const list = await openList(page, foreign)
  await expect(list.walk).toHaveAttribute('data-walk', 'loading')
  await expect(list.rows).toHaveCount(0)
  await expect(list.walk).toHaveText('All 50 loaded')
  await expect(list.rows.first()).toBeVisible()
})

test('a service that refuses at once has its face on a page that stays whole', async ({ page, foreign, watch }) => {
  watch.allowStatus(403)
  foreign.answer(() => ({ status: 403, body: { title: 'Not for you' } }))
  const list = await openList(page, foreign)
  await expect(page.locator('[data-problem="refused"]')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible()
  foreign.answer(honest(30))
  // The error is in the server's HTML; its button works once the page is hydrated.
  await expect(list.walk).toHaveAttribute('data-walk', 'failed')
  await page.getByRole('button', { name: 'Retry', exact: true }).click()
  await expect(list.walk).toHaveText('All 30 loaded')
})

test('an empty list says that it is empty', async ({ page, foreign }) => {
  foreign.answer(honest(0))
  const list = await openList(page, foreign)
  await expect(list.walk).toHaveAttribute('data-walk', 'complete')
  await expect(page.getByRole('paragraph').filter({ hasText: 'No payments yet' })).toBeVisible()
})

test('a refresh reads the first page alone and offers what is new on it', { tag: '@long' }, async ({
  page,
  foreign,
}) => {
  const dated = (after: string | null) => {
    const first = Number(after ?? 0)
    return makePayments(first, 100).map((row, index) => ({ ...row, createdAt: new Date(1e12 - (first + index) * 1e6) }))
  }
  const fresh = makePayments(9_000, 3).map((row) => ({ ...row, createdAt: new Date(2e12) }))
  const page1 = (newer: unknown[]) => (asked: ListRequest) => ({
    body: {
      results: [...(asked.after === null ? newer : []), ...dated(asked.after)].slice(0, 100),
      hasMore: true,
      nextOffset: String(Number(asked.after ?? 0) + 100),
    },
  })
  foreign.answer(page1([]))
  const list = await openList(page, foreign)
  await list.ready()
  await list.scroller.evaluate((element) => element.scrollTo(0, 6_000))
  await expect(list.walk).toHaveText(/400 loaded/u)
  foreign.answer(page1(fresh))
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await page.getByRole('button', { name: '3 new', exact: true }).click()
  await expect(list.row('p9000')).toBeInViewport()
  await expect(list.rows.first()).toHaveAttribute('aria-rowindex', '2')
  await expect(list.walk).toHaveText(/403 loaded/u)
  expect(foreign.asked.map(({ after }) => after)).toEqual([null])
})

test('without a script, Retry and Clear filters read the page again', async ({ page, foreign, context, browser }) => {
  foreign.answer(honest(6))
  await openList(page, foreign)
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await context.storageState(),
    baseURL: foreign.url,
  })
  const still = await plain.newPage()
  const rows = still.getByRole('grid').locator('[data-row-id]')
  foreign.answer(() => ({ status: 403, body: { title: 'Not for you' } }))
  await still.goto('/payments?state=Gone&sort=-amount')
  await expect(still.getByText('Not for you').first()).toBeVisible()
  foreign.answer(honest(6))
  await still.getByRole('button', { name: 'Retry', exact: true }).click()
  await expect(still.getByText('No matches', { exact: true })).toBeVisible()
  expect(new URL(still.url()).search).toBe('?sort=-amount&state=Gone')
  await still.getByRole('button', { name: 'Clear filters', exact: true }).last().click()
  await expect(rows.first()).toBeVisible()
  await still.getByRole('button', { name: 'Refresh', exact: true }).click()
  await expect(rows.first()).toBeVisible()
  expect(new URL(still.url()).pathname).toBe('/payments')
  await plain.close()
})
