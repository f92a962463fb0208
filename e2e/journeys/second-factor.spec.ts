import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { findFreePort } from '@/lib/database/testing/find-free-port'
import { findViolations } from '../support/accessibility'
import { expect } from '../support/journey'
import { testOwnDesk } from '../support/own-desk'
import { endSession, fillSignIn, signInByForm, signOut, waitForScript } from '../support/session'

/** A desk of its own at a host name, because passkeys need one, and factors change how everybody signs in. */
const test = testOwnDesk(async () => {
  const port = String(await findFreePort())
  return { SEED_PAYMENTS: '50', PORT: port, NEXTAUTH_URL: `http://localhost:${port}` }
})
test.describe.configure({ mode: 'serial' })

let supportSecret = ''
let recoveryCodes: string[] = []

const PERIOD_MS = 30_000
/** The time step of each secret's last code. */
const lastSteps = new Map<string, number>()

/** A code that was not used yet: each is taken once, and may be a step early. The third in a row waits for its time. */
async function nextCode(secret: string): Promise<string> {
  const lastStep = lastSteps.get(secret) ?? 0
  await expect.poll(() => Math.floor(Date.now() / PERIOD_MS) + 1, { timeout: 40_000 }).toBeGreaterThan(lastStep)
  const step = Math.max(lastStep + 1, Math.floor(Date.now() / PERIOD_MS))
  lastSteps.set(secret, step)
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: step * PERIOD_MS })
}

async function signInWithRecoveryCode(page: Page, code: string): Promise<void> {
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  const field = page.getByLabel('Recovery code')
  await field.fill(code.toLowerCase())
  await field.press('Enter')
}

/** Sets an app up in the section or page that offers it; returns its secret and first code. */
async function addApp(page: Page): Promise<{ secret: string; code: string }> {
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = await page.locator('[data-secret]').innerText()
  const code = await nextCode(secret)
  await page.getByLabel('Code from your app').fill(code)
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  return { secret, code }
}

async function addVirtualAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('an app is added, asked for at the next sign-in, and a code is taken once', async ({ page, desk, watch }) => {
  test.setTimeout(120_000)
  // 401: a page that leaves late after signing out asks for its event stream once more.
  watch.allowStatus(401, 403)
  await signInByForm(page, desk.signIn('support'), '/account')
  const { secret, code } = await addApp(page)
  supportSecret = secret
  const codes = page.locator('[data-recovery-codes] li')
  await expect(codes).toHaveCount(10)
  recoveryCodes = await codes.allInnerTexts()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(page.locator('[data-factor="totp"]')).toContainText('Authenticator app')
  await expect(page.getByText('10 recovery codes left')).toBeVisible()
  await signOut(page)

  await page.goto('/payments')
  await fillSignIn(page, desk.signIn('support'))
  await expect(page.getByRole('heading', { level: 1, name: 'Enter your second factor' })).toBeVisible()
  await waitForScript(page)
  expect(await findViolations(page)).toEqual([])
  const field = page.getByLabel('Code from your app')
  await expect(field).toBeFocused()
  await field.fill(code)
  await field.press('Enter')
  await expect(field).toHaveAccessibleDescription(/isn’t right, or was used already/u)
  // To every page that person is signed out.
  await page.goto('/customers')
  await expect(page).toHaveURL(/\/sign-in/u)
  await page.goto('/sign-in?callbackUrl=%2Fpayments')
  await page.getByLabel('Code from your app').fill(await nextCode(secret))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/payments/u)
})

test('a recovery code lets its owner in once', async ({ page, desk, watch }) => {
  watch.allowStatus(403)
  for (const isFirst of [true, false]) {
    await page.goto('/account')
    await fillSignIn(page, desk.signIn('support'))
    await signInWithRecoveryCode(page, recoveryCodes[0] ?? '')
    if (isFirst) {
      await expect(page.getByText('9 recovery codes left')).toBeVisible()
      await signOut(page)
    } else await expect(page.getByLabel('Recovery code')).toHaveAccessibleDescription(/isn’t right/u)
  }
  await page.getByRole('button', { name: 'Sign in as somebody else' }).click()
  await expect(page.getByLabel('Email', { exact: true })).toBeVisible()
})

