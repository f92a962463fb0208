import type { Browser, Page } from '@playwright/test'
import { findViolations } from '../support/accessibility'
import { signInOf } from '../support/desk'
import { expect } from '../support/journey'
import { textsOf } from '../support/language'
import { testOwnDesk } from '../support/own-desk'
import { signInByForm, waitForScript } from '../support/session'

const english = textsOf('en')
const danish = textsOf('da')

/** A desk of its own: the shared one's accounts must stay without a language. */
const test = testOwnDesk(async () => ({ SEED_PAYMENTS: '200' }))

async function openDanish(browser: Browser, baseURL: string): Promise<Page> {
  const context = await browser.newContext({ baseURL, locale: 'da-DK', timezoneId: 'Europe/Copenhagen' })
  return context.newPage()
}

test('a Danish browser is met in Danish, and the switch keeps the page and what was typed', async ({
  browser,
  own,
}) => {
  const page = await openDanish(browser, own.url)
  await page.goto('/sign-in?callbackUrl=%2Fmandates')
  await waitForScript(page)
  const address = page.url()
  await expect(page.locator('html')).toHaveAttribute('lang', 'da')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(danish('signingIn_signIn'))
  expect(await findViolations(page)).toEqual([])
  await page.getByLabel(danish('signingIn_email'), { exact: true }).fill('somebody@example.com')

  await page.getByRole('button', { name: 'English', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(english('signingIn_signIn'))
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByLabel(english('signingIn_email'), { exact: true })).toHaveValue('somebody@example.com')
  expect(page.url()).toBe(address)
  await page.getByLabel(english('signingIn_password'), { exact: true }).fill('not the password')
  await page.getByRole('button', { name: english('signingIn_signIn'), exact: true }).click()
  await expect(page.locator('#refusal')).toHaveText(english('signingIn_emailOrPasswordIsNot'))
  await page.getByRole('button', { name: 'Dansk', exact: true }).click()
  await expect(page.locator('#refusal')).toHaveText(danish('signingIn_emailOrPasswordIsNot'))
  await expect(page.locator('#email')).toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('button', { name: 'English', exact: true }).click()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(english('signingIn_signIn'))
  await page.context().close()
})

test('the language of an account holds in every browser, whatever that accepts', { tag: '@long' }, async ({
  browser,
  own,
}) => {
  const who = signInOf(own, 'viewer')
  const context = await browser.newContext({ baseURL: own.url, locale: 'en-GB' })
  const page = await context.newPage()
  await signInByForm(page, who, '/account')
  const choice = page.getByRole('combobox', { name: english('language_language'), exact: true })
  await choice.selectOption('da')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(danish('account_yourAccount'))
  await expect(page.getByRole('link', { name: danish('shell_payments'), exact: true }).first()).toBeVisible()
  await expect(page).toHaveURL(`${own.url}/account`)

  const other = await browser.newContext({ baseURL: own.url, locale: 'en-GB' })
  const elsewhere = await other.newPage()
  await signInByForm(elsewhere, who, '/payments')
  await expect(elsewhere.locator('html')).toHaveAttribute('lang', 'da')
  await expect(elsewhere.getByRole('heading', { level: 1 })).toHaveText(danish('payments_payments'))
  await expect(elsewhere).toHaveTitle(`${danish('payments_payments')} · Debitdesk`)
  await elsewhere.goto('/payments?merchant=somebody-elses')
  await expect(elsewhere.locator('html')).toHaveAttribute('lang', 'da')

  await page.getByRole('combobox', { name: danish('language_language'), exact: true }).selectOption('')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(english('account_yourAccount'))
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await context.close()
  await other.close()
})

test('a refusal is written in the language of its request, and English where none is known', async ({ request }) => {
  const title = async (accepted: string) => {
    const reply = await request.get('/api/desk/team', { headers: { 'accept-language': accepted } })
    return (await reply.json()).title
  }
  expect(await title('da-DK,da;q=0.9,en;q=0.8')).toBe(danish('failures_failuresSignedOut'))
  expect(await title('tlh')).toBe(english('failures_failuresSignedOut'))
})

const pages = [
  '/',
  '/payments',
  '/payments/bulk',
  '/attention',
  '/payments/closing',
  '/customers',
  '/customers/new',
  '/customers/import',
  '/mandates',
  '/agreements',
  '/agreements/new',
  '/webhooks',
  '/merchant',
  '/merchants',
  '/activity',
  '/team',
  '/reference',
  '/account',
]

for (const [size, viewport] of [
  ['a desk', { width: 1280, height: 800 }],
  ['a phone', { width: 390, height: 844 }],
] as const) {
  test(`every page is whole in Danish on ${size}: nothing sticks out, no rule of axe is broken`, {
    tag: '@long',
  }, async ({ browser, own }) => {
    const page = await openDanish(browser, own.url)
    await page.setViewportSize(viewport)
    await signInByForm(page, signInOf(own, 'admin'), '/')
    for (const path of pages) {
      await page.goto(path)
      await waitForScript(page)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('html')).toHaveAttribute('lang', 'da')
      const { wide, screen } = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth,
        screen: document.documentElement.clientWidth,
      }))
      expect(wide, path).toBeLessThanOrEqual(screen)
      expect(await findViolations(page), path).toEqual([])
    }
    await page.context().close()
  })
}
