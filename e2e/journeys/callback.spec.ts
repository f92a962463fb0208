import { expect, test } from '../support/journey'
import { fillSignIn } from '../support/session'

const foreign = [
  'https://evil.test/payments',
  '//evil.test/payments',
  '/\\evil.test',
  '\\\\evil.test',
  'https:evil.test',
  '/\t/evil.test',
  '/%09/evil.test',
  '/%2f%2fevil.test',
  'javascript:alert(1)',
  'data:text/html,<h1>evil</h1>',
  'http://127.0.0.1.evil.test/',
  `/${'a'.repeat(10_000)}`,
]

for (const callbackUrl of foreign) {
  test(`signing in does not lead away to ${callbackUrl.slice(0, 40)}`, async ({ page, desk, watch }) => {
    // A path of this desk that leads nowhere is no danger.
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
