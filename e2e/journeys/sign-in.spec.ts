import { expect, test } from '../support/journey'
import { fillSignIn, signIn } from '../support/session'

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
  await signIn(page, desk.signIn('viewer'))
  const session = (await context.cookies()).find(({ name }) => name.includes('session-token'))
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  expect(await page.evaluate(() => document.cookie)).not.toContain('session-token')
})
