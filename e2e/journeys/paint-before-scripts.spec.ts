import type { Page } from '@playwright/test'
import { expect, test } from '../harness/journey'
import { readPayments } from '../harness/read-payments'
import { signIn } from '../harness/sign-in'

declare global {
  interface Window {
    firstFrame?: number
  }
}

test('a list asks for its scripts once its first frame is drawn, and works', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/merchant')
  await page.addInitScript(() => {
    requestAnimationFrame(() => {
      window.firstFrame = performance.now()
    })
  })
  for (const path of ['/payments', '/customers']) {
    await page.goto(path)
    // The browser drops what is typed before it has drawn anything of the page.
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
    await page.keyboard.press('Control+K')
    await expect(page.getByRole('combobox', { name: 'Find pages, actions and records' })).toBeFocused()
    const { first, scripts } = await page.evaluate(() => ({
      first: window.firstFrame ?? Number.POSITIVE_INFINITY,
      scripts: performance
        .getEntriesByType('resource')
        // One of them is fetched ahead, at the lowest priority: React writes a link for it. It runs after the frame too.
        .filter((entry) => entry instanceof PerformanceResourceTiming && entry.initiatorType === 'script')
        .map(({ startTime }) => startTime),
    }))
    expect(scripts.length).toBeGreaterThan(5)
    expect(Math.min(...scripts)).toBeGreaterThanOrEqual(first)
  }
})

