import { callApi } from '../support/api'
import { openSignedIn } from '../support/session'
import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'

for (const [path, name] of [
  ['/customers', 'Customers'],
  ['/mandates', 'Mandates'],
] as const) {
  test(`${name} are an infinite list, scrolled to its end`, async ({ page, desk }) => {
    test.setTimeout(180_000)
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
