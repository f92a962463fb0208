import { openSignedIn } from '../support/session'
import { expect, test } from '../support/journey'
import { chooseFilter, filterButton, ListPage } from '../support/page-objects'

test('filters stand in the URL, and a copy of it shows the same', async ({ page, desk, context }) => {
  await openSignedIn(page, desk, { role: 'viewer' })
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await chooseFilter(page, 'State', ['Settled'])
  await expect(page).toHaveURL(/Settled/iu)
  await expect(list.rowsOf('Settled').first()).toBeVisible()
  await expect(list.rowsOf('Pending')).toHaveCount(0)

  await page.getByLabel('Search', { exact: true }).fill('an')
  await expect(page).toHaveURL(/=an\b/u)
  await list.ready()

  const copy = await context.newPage()
  await copy.goto(page.url())
  const other = new ListPage(copy, 'Payments')
  await other.ready()
  await expect(async () => {
    // The number of rendered rows depends on the note above the list.
    const ids = (await list.visibleIds()).slice(0, 15)
    expect(ids.length).toBeGreaterThan(0)
    expect((await other.visibleIds()).slice(0, 15)).toEqual(ids)
  }).toPass({ timeout: 15_000 })
  await expect(copy.getByLabel('Search', { exact: true })).toHaveValue('an')
})

test('a column header sorts both ways, in the URL too', async ({ page, desk }) => {
  await openSignedIn(page, desk, { role: 'viewer' })
  const list = new ListPage(page, 'Payments')
  await list.ready()
  const header = list.grid.getByRole('columnheader', { name: 'Collection date' })
  await header.getByRole('button').first().click()
  await expect(header).toHaveAttribute('aria-sort', /ascending|descending/u)
  await expect(page).toHaveURL(/paymentDate/u)
  const first = await header.getAttribute('aria-sort')
  await list.ready()
  const ids = await list.visibleIds()
  await header.getByRole('button').first().click()
  await expect(header).not.toHaveAttribute('aria-sort', first ?? '')
  await list.ready()
  await expect.poll(() => list.visibleIds()).not.toEqual(ids)
})

test('Back restores the filters, the rows that were loaded and the place', async ({ page, desk }) => {
  await openSignedIn(page, desk, { role: 'viewer' })
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await chooseFilter(page, 'State', ['Settled'])
  await expect(page).toHaveURL(/Settled/iu)
  await list.ready()
  await list.loadAll()
  await list.scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2))
  await page.waitForTimeout(300)
  const place = await list.scroller.evaluate((element) => element.scrollTop)
  const ids = await list.visibleIds()
  const middle = ids[Math.floor(ids.length / 2)] ?? ''

  await list.row(middle).click()
  await page
    .getByRole('link', { name: /open|full page/iu })
    .first()
    .click()
  await expect(page).toHaveURL(`${desk.url}/payments/${middle}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  await page.goBack()
  await expect(list.row(middle)).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/Settled/iu)
  await expect(list.row(middle)).toBeInViewport()
  expect(Math.abs((await list.scroller.evaluate((element) => element.scrollTop)) - place)).toBeLessThan(60)
})

test('choices that are made faster than the page renders are all made', async ({ page, desk }) => {
  await openSignedIn(page, desk, { role: 'viewer' })
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await filterButton(page, 'State').click()
  const boxes = page.getByRole('dialog', { name: 'Filter by State' }).getByRole('checkbox')
  await expect(boxes.first()).toBeVisible()
  await boxes.evaluateAll((all) => {
    for (const box of all.slice(0, 3)) if (box instanceof HTMLElement) box.click()
  })
  await expect(boxes.locator('visible=true').nth(2)).toBeChecked()
  await expect(boxes.and(page.locator(':checked'))).toHaveCount(3)
  expect(new URL(page.url()).searchParams.get('state')?.split(',')).toHaveLength(3)
})

test('Back from a search leaves it, with the focus still in its field', async ({ page, desk }) => {
  await openSignedIn(page, desk, { role: 'viewer' })
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await chooseFilter(page, 'State', ['Chargeback'])
  await expect(list.rowsOf('Chargeback').first()).toBeVisible()
  const search = page.getByLabel('Search', { exact: true })
  await search.pressSequentially('zzzz')
  await expect(page).toHaveURL(/=zzzz\b/u)
  await expect(list.rows).toHaveCount(0)
  await page.goBack()
  await expect(list.rowsOf('Chargeback').first()).toBeVisible()
  await expect(search).toHaveValue('')
  // Longer than the delay before a search.
  await page.waitForTimeout(600)
  await expect(page).toHaveURL(/Chargeback$/u)
  await search.pressSequentially('an')
  await expect(page).toHaveURL(/=an\b/u)
})

test('Back takes a search, however long its typing took, and then each filter by itself', { tag: '@long' }, async ({
  page,
  desk,
}) => {
  await openSignedIn(page, desk, { role: 'viewer' })
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await chooseFilter(page, 'State', ['Pending'])
  await chooseFilter(page, 'Mode', ['Live'])
  await expect(page).toHaveURL(/Pending.*mode=|mode=.*Pending/iu)
  const filtered = page.url()
  const search = page.getByLabel('Search', { exact: true })
  for (const letter of 'nor') {
    await search.press(letter)
    await expect(page).toHaveURL(new RegExp(`search=[nor]*${letter}(&|$)`, 'u'))
  }
  await page.goBack()
  await expect(page).toHaveURL(filtered)
  await expect(search).toHaveValue('')
  await page.goBack()
  await expect(filterButton(page, 'Mode')).toHaveCount(0)
  await expect(page).toHaveURL(/Pending/iu)
  await page.goForward()
  await page.goForward()
  await expect(search).toHaveValue('nor')

  // A blank text is no search. One that was cleared by hand leaves no entry, and the next one keeps the entry before it.
  await page.goto('/payments?state=Pending')
  await list.ready()
  const before = await page.evaluate(() => history.length)
  await search.pressSequentially(' ')
  await page.waitForTimeout(600)
  expect(await page.evaluate(() => history.length)).toBe(before)
  await search.fill('x')
  await expect(page).toHaveURL(/search=x/u)
  await search.fill('')
  await expect(page).not.toHaveURL(/search=/u)
  await search.pressSequentially('y')
  await expect(page).toHaveURL(/search=y/u)
  await page.goBack()
  await expect(page).toHaveURL(/\/payments\?state=Pending$/u)
})