test('a tab that nobody looks at, and that draws no frame, is ready all the same', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/merchant')
  await page.addInitScript(() => {
    Object.defineProperty(document, 'hidden', { get: () => true })
    window.requestAnimationFrame = () => 0
  })
  await page.goto('/payments', { waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveAttribute('data-find-state', 'ready')
})

/** Opens a page whose scripts come only once what is answered is called. */
async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/_next/static/chunks/*.js', (route) => held.then(() => route.continue()))
  await page.goto(path, { waitUntil: 'commit' })
  return release
}

test('a button that opens a dialog and is pressed before the page’s script runs opens it as soon as it runs', async ({
  page,
  desk,
  context,
}) => {
  await signIn(page, desk.signIn('support'), '/merchant')
  const [payment] = await readPayments(context.request, desk.url, { limit: '1', filter: "status eq 'Pending'" })
  if (!payment) throw new Error('No payment is pending.')
  const release = await openWithoutScripts(page, `/payments/${payment.id}`)
  await page.getByRole('button', { name: 'Cancel payment', exact: true }).click()
  release()
  const dialog = page.getByRole('alertdialog', { name: /^Cancel payment/u })
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Keep payment' }).click()
  await expect(dialog).toHaveCount(0)
})

test('so does one of a list; another button or Escape takes it back', async ({ page, desk }) => {
  await signIn(page, desk.signIn('support'), '/merchant')
  const display = page.getByRole('button', { name: 'Display', exact: true })
  const dialog = page.getByRole('dialog', { name: 'Display' })
  for (const takeBack of [null, 'Escape', 'Refresh'] as const) {
    const release = await openWithoutScripts(page, '/payments')
    await display.click()
    if (takeBack === 'Escape') await page.keyboard.press('Escape')
    if (takeBack === 'Refresh') await page.getByRole('button', { name: 'Refresh' }).click()
    release()
    await expect(page.locator('html')).toHaveAttribute('data-find-state', 'ready')
    if (takeBack) {
      await page.getByRole('button', { name: 'Views', exact: true }).click()
      await expect(page.getByRole('dialog')).toHaveCount(1)
      await expect(dialog).toHaveCount(0)
    } else await expect(dialog).toBeVisible()
    await page.unrouteAll()
  }
})

test('a popover opens before the page’s script runs, and stays open', async ({ page, desk }) => {
  await page.setViewportSize({ width: 1024, height: 720 })
  await signIn(page, desk.signIn('viewer'), '/merchant')
  const release = await openWithoutScripts(page, '/payments')
  await page.getByRole('button', { name: /^Account/u }).click()
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
  release()
  await expect(page.locator('html')).toHaveAttribute('data-find-state', 'ready')
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
})

test('a header that is pressed before the page’s script runs sorts, and the list says so', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/merchant')
  const release = await openWithoutScripts(page, '/payments')
  const header = page.getByRole('columnheader', { name: 'Amount' })
  await header.getByRole('button').click()
  release()
  await expect(header).toHaveAttribute('aria-sort', 'ascending')
  await expect(page).toHaveURL(/sort=amount/u)
})

test('what is typed, chosen and ticked in a list before the page’s script runs counts', async ({ page, desk }) => {
  await signIn(page, desk.signIn('support'), '/merchant')
  const search = page.getByRole('searchbox', { name: 'Search' })
  const state = page.getByRole('combobox', { name: 'State' })
  let release = await openWithoutScripts(page, '/payments')
  await search.fill('a')
  await state.selectOption('Pending')
  release()
  await expect(page).toHaveURL(/[?&]search=a(&|$)/u)
  await expect(page).toHaveURL(/[?&]state=Pending(&|$)/u)
  await expect(search).toHaveValue('a')
  await expect(state).toHaveValue('Pending')
  await page.unrouteAll()

  release = await openWithoutScripts(page, '/payments')
  const ticks = page.locator('[data-row-id] input[type=checkbox]')
  await ticks.nth(1).click()
  await ticks.nth(3).click()
  release()
  await expect(page.getByText(/^2 payments? selected/u)).toBeVisible()
  await expect(ticks.nth(1)).toBeChecked()
  await expect(ticks.nth(3)).toBeChecked()
  await ticks.nth(3).click()
  await expect(page.getByText(/^1 payments? selected/u)).toBeVisible()
  await page.unrouteAll()

  release = await openWithoutScripts(page, '/payments')
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await expect(ticks.nth(7)).toBeChecked()
  release()
  await expect(page.getByText(/^1\d\d payments selected/u)).toBeVisible()
})

test('ticks that the browser fills in again on Back are nobody’s: nothing is selected', async ({ page, desk }) => {
  await signIn(page, desk.signIn('support'), '/payments')
  await expect(page.locator('html')).toHaveAttribute('data-find-state', 'ready')
  await page.locator('[data-scroller]').evaluate((scroller) => scroller.scrollTo({ top: 700 }))
  const ticks = page.locator('[data-row-id] input[type=checkbox]')
  await ticks.nth(5).click()
  await ticks.nth(7).click()
  await expect(page.getByText(/^2 payments selected/u)).toBeVisible()
  await page.goto('/reference')
  await page.goBack()
  await expect(page.locator('html')).toHaveAttribute('data-find-state', 'ready')
  await expect(ticks.first()).toBeVisible()
  await expect(page.getByText(/payments? selected/u)).toHaveCount(0)
  await expect(page.locator('[data-row-id] input:checked')).toHaveCount(0)
})

test('what is pressed while a part of the page’s script is still on its way counts once it is there', async ({
  page,
  desk,
}) => {
  await signIn(page, desk.signIn('support'), '/merchant')
  // The last chunk that the page asks for: React and Next run, and what they need of the page is missing.
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const html = await (await page.request.get('/payments')).text()
  const sources: string[] = JSON.parse(/sources=(\[.*?\])/u.exec(html)?.[1] ?? '[]')
  const last = sources.at(-2) ?? ''
  expect(last).toMatch(/\.js$/u)
  await page.route(`**${last}`, (route) => held.then(() => route.continue()))
  await page.goto('/payments', { waitUntil: 'commit' })
  // React hears everything by now, and can answer nothing yet.
  await page.waitForFunction(() => Object.keys(document).some((key) => key.startsWith('_reactListening')))
  await page.getByRole('button', { name: 'Display', exact: true }).click()
  await page.getByRole('searchbox', { name: 'Search' }).fill('a')
  release()
  await expect(page.getByRole('dialog', { name: 'Display' })).toBeVisible()
  await expect(page).toHaveURL(/[?&]search=a(&|$)/u)
})

test('a row that is pressed before the page’s script runs opens as soon as it runs', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/merchant')
  let release = await openWithoutScripts(page, '/payments')
  await page.locator('[data-row-id]').nth(2).locator('[role=gridcell]').nth(2).click()
  release()
  await expect(page).toHaveURL(/open=/u)
  await page.unrouteAll()
  release = await openWithoutScripts(page, '/customers')
  await page.locator('[data-row-id]').nth(2).locator('[role=gridcell]').nth(1).click()
  release()
  await expect(page).toHaveURL(/\/customers\/[\w-]+$/u)
})

test('who presses Sign out before the page’s script runs is signed out', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/merchant')
  const release = await openWithoutScripts(page, '/payments')
  await page.getByRole('button', { name: 'Sign out' }).click()
  release()
  await expect(page).toHaveURL(/\/sign-in/u)
})