test('a session that ends under a page is begun again with the second factor, over the page', async ({
  page,
  desk,
  watch,
  playwright,
}) => {
  test.setTimeout(120_000)
  watch.allowStatus(401, 403)
  await page.goto('/account')
  await fillSignIn(page, desk.signIn('support'))
  await signInWithRecoveryCode(page, recoveryCodes[1] ?? '')
  await expect(page.locator('[data-factor="totp"]')).toBeVisible()
  await waitForScript(page)
  await endSession(page, playwright)
  await page.getByRole('button', { name: 'Create new recovery codes' }).click()
  await page.getByRole('button', { name: 'Replace codes' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password', { exact: true }).fill(desk.signIn('support').password)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  const field = dialog.getByLabel('Code from your app')
  await field.fill(await nextCode(supportSecret))
  expect(await findViolations(page)).toEqual([])
  await field.press('Enter')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Replace codes' }).click()
  await expect(page.locator('[data-recovery-codes] li')).toHaveCount(10)
})

test('an admin requires a factor of a role, and asks another to reset one', async ({ page, desk, watch }) => {
  test.setTimeout(120_000)
  watch.allowStatus(409)
  await signInByForm(page, desk.signIn('admin'), '/team')
  const rule = page.getByRole('region', { name: 'Require a second factor' })
  await rule.getByLabel('Admin').check()
  await rule.getByRole('button', { name: 'Save' }).click()
  await expect(rule).toContainText('Add a second factor to your own account first.')
  await page.goto('/account')
  await addApp(page)
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await page.goto('/team')
  await rule.getByLabel('Admin').check()
  await rule.getByLabel('Viewer').check()
  await rule.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('[data-member]', { hasText: desk.signIn('viewer').email })).toContainText(
    'No second factor',
  )
  const member = page.locator('[data-member]', { hasText: desk.signIn('support').email })
  await member.getByRole('button', { name: /^Reset second factor of/u }).click()
  await expect(member).toContainText('Reset waits for another admin.')
  expect(await findViolations(page)).toEqual([])
  await member.getByRole('button', { name: /^Withdraw reset of/u }).click()
  await expect(member.getByRole('button', { name: /^Reset second factor of/u })).toBeVisible()
})

test('who must have a factor sets up a passkey on the way in, which signs in and confirms alone from then on', async ({
  page,
  desk,
  watch,
}) => {
  test.setTimeout(120_000)
  await addVirtualAuthenticator(page)
  await page.goto('/payments')
  await fillSignIn(page, desk.signIn('viewer'))
  await expect(page.getByRole('heading', { level: 1, name: 'Set up a second factor' })).toBeVisible()
  await waitForScript(page)
  expect(await findViolations(page)).toEqual([])
  const heldUp = await page.request.get('/api/desk/team', { headers: { 'sec-fetch-site': 'same-origin' } })
  expect(heldUp.status()).toBe(401)
  await page.getByLabel('Name').fill('Laptop')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(page).toHaveURL(/\/payments/u)
  await waitForScript(page)
  await signOut(page)

  await page.goto('/sign-in?callbackUrl=%2Faccount')
  await page.getByRole('button', { name: 'Continue with a passkey' }).click()
  await expect(page.locator('[data-factor="passkey"]')).toContainText('Laptop')
  await waitForScript(page)
  // The last one can’t be removed while it is required.
  await expect(page.getByRole('button', { name: 'Remove Laptop' })).toHaveAttribute('aria-disabled', 'true')
  await signOut(page)

  await page.goto('/customers')
  await fillSignIn(page, desk.signIn('viewer'))
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Customers' })).toBeVisible()

  // Before a sensitive action the passkey is asked for again, alone.
  watch.allowStatus(403)
  await page.goto('/account')
  // The desk's own reply when the last proof is more than five minutes old, once.
  const json = { type: 'https://debitdesk.example/problems/step-up', title: 'x', status: 403, proof: 'factor' }
  const fulfilled = { status: 403, contentType: 'application/problem+json', json }
  await page.route('**/api/second-factor/recovery-codes', (route) => route.fulfill(fulfilled), { times: 1 })
  await page.getByRole('button', { name: 'Create new recovery codes' }).click()
  await page.getByRole('button', { name: 'Replace codes' }).click()
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await expect(question.getByRole('button', { name: 'Use a passkey' })).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  const proven = page.waitForResponse((response) => response.url().endsWith('/sessions/current/proof'))
  await question.getByRole('button', { name: 'Use a passkey' }).press('Enter')
  expect((await proven).status()).toBe(200)
  await expect(page.locator('[data-recovery-codes] li')).toHaveCount(10)
  await expect(question).toHaveCount(0)
})
