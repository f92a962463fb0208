import { callApi } from '../support/api'
import { expect, test } from '../support/journey'
import { chooseFilter, filterButton, ListPage, openSearch } from '../support/page-objects'
import { openSignedIn, signIn } from '../support/session'

type Listed = { id: string; handle: string; reference: string; currency: string; customer: { name: string } }

test('dates, amounts and states are chosen in panels, stand in the URL, and go with their chips', async ({
  page,
  desk,
}) => {
  await openSignedIn(page, desk, { role: 'viewer' })
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await chooseFilter(page, 'State', ['Pending', 'Scheduled'])
  await expect(page).toHaveURL(/state=Pending,Scheduled/u)
  await expect(list.rowsOf('Settled')).toHaveCount(0)
  // The button of an open panel closes it.
  await page.getByRole('button', { name: /^State: /u }).click()
  const states = page.getByRole('dialog', { name: 'Filter by State' })
  await expect(states).toBeVisible()
  await page.getByRole('button', { name: /^State: /u }).click()
  await expect(states).toHaveCount(0)

  await filterButton(page, 'Date').click()
  const dates = page.getByRole('dialog', { name: 'Filter by Date' })
  await dates.getByRole('radio', { name: 'Choose dates' }).check()
  await dates.getByRole('button', { name: 'Apply' }).click()
  await expect(dates.getByLabel('From', { exact: true })).toHaveAccessibleDescription(/date/u)
  await dates.getByLabel('From', { exact: true }).fill('2027-02-01')
  await dates.getByLabel('To', { exact: true }).fill('2027-01-01')
  await dates.getByRole('button', { name: 'Apply' }).click()
  await expect(dates).toBeVisible()
  await dates.getByRole('radio', { name: 'Next 7 days' }).check()
  await dates.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/[?&]payment=next-7-days/u)
  await expect(page.getByRole('button', { name: 'Collection date: Next 7 days' })).toBeVisible()

  await filterButton(page, 'Amount').click()
  const amounts = page.getByRole('dialog', { name: 'Filter by Amount' })
  await amounts.getByLabel('Currency', { exact: true }).selectOption('DKK')
  await amounts.getByLabel('Amount', { exact: true }).fill('many')
  await amounts.getByRole('button', { name: 'Apply' }).click()
  await expect(amounts.getByLabel('Amount', { exact: true })).toHaveAccessibleDescription(/Enter an amount such as/u)
  await amounts.getByLabel('Amount', { exact: true }).fill('500.50')
  await amounts.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/amount=500\.50?\.\.&currency=DKK|currency=DKK&amount=500\.50?\.\./u)

  await page.reload()
  await list.ready()
  await expect(page.getByRole('button', { name: /^Amount: at least 500\.50.DKK$/u })).toBeVisible()
  await list.loadAll()
  const texts = await list.rows.allInnerTexts()
  for (const text of texts) {
    const amount = Number((/([\d,]+\.\d{2})\s*DKK/u.exec(text)?.[1] ?? '0').replaceAll(',', ''))
    expect(amount, text).toBeGreaterThanOrEqual(500.5)
  }
  for (const label of ['Amount', 'Currency', 'Collection date'])
    await page.getByRole('button', { name: `Remove filter: ${label}` }).click()
  await expect(page).toHaveURL(/\?state=Pending,Scheduled$/u)
})

