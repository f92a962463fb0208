import { findViolations } from '../support/accessibility'
import { expect } from '../support/journey'
import { testOwnDesk } from '../support/own-desk'
import { fillSignIn, signInByForm } from '../support/session'
import { type MailServer, startMailServer } from '@/lib/server/testing/mail-server'

let mail: MailServer

/** A desk of its own with a mail server. */
const test = testOwnDesk(async () => {
  mail = await startMailServer()
  return { SEED_PAYMENTS: '20', SMTP_URL: mail.url, MAIL_FROM: 'Debitdesk <desk@example.com>' }
})
test.afterAll(() => mail.close())
test.describe.configure({ mode: 'serial' })

/** The newest mail to somebody with this subject, once it has come. */
async function readMail(to: string, subject: RegExp) {
  const find = () => mail.received.findLast((mail) => mail.to.includes(to) && subject.test(mail.read.subject ?? ''))
  await expect
    .poll(() => find()?.read.subject ?? '', { message: `no mail ${subject} to ${to}`, timeout: 30_000 })
    .toMatch(subject)
  const text = find()?.read.text ?? ''
  return { text, link: /http\S+#[\w-]{43}$/mu.exec(text)?.[0] ?? '' }
}

const invited = { email: 'new.colleague@example.com', password: 'three lanterns on a pier' }
const changed = { email: invited.email, password: 'another lantern on a pier' }

test('an invitation is mailed to its owner, and the admin never sees the link', { tag: '@long' }, async ({
  page,
  desk,
  browser,
}) => {
  await signInByForm(page, desk.signIn('admin'), '/team')
  await page.getByLabel('Email', { exact: true }).fill(invited.email)
  await page.getByRole('button', { name: 'Create invitation' }).click()
  await expect(page.getByRole('region', { name: `Link sent to ${invited.email}` })).toBeFocused()
  await expect(page.locator('[data-link]')).toHaveCount(0)
  expect(await findViolations(page)).toEqual([])
  const { link } = await readMail(invited.email, /^You’re invited to .+ in Debitdesk$/u)
  expect(await page.content()).not.toContain(link.split('#')[1] ?? '?')
  const theirs = await (await browser.newContext()).newPage()
  await theirs.goto(link)
  await theirs.getByLabel('New password').fill(invited.password)
  await theirs.getByRole('button', { name: 'Set password' }).click()
  await theirs.getByRole('link', { name: 'Go to sign in' }).click()
  await fillSignIn(theirs, invited)
  await expect(theirs).not.toHaveURL(/\/sign-in/u)
  await readMail(invited.email, /^New sign-in/u)
  await theirs.context().close()
})

test('a forgotten password is asked for at the sign-in page, with the keyboard alone', { tag: '@long' }, async ({
  page,
  desk,
}) => {
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Forgot your password?' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await page.getByLabel('Email', { exact: true }).fill(invited.email)
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Look in your mail.' })).toBeFocused()
  expect(await findViolations(page)).toEqual([])
  const { link } = await readMail(invited.email, /^Choose a new password/u)
  expect(link.startsWith(`${desk.url}/set-password#`)).toBe(true)
  await page.goto(link)
  await page.getByLabel('New password').fill(changed.password)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('link', { name: 'Go to sign in' }).click()
  await fillSignIn(page, changed)
  await expect(page).not.toHaveURL(/\/sign-in/u)
  await readMail(invited.email, /^Your Debitdesk password was changed$/u)
})

test('what to be told of is chosen on the account page, and stays', { tag: '@long' }, async ({ page }) => {
  await signInByForm(page, changed, '/account')
  const section = page.getByRole('region', { name: 'Notifications' })
  await section.getByRole('checkbox', { name: 'A cancellation needs a person' }).focus()
  await page.keyboard.press('Space')
  await section.getByRole('checkbox', { name: /What closes today/u }).check()
  await section.getByRole('combobox', { name: 'Hour at which you’re told' }).selectOption('06:00')
  await expect(section.getByRole('status')).toHaveText('Saved.')
  expect(await findViolations(page)).toEqual([])
  await page.reload()
  await expect(section.getByRole('checkbox', { name: 'A cancellation needs a person' })).toBeChecked()
  await expect(section.getByRole('combobox', { name: 'Hour at which you’re told' })).toHaveValue('6')
})
