import type { Page } from '@playwright/test'
import { expect, test } from '../harness/journey'
import { openWithoutScripts } from '../harness/open-without-scripts'
import { readPayments } from '../harness/read-payments'
import { signIn } from '../harness/sign-in'

test('a button that opens a dialog and is pressed before the page’s script runs opens it as soon as it runs', async ({
  page,
  desk,
  context,
}) => {
  await signIn(page, desk.signIn('support'), '/merchant')
  const [payment] = await readPayments(context.request, desk.url, { limit: '1', filter: "status eq 'Pending'" })
  if (!payment) throw new Error('No payment is pending.')
  const cancel = page.getByRole('button', { name: 'Cancel payment', exact: true })
  // What the service can do is proven once, by a page with its script: from then on the server finds the payment.
  await page.goto(`/payments/${payment.id}`)
  await expect(cancel).toBeVisible()
  await expect(async () => {
    const html = await (await context.request.get(`${desk.url}/payments/${payment.id}`)).text()
    expect(html).toContain(payment.reference)
  }).toPass()
  const release = await openWithoutScripts(page, `/payments/${payment.id}`)
  await cancel.click()
  release()
  const dialog = page.getByRole('alertdialog', { name: /^Cancel payment/u })
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Keep payment' }).click()
  await expect(dialog).toHaveCount(0)
})

/** Has the page's clock say that it is so many milliseconds later. */
async function passTime(page: Page, by: number): Promise<void> {
  await page.evaluate((milliseconds) => {
    const now = Date.now.bind(Date)
    Date.now = () => now() + milliseconds
  }, by)
}

test('so does one of a list; whatever else is pressed, Escape and ten seconds take it back', async ({ page, desk }) => {
  await signIn(page, desk.signIn('support'), '/merchant')
  const display = page.getByRole('button', { name: 'Display', exact: true })
  const dialog = page.getByRole('dialog', { name: 'Display' })
  for (const takeBack of [null, 'Escape', 'Refresh', 'heading', 'time'] as const) {
    const release = await openWithoutScripts(page, '/payments')
    await display.click()
    if (takeBack === 'Escape') await page.keyboard.press('Escape')
    if (takeBack === 'Refresh') await page.getByRole('button', { name: 'Refresh' }).click()
    if (takeBack === 'heading') await page.getByRole('heading', { name: 'Payments' }).click()
    if (takeBack === 'time') {
      await passTime(page, 11_000)
      // What is typed meanwhile does not begin the ten seconds anew.
      await page.keyboard.press('b')
    }
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

test('a link that is followed takes back what was pressed before it', async ({ page, desk }) => {
  await signIn(page, desk.signIn('support'), '/merchant')
  const release = await openWithoutScripts(page, '/payments')
  await page.getByRole('button', { name: 'Sign out' }).click()
  // As if the other page were long on its way: this one is still there as its script comes.
  await page.evaluate(() => addEventListener('click', (event) => event.preventDefault()))
  await page.getByRole('link', { name: 'Customers' }).click()
  release()
  await expect(page.locator('html')).toHaveAttribute('data-find-state', 'ready')
  await page.keyboard.press('Control+K')
  await expect(page.getByRole('combobox', { name: 'Find pages, actions and records' })).toBeFocused()
  await expect(page).toHaveURL(/\/payments$/u)
})

test('what is copied before the page’s script runs is not copied late', async ({ page, desk, context }) => {
  await signIn(page, desk.signIn('viewer'), '/merchant')
  const [payment] = await readPayments(context.request, desk.url, { limit: '1' })
  if (!payment) throw new Error('There is no payment.')
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: async () => document.body.append('written') } })
  })
  await page.goto(`/payments/${payment.id}`)
  await expect(page.getByRole('heading', { name: 'Payment', level: 1 })).toBeVisible()
  const release = await openWithoutScripts(page, `/payments/${payment.id}`)
  const copy = page.getByRole('button', { name: 'Copy payment id' })
  await copy.click()
  release()
  await expect(page.locator('html')).toHaveAttribute('data-find-state', 'ready')
  // The next thing that is pressed is answered after what would have been pressed again.
  await page.keyboard.press('Control+K')
  await expect(page.getByRole('combobox', { name: 'Find pages, actions and records' })).toBeFocused()
  await expect(page.getByText('written')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await copy.click()
  await expect(page.getByText('written')).toBeAttached()
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

test('filters of the log that are chosen before the page’s script runs filter it', async ({ page, desk }) => {
  const { email } = desk.signIn('admin')
  await signIn(page, desk.signIn('admin'), '/merchant')
  const release = await openWithoutScripts(page, '/activity')
  await page.getByLabel('Action').selectOption('session.started')
  await page.getByLabel('Person').fill(email)
  release()
  await expect(page).toHaveURL(/person=admin.*action=session.started|action=session.started.*person=admin/u)
  await expect(page.getByLabel('Action')).toHaveValue('session.started')
  const rows = page.getByRole('list', { name: 'Activity' }).locator('[data-row-id]')
  await expect(rows.first()).toContainText(email)
  for (const row of await rows.all()) await expect(row).toContainText('Signed in')
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

test('a theme that is chosen before the page’s script runs is seen at once, and stays', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/merchant')
  const release = await openWithoutScripts(page, '/payments')
  for (const theme of ['Light', 'Dark']) {
    await page.getByRole('radio', { name: theme }).check({ force: true })
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme.toLowerCase())
    await expect(page.locator('html')).toHaveCSS('color-scheme', theme.toLowerCase())
  }
  release()
  await expect(page.locator('html')).toHaveAttribute('data-find-state', 'ready')
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
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
