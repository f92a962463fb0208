import { callApi } from '../support/api'
import { expect, test } from '../support/journey'
import { signIn, signOut } from '../support/session'

test('signing out ends the session at once, also for a copy of its cookie', async ({
  page,
  desk,
  context,
  playwright,
  watch,
}) => {
  // A page that was on its way when the session ended is answered 401.
  watch.allowStatus(401)
  await signIn(page, desk.signIn('support'))
  const cookies = await context.cookies()
  const copy = await playwright.request.newContext({ storageState: await context.storageState() })
  expect((await callApi(copy, `${desk.url}/api/service/Payments`)).status()).toBe(200)

  await signOut(page)
  await expect(page).toHaveURL(/\/sign-in/u)

  for (const path of ['/api/service/Payments', '/api/service/Customers', '/api/desk/cancellations?open=1']) {
    expect((await callApi(copy, desk.url + path)).status(), path).toBe(401)
  }
  const token = cookies.find(({ name }) => name.includes('session-token'))?.value ?? ''
  const bearer = await playwright.request.newContext({ extraHTTPHeaders: { authorization: `Bearer ${token}` } })
  expect((await callApi(bearer, `${desk.url}/api/service/Payments`)).status()).toBe(401)
  const replayed = await copy.get(`${desk.url}/payments`, { maxRedirects: 0 })
  expect(replayed.status()).toBe(307)
  expect(replayed.headers().location).toContain('/sign-in')

  await page.goto('/payments')
  await expect(page).toHaveURL(/\/sign-in\?/u)
  await Promise.all([copy.dispose(), bearer.dispose()])
})
