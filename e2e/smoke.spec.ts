import { textOf } from './support/language'
import { ListPage } from './support/page-objects'
import { fillSignIn, signIn, signOut } from './support/session'
import { expect, test } from './support/smoke-test'

/*
 * Read-only tests of any running desk: `npm run smoke -- --base-url URL`. Without an address, as in `npm test`, of the
 * shared desk. They use only names that docs/automation.md guarantees, in the language of `--language`, and nothing specific to the embedded service: a
 * list may be empty, and a state may have any name.
 */
const lists = [
  ['/payments', textOf('payments_payments')],
  ['/customers', textOf('customers_customers')],
  ['/mandates', textOf('mandates_mandates')],
] as const

test('the desk answers its health without a session', async ({ request }) => {
  expect((await request.get('/api/health')).status()).toBe(200)
})

test('signed out, a page leads to the sign-in and an API call answers 401 with a problem record', async ({
  page,
  request,
}) => {
  for (const [path] of lists) {
    await page.goto(path)
    await expect(page).toHaveURL(new RegExp(`/sign-in\\?callbackUrl=${encodeURIComponent(path)}$`, 'u'))
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await expect(page.getByRole('button', { name: textOf('signingIn_show'), exact: true })).toBeVisible()
  const response = await request.get('/api/service/Payments')
  expect(response.status()).toBe(401)
  expect(response.headers()['content-type']).toContain('application/problem+json')
  expect(await response.json()).toMatchObject({ status: 401 })
})

test('signing in leads to the page that was asked for, and signing out ends it', async ({
  page,
  target,
  context,
  watch,
}) => {
  // A page requested as the session ends is answered 401.
  watch.allowStatus(401)
  await page.goto('/customers')
  await fillSignIn(page, target.who)
  await expect(page).toHaveURL(`${target.url}/customers`)
  await signOut(page)
  await expect(page).toHaveURL(/\/sign-in/u)
  expect((await context.request.get('/api/service/Customers')).status()).toBe(401)
})

test('every link of the navigation leads to a page with one heading', async ({ page, target }) => {
  await signIn(page, target.who)
  const links = page.getByRole('navigation').getByRole('link')
  await expect(links.filter({ hasText: textOf('shell_payments') })).not.toHaveCount(0)
  for (let index = 0; index < (await links.count()); index += 1) {
    await links.nth(index).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  }
})

for (const [path, name] of lists) {
  test(`${name} are a grid that says how far its list goes`, async ({ page, target }) => {
    await signIn(page, target.who, path)
    await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
    const list = new ListPage(page, name)
    await expect(list.walk).toHaveAttribute('data-walk', /^(more|complete|incomplete)$/u)
    const ids = await list.visibleIds()
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).not.toContain('')
    if ((await list.walk.getAttribute('data-walk')) !== 'more') return
    const next = page.waitForResponse((response) => response.url().includes('/api/service/'))
    await list.scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    expect((await next).status()).toBe(200)
    await expect(list.walk).toHaveAttribute('data-walk', /^(more|complete|incomplete)$/u)
  })
}

for (const [path, name] of [
  ['/', textOf('overview_overview')],
  ['/webhooks', textOf('webhooks_webhooks')],
  ['/merchant', textOf('merchant_merchant')],
  ['/activity', textOf('activity_activity')],
  ['/reference', textOf('reference_reference')],
] as const) {
  test(`${name} shows itself under its one heading`, async ({ page, target }) => {
    await signIn(page, target.who, path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    await expect(page.getByRole('link', { name, exact: true }).first()).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('main')).not.toContainText(/\bundefined\b|\bNaN\b|Invalid Date/u)
  })
}

test('the overview says how many payments it counted', async ({ page, target }) => {
  await signIn(page, target.who, '/')
  await expect(page.locator('[data-overview]')).toHaveAttribute('data-overview', /^(whole|incomplete)$/u, {
    timeout: 75_000,
  })
  await expect(page.locator('[data-overview]')).toContainText(/\d/u)
})

