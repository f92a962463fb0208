import { findViolations } from '../support/accessibility'
import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'
import { openWithoutScripts, signIn, waitForScript } from '../support/session'

test('a popover opens before the page’s script runs, and stays open', async ({ page, desk }) => {
  await page.setViewportSize({ width: 1024, height: 720 })
  await signIn(page, desk.signIn('viewer'), '/merchant')
  const release = await openWithoutScripts(page, '/payments')
  await page.getByRole('button', { name: /^Account/u }).click()
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
  release()
  await waitForScript(page)
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
})

test('a link leads on before the page’s script runs', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/merchant')
  const release = await openWithoutScripts(page, '/payments')
  await page.getByRole('link', { name: 'Customers' }).click()
  await expect(page).toHaveURL(/\/customers$/u)
  release()
  await expect(page.getByRole('heading', { name: 'Customers', level: 1 })).toBeVisible()
})

test('what only the page’s script can do is held until it runs', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/merchant')
  const release = await openWithoutScripts(page, '/activity')
  const held = [
    page.getByLabel('Action', { exact: true }),
    page.getByLabel('Person'),
    page.getByRole('radio', { name: 'Dark' }),
  ]
  for (const field of held) await expect(field).toBeDisabled()
  release()
  for (const field of held) await expect(field).toBeEnabled()
})

test('a box that is ticked before the page’s script runs, or by the browser on Back, selects nothing and says so', {
  tag: '@long',
}, async ({ page, desk }) => {
  await signIn(page, desk.signIn('support'), '/merchant')
  const ticks = page.locator('[data-row-id] input[type=checkbox]')
  const release = await openWithoutScripts(page, '/payments')
  await ticks.nth(1).click()
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  release()
  await waitForScript(page)
  await expect(page.locator('[role=grid] input:checked')).toHaveCount(0)
  await ticks.nth(2).click()
  await ticks.nth(4).click()
  await expect(page.getByText(/^2 payments selected/u)).toBeVisible()
  await page.goto('/reference')
  await page.goBack()
  await waitForScript(page)
  await expect(ticks.first()).toBeVisible()
  await expect(page.getByText(/payments? selected/u)).toHaveCount(0)
  await expect(page.locator('[role=grid] input:checked')).toHaveCount(0)
})

test('the first rows stand in the HTML: with JavaScript switched off they are shown', { tag: '@long' }, async ({
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
      await expect(still.locator('.list-status')).toBeInViewport({ ratio: 1 })
    }
  }
  await still.goto('/')
  await expect(still.getByRole('heading', { name: 'Collections' })).toBeVisible()
  await expect(still.getByText('Counting payments')).toBeHidden()
  // As many rows as fit on a tall screen.
  await still.goto('/payments?sort=amount')
  const rows = still.locator('[data-row-id]')
  expect(await rows.count()).toBeGreaterThan(30)
  await rows.nth(29).scrollIntoViewIfNeeded()
  await expect(rows.nth(29)).toBeInViewport()
  await plain.close()
})

test('a page whose script fails says so within the shell, and Retry loads it anew', async ({
  page,
  desk,
  context,
  browser,
}) => {
  await signIn(page, desk.signIn('viewer'))
  // In a separate context, where the browser's error messages are no faults.
  const broken = await browser.newContext({ storageState: await context.storageState(), baseURL: desk.url })
  await broken.addInitScript(() => {
    if (sessionStorage.getItem('failed')) return
    sessionStorage.setItem('failed', 'once')
    Object.defineProperty(globalThis, 'ResizeObserver', { value: undefined })
  })
  const failing = await broken.newPage()
  await failing.goto('/payments')
  await expect(failing.getByRole('heading', { name: 'This page couldn’t be shown' })).toBeVisible()
  await expect(failing.getByRole('navigation').first()).toBeVisible()
  await expect(failing.getByRole('link', { name: 'Go to overview' })).toBeVisible()
  expect(await findViolations(failing)).toEqual([])
  await failing.getByRole('button', { name: 'Retry' }).click()
  await new ListPage(failing, 'Payments').ready()
  await expect(failing.getByRole('heading', { name: 'This page couldn’t be shown' })).toHaveCount(0)
  await broken.close()
})
