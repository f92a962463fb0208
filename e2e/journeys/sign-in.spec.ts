import type { Locator, Page } from '@playwright/test'
import { callApi, takePendingPayment } from '../support/api'
import { openCancelDialog, readCancellations } from '../support/cancellation'
import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'
import { endSession, fillSignIn, signInByForm, signOut, waitForScript } from '../support/session'

test('a page asked for while signed out is where signing in leads to, with its query', async ({ page, desk }) => {
  await page.goto('/payments?state=Pending')
  await expect(page).toHaveURL(`${desk.url}/sign-in?callbackUrl=${encodeURIComponent('/payments?state=Pending')}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await fillSignIn(page, desk.signIn('support'))
  await expect(page).toHaveURL(`${desk.url}/payments?state=Pending`)
})

test('an API call while signed out answers 401 with a problem record', async ({ request, desk }) => {
  for (const path of ['/api/service/Payments', '/api/service/Merchants', '/api/desk/cancellations?open=1']) {
    const response = await request.get(desk.url + path)
    expect(response.status()).toBe(401)
    expect(response.headers()['content-type']).toContain('application/problem+json')
    expect(await response.json()).toMatchObject({ status: 401 })
  }
})

test('a wrong password is told, and the e-mail stays', async ({ page, desk, watch }) => {
  watch.allowStatus(401)
  const { email } = desk.signIn('viewer')
  await page.goto('/sign-in')
  await fillSignIn(page, { email, password: 'not-the-password' })
  await expect(page.getByRole('alert').filter({ hasText: /\S/u })).toBeVisible()
  await expect(page).toHaveURL(/\/sign-in/u)
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email)
})

test('the password can be shown', async ({ page }) => {
  await page.goto('/sign-in')
  const field = page.getByLabel('Password', { exact: true })
  await expect(field).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(field).toHaveAttribute('type', 'text')
})

test('a signed-in user has a session that scripts cannot read', async ({ page, desk, context }) => {
  await signInByForm(page, desk.signIn('viewer'))
  const session = (await context.cookies()).find(({ name }) => name.includes('session-token'))
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  expect(await page.evaluate(() => document.cookie)).not.toContain('session-token')
})

test('signing out ends the session at once, also for a copy of its cookie', async ({
  page,
  desk,
  context,
  playwright,
  watch,
}) => {
  // A page requested as the session ends is answered 401.
  watch.allowStatus(401)
  await signInByForm(page, desk.signIn('support'))
  const cookies = await context.cookies()
  const copy = await playwright.request.newContext({ storageState: await context.storageState() })
  expect((await callApi(copy, `${desk.url}/api/service/Payments`)).status()).toBe(200)

  await signOut(page)
  await expect(page).toHaveURL(/\/sign-in/u)

  for (const path of ['/api/service/Payments', '/api/service/Customers', '/api/desk/cancellations?open=1']) {
    expect((await callApi(copy, desk.url + path)).status(), path).toBe(401)
  }
  const token = cookies.find(({ name }) => name.includes('session-token'))?.value ?? ''
  expect(token.length).toBeGreaterThan(20)
  const bearer = await playwright.request.newContext({ extraHTTPHeaders: { authorization: `Bearer ${token}` } })
  expect((await callApi(bearer, `${desk.url}/api/service/Payments`)).status()).toBe(401)
  const replayed = await copy.get(`${desk.url}/payments`, { maxRedirects: 0 })
  expect(replayed.status()).toBe(307)
  expect(replayed.headers().location).toContain('/sign-in')

  await page.goto('/payments')
  await expect(page).toHaveURL(/\/sign-in\?/u)
  await Promise.all([copy.dispose(), bearer.dispose()])
})

// `callback-path.test.ts` tries what else leads away.
const foreign = ['https://evil.test/payments', '/\\evil.test', `/${'a'.repeat(10_000)}`]

for (const callbackUrl of foreign) {
  test(`signing in does not lead away to ${callbackUrl.slice(0, 40)}`, async ({ page, desk, watch }) => {
    // An unknown path of this desk is harmless.
    watch.allowStatus(404)
    await page.goto(`/sign-in?callbackUrl=${encodeURIComponent(callbackUrl)}`)
    await fillSignIn(page, desk.signIn('viewer'))
    await expect(page).not.toHaveURL(/\/sign-in/u)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(new URL(page.url()).origin).toBe(desk.url)
  })
}

test("next-auth's own cookie does not lead away either", async ({ page, desk, context }) => {
  await context.addCookies([
    { name: 'next-auth.callback-url', value: encodeURIComponent('https://evil.test/'), url: desk.url },
  ])
  await page.goto('/sign-in')
  await fillSignIn(page, desk.signIn('viewer'))
  await expect(page).toHaveURL(`${desk.url}/`)
})

test('an address given twice leads home', async ({ page, desk }) => {
  await page.goto('/sign-in?callbackUrl=/customers&callbackUrl=https://evil.test')
  await fillSignIn(page, desk.signIn('viewer'))
  await expect(page).not.toHaveURL(/\/sign-in/u)
  expect(new URL(page.url()).origin).toBe(desk.url)
})

const again = (page: Page) => page.getByRole('dialog', { name: 'Sign in again to continue' })
/** Dispatches the event until the tab shows its question, because it has no effect before hydration. */
async function showUntil(page: Page, question: Locator): Promise<void> {
  await expect(async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect(question).toBeVisible({ timeout: 1_000 })
  }).toPass()
}

const reason = 'Typed before the session was over'

test('a session that ends under an open dialog is begun again over it, and nothing is sent by itself', {
  tag: '@long',
}, async ({ page, desk, context, playwright, watch }) => {
  watch.allowStatus(401)
  const who = desk.signIn('support')
  await signInByForm(page, who)
  const payment = await takePendingPayment(context.request, desk.url)
  await page.goto(`/payments/${payment.id}`)
  const dialog = await openCancelDialog(page)
  await dialog.getByLabel('Reason').fill(reason)
  await endSession(page, playwright)
  await dialog.getByRole('button', { name: 'Cancel payment', exact: true }).click()

  await expect(again(page)).toBeVisible()
  await expect(again(page).getByLabel('Email')).toHaveValue(who.email)
  await expect(again(page).getByLabel('Password')).toBeFocused()
  await page.keyboard.type('not the password')
  await page.keyboard.press('Enter')
  await expect(again(page).getByRole('alert')).toHaveText(/Incorrect email or password/u)

  // Escape postpones the question and closes nothing below it.
  await page.keyboard.press('Escape')
  await expect(again(page)).toBeHidden()
  await expect(dialog.getByLabel('Reason')).toHaveValue(reason)
  await dialog.getByRole('button', { name: 'Sign in again' }).click()
  await again(page).getByLabel('Password').fill(who.password)
  await page.keyboard.press('Enter')
  await expect(again(page)).toBeHidden()

  await expect(dialog.getByLabel('Reason')).toHaveValue(reason)
  await expect(dialog.getByRole('alert')).toContainText('You’re signed in again')
  // The focus is not on the button that cancels, so another Enter has no effect.
  await expect(dialog.getByRole('alert')).toBeFocused()
  await page.keyboard.press('Enter')
  expect(await readCancellations(desk.dataDir, payment.id)).toHaveLength(0)
  await dialog.getByRole('button', { name: 'Cancel payment', exact: true }).click()
  await expect(page.locator('[data-outcome="cancelled"]').first()).toBeAttached({ timeout: 45_000 })
  expect(await readCancellations(desk.dataDir, payment.id)).toHaveLength(1)
})

test('a read of a session that is over keeps the list, its place and what was searched for', async ({
  page,
  desk,
  playwright,
  watch,
}) => {
  watch.allowStatus(401)
  const who = desk.signIn('viewer')
  await signInByForm(page, who)
  const list = new ListPage(page, 'Payments')
  await list.ready()
  const scroller = page.locator('[data-scroller]')
  await scroller.evaluate((element) => element.scrollTo({ top: 1_200 }))
  await endSession(page, playwright)
  // The list may have noticed by polling already: then nothing behind the overlay can be clicked.
  await page
    .getByRole('button', { name: 'Refresh' })
    .or(page.getByRole('button', { name: 'Load more' }))
    .first()
    .click({ timeout: 5_000 })
    .catch(() => undefined)
  await expect(again(page)).toBeVisible()
  await again(page).getByLabel('Password').fill(who.password)
  await again(page).getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(again(page)).toBeHidden()
  expect(await scroller.evaluate(({ scrollTop }) => scrollTop)).toBe(1_200)
})

test('when somebody else has signed in in another tab, nothing is done in their name', async ({
  page,
  desk,
  context,
  watch,
}) => {
  // Polling of the first tab between the two sessions is answered 401.
  watch.allowStatus(401, 409)
  await signInByForm(page, desk.signIn('support'))
  const payment = await takePendingPayment(context.request, desk.url)
  await page.goto(`/payments/${payment.id}`)
  const dialog = await openCancelDialog(page)
  await dialog.getByLabel('Reason').fill(reason)

  const other = await context.newPage()
  await other.goto(`${desk.url}/payments`)
  await waitForScript(other)
  await other.getByRole('button', { name: 'Sign out' }).click()
  await expect(other).toHaveURL(/\/sign-in/u)
  await fillSignIn(other, desk.signIn('admin'))
  await expect(other).not.toHaveURL(/\/sign-in/u)

  await page.bringToFront()
  await dialog.getByRole('button', { name: 'Cancel payment', exact: true }).click()
  const told = page.getByRole('dialog', { name: 'Someone else is signed in here now' })
  await expect(told).toContainText(desk.signIn('support').email)
  expect(await readCancellations(desk.dataDir, payment.id)).toHaveLength(0)
  await told.getByRole('button', { name: 'Open a new page' }).click()
  await expect(page.getByText(desk.signIn('admin').email, { exact: true })).toBeVisible()
})

test('a tab that asked to sign in again asks no more once that was done in another', { tag: '@long' }, async ({
  page,
  desk,
  context,
  playwright,
  watch,
}) => {
  watch.allowStatus(401)
  const who = desk.signIn('support')
  await signInByForm(page, who)
  await page.goto('/customers')
  const other = await context.newPage()
  await other.goto(`${desk.url}/payments`)
  await waitForScript(other)
  await endSession(page, playwright)
  for (const tab of [page, other]) await showUntil(tab, again(tab))
  await again(other).getByLabel('Password').fill(who.password)
  await again(other).getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(again(other)).toBeHidden()
  // The other window gets the focus.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(again(page)).toBeHidden()
})

const ending = (page: Page) => page.getByRole('dialog', { name: 'You’re about to be signed out' })

/** Sets the remaining session times that the desk returns, and makes the page check them. */
async function comeBack(page: Page, times: { idleLeft: number; left: number }): Promise<void> {
  await page.route('**/api/desk/sessions/current', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: { ...times, role: 'viewer' } }) : route.continue(),
  )
  await showUntil(page, ending(page))
}

test('a minute before half an hour without a request is over, one word keeps the session', async ({ page, desk }) => {
  await signInByForm(page, desk.signIn('viewer'))
  await comeBack(page, { idleLeft: 60, left: 9_000 })
  const notice = ending(page)
  await expect(notice).toContainText(/In \d+ s/u)
  const stay = notice.getByRole('button', { name: 'Stay signed in' })
  await expect(stay).toBeFocused()
  const kept = page.waitForResponse(
    (reply) => reply.url().endsWith('/sessions/current') && reply.request().method() === 'POST',
  )
  await page.keyboard.press('Enter')
  expect((await (await kept).json()).idleLeft).toBeGreaterThan(1_700)
  await expect(notice).toBeHidden()
})

test('a minute before twelve hours are over, signing in again begins a new session', async ({ page, desk }) => {
  const who = desk.signIn('viewer')
  await signInByForm(page, who)
  await comeBack(page, { idleLeft: 900, left: 60 })
  const notice = ending(page)
  await notice.getByRole('button', { name: 'Sign in again' }).click()
  await expect(again(page)).toContainText('This starts a new session')
  await page.unrouteAll()
  await again(page).getByLabel('Password').fill(who.password)
  await page.keyboard.press('Enter')
  await expect(again(page)).toBeHidden()
})
