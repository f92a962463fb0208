import { expect, test } from '../support/journey'
import { signIn } from '../support/session'

test('the first rows stand in the HTML: with JavaScript switched off they are shown', async ({
  page,
  desk,
  context,
  browser,
}) => {
  await signIn(page, desk.signIn('viewer'))
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await context.storageState(),
    baseURL: desk.url,
  })
  const still = await plain.newPage()
  for (const [path, name] of [
    ['/payments', 'Payments'],
    ['/customers', 'Customers'],
    ['/mandates', 'Mandates'],
  ] as const) {
    await still.goto(path)
    const rows = still.getByRole('grid', { name, exact: true }).locator('[data-row-id]')
    await expect(rows.first()).toBeVisible()
    expect(await rows.count()).toBeGreaterThan(5)
    await expect(still.locator('main noscript p')).toBeVisible()
    await expect(still.getByRole('button', { name: 'Load more', exact: true })).toBeHidden()
    for (const width of [1440, 390]) {
      await still.setViewportSize({ width, height: 844 })
      await expect(still.locator('.dt-walk')).toBeInViewport({ ratio: 1 })
    }
  }
  await still.goto('/')
  await expect(still.getByRole('heading', { name: 'Collections' })).toBeVisible()
  await expect(still.getByText('Counting payments')).toBeHidden()
  // As many as a tall screen has room for.
  await still.goto('/payments?sort=amount')
  const rows = still.locator('[data-row-id]')
  expect(await rows.count()).toBeGreaterThan(30)
  await rows.nth(29).scrollIntoViewIfNeeded()
  await expect(rows.nth(29)).toBeInViewport()
  await plain.close()
})