test('a handle, an id and a name without its accents find a payment, in the list, in Find and in the address', async ({
  page,
  desk,
  context,
}) => {
  await signIn(page, desk.signIn('viewer'), '/payments')
  const list = new ListPage(page, 'Payments')
  await list.ready()
  const reply = await callApi(context.request, `${desk.url}/api/service/Payments?limit=100`)
  const { results }: { results: Listed[] } = await reply.json()
  const payment = results.find(({ customer, handle }) => /[åøæ]/iu.test(customer.name) && handle !== '')
  if (!payment) throw new Error('No payment of a customer with an accent.')
  const search = page.getByLabel('Search', { exact: true })
  for (const text of [payment.handle, payment.id]) {
    await search.fill(text)
    await expect(list.rows).toHaveCount(1)
    await expect(list.row(payment.id)).toBeVisible()
  }
  const plain = payment.customer.name
    .toLowerCase()
    .replaceAll('å', 'aa')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .split(' ')
    .toReversed()
    .join(' ')
  await search.fill(`${plain} ${payment.reference}`)
  await expect(list.row(payment.id)).toBeVisible()

  const field = await openSearch(page)
  await field.fill(payment.handle)
  const hit = page.getByRole('option', { name: payment.reference })
  await expect(hit).toContainText(payment.currency)
  await page.keyboard.press('Escape')
  await page.goto(`/payments/${encodeURIComponent(payment.handle)}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(payment.reference)
})

test('tabs lead to the common views, with the numbers that the overview has counted; what is due next comes first', async ({
  page,
  desk,
}) => {
  await openSignedIn(page, desk, { role: 'viewer', path: '/' })
  await expect(page.locator('[data-overview="whole"]')).toBeVisible({ timeout: 60_000 })
  await page.goto('/payments?amount=1..&currency=DKK')
  const tabs = page.getByRole('navigation', { name: 'Payments by state' })
  const upcoming = tabs.getByRole('link', { name: /^Upcoming/u })
  // The number is that of all upcoming payments.
  await expect(upcoming).toHaveText('Upcoming')
  await page.goto('/payments')
  await expect(upcoming).toHaveText(/^Upcoming\d[\d,]*$/u)
  await expect(tabs.getByRole('link', { name: 'All', exact: true })).toHaveAttribute('aria-current', 'true')
  await upcoming.click()
  await expect(page).toHaveURL(/\?state=Pending,Scheduled&sort=paymentDate$/u)
  await expect(upcoming).toHaveAttribute('aria-current', 'true')
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await expect(list.rowsOf('Settled')).toHaveCount(0)
  await expect(list.grid.getByRole('columnheader', { name: 'Collection date' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  const days = await list.rows.evaluateAll((rows) =>
    rows.map((row) =>
      Date.parse(/\d{1,2} \w{3,4} \d{4}/u.exec(row.textContent ?? '')?.[0].replace('Sept', 'Sep') ?? ''),
    ),
  )
  expect(days.length).toBeGreaterThan(5)
  expect(days).toEqual(days.toSorted((one, other) => one - other))
  await tabs.getByRole('link', { name: /^Rejected/u }).click()
  await expect(page).toHaveURL(/\?state=Rejected$/u)
  await expect(list.rowsOf('Rejected').first()).toBeVisible()
  await page.goBack()
  await expect(upcoming).toHaveAttribute('aria-current', 'true')
})

test('amounts are sorted within their currency', async ({ page, desk }) => {
  await openSignedIn(page, desk, { role: 'viewer', path: '/payments?sort=-amount' })
  const list = new ListPage(page, 'Payments')
  await list.ready()
  const found: { currency: string; amount: number }[] = []
  const texts = await list.rows.allInnerTexts()
  for (const text of texts) {
    const [, amount = '', currency = ''] = /([\d,]+(?:\.\d+)?)\s*(DKK|EUR|SEK|NOK|JPY|KWD)/u.exec(text) ?? []
    found.push({ currency, amount: Number(amount.replaceAll(',', '')) })
  }
  expect(found.length).toBeGreaterThan(5)
  for (const [index, { currency, amount }] of found.entries()) {
    const before = found[index - 1]
    if (before && before.currency === currency) expect(before.amount).toBeGreaterThanOrEqual(amount)
    else if (before) expect(before.currency < currency).toBe(true)
  }
})

test('J and K go from payment to payment beside the open panel, and a slash leads to the search', async ({
  page,
  desk,
}) => {
  await page.setViewportSize({ width: 1600, height: 900 })
  await openSignedIn(page, desk, { role: 'support' })
  const list = new ListPage(page, 'Payments')
  await list.ready()
  const [first = '', second = ''] = await list.visibleIds()
  await list.row(first).click()
  const panel = page.getByRole('dialog')
  await expect(panel.getByRole('button', { name: 'Previous (K)' })).toBeDisabled()
  await page.keyboard.press('j')
  await expect(page).toHaveURL(new RegExp(`open=${second}`, 'u'))
  await expect(list.row(second)).toBeVisible()
  // Keys that are pressed faster than the page follows count each.
  for (const key of ['j', 'j', 'k', 'k']) await page.keyboard.press(key)
  await expect(page).toHaveURL(new RegExp(`open=${second}`, 'u'))
  // A button keeps the focus, and the keys their panel, where it leads no further.
  await panel.getByRole('button', { name: 'Previous (K)' }).click()
  await expect(page).toHaveURL(new RegExp(`open=${first}`, 'u'))
  await expect(panel.getByRole('button', { name: 'Previous (K)' })).toBeDisabled()
  await page.keyboard.press('j')
  await expect(page).toHaveURL(new RegExp(`open=${second}`, 'u'))
  await page.keyboard.press('k')
  await expect(page).toHaveURL(new RegExp(`open=${first}`, 'u'))
  await panel.getByRole('button', { name: 'Next (J)' }).click()
  await expect(page).toHaveURL(new RegExp(`open=${second}`, 'u'))
  // The panel takes its place beside the list.
  for (const width of [1280, 1600]) {
    await page.setViewportSize({ width, height: 900 })
    const [grid, sheet] = [await list.scroller.boundingBox(), await panel.boundingBox()]
    expect((grid?.x ?? 0) + (grid?.width ?? 0)).toBeLessThanOrEqual((sheet?.x ?? 0) + 1)
  }
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(list.row(second)).toBeFocused()
  await page.keyboard.press('/')
  await expect(page.getByLabel('Search', { exact: true })).toBeFocused()
  await page.keyboard.type('/')
  await expect(page.getByLabel('Search', { exact: true })).toHaveValue('/')
})