test('a payment opens from its row and at its own address', async ({ page, target }) => {
  await signIn(page, target.who)
  const list = new ListPage(page, textOf('payments_payments'))
  await expect(list.walk).toHaveAttribute('data-walk', /^(more|complete|incomplete)$/u)
  test.skip((await list.rows.count()) === 0, 'this desk has no payments')
  const row = list.rows.first()
  const id = await list.idOf(row)
  const path = `/payments/${encodeURIComponent(id)}`
  await row.click()
  // In a panel beside the list, or where there is no room for one, as a page.
  await expect(page).toHaveURL(({ pathname, searchParams }) => pathname === path || searchParams.get('open') === id)
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await expect(page.getByRole('main')).toContainText(id)
})

for (const [path, name] of [
  ['/customers', textOf('customers_customers')],
  ['/mandates', textOf('mandates_mandates')],
] as const) {
  test(`${name} open from their rows, and a word that names none is told so`, async ({ page, target }) => {
    await signIn(page, target.who, path)
    const list = new ListPage(page, name)
    await expect(list.walk).toHaveAttribute('data-walk', /^(more|complete|incomplete)$/u)
    if ((await list.rows.count()) > 0) {
      const id = await list.idOf(list.rows.first())
      await list.rows.first().click()
      await expect(page).toHaveURL(({ pathname }) => pathname === `${path}/${encodeURIComponent(id)}`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
      await expect(page.getByRole('main')).toContainText(id)
    }
    await page.goto(`${path}/nobody-is-called-this`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    await expect(page.getByRole('main')).toContainText('nobody-is-called-this')
  })
}

test('what closes next, and a customer’s statement, show themselves', async ({ page, target }) => {
  await signIn(page, target.who, '/payments/closing')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/\(.+\)$/u)
  await page.goto('/customers')
  const list = new ListPage(page, textOf('customers_customers'))
  await expect(list.walk).toHaveAttribute('data-walk', /^(more|complete|incomplete)$/u)
  test.skip((await list.rows.count()) === 0, 'this desk has no customers')
  await page.goto(`/customers/${encodeURIComponent(await list.idOf(list.rows.first()))}/statement`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(textOf('statement_title'))
})

test('the pages for agreements, and the forms, stand with one heading', async ({ page, target }) => {
  await signIn(page, target.who, '/agreements')
  await expect(
    page.getByRole('heading', { level: 1, name: textOf('agreements_agreements'), exact: true }),
  ).toBeVisible()
  for (const [path, name] of [
    ['/agreements/new', textOf('newAgreement_newAgreement')],
    ['/customers/new', textOf('customerForms_newCustomer')],
    ['/customers/import', textOf('customerImport_importCustomers')],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  }
})

test('the dialog of a cancellation opens and is left without sending anything', async ({ page, target }) => {
  await signIn(page, target.who)
  await expect(page.locator('[data-walk]')).toHaveAttribute('data-walk', /^(more|complete|incomplete)$/u)
  const button = page
    .getByRole('button', { name: new RegExp(`^${textOf('cancelButton_cancelPayment')} .`, 'u') })
    .and(page.locator(':not([aria-disabled="true"])'))
    .first()
  test.skip((await button.count()) === 0, 'nothing that may be cancelled stands in the first rows')
  const writes: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes.push(request.url())
  })
  await button.click()
  const dialog = page.getByRole('alertdialog', { name: new RegExp(`^${textOf('cancelButton_cancelPayment')}`, 'u') })
  await expect(dialog.getByLabel(textOf('cancelling_reason'))).toBeVisible()
  await expect(dialog.getByRole('button', { name: textOf('cancelButton_cancelPayment'), exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: textOf('cancelling_keepPayment'), exact: true }).click()
  await expect(dialog).toBeHidden()
  expect(writes).toEqual([])
})
