import { callApi } from '../support/api'
import { findViolations } from '../support/accessibility'
import { expect, test } from '../support/journey'
import { fillSignIn, signIn } from '../support/session'

const invited = { email: 'new.colleague@example.com', password: 'three lanterns on a pier' }

test('an admin invites somebody, who sets a password by the link, once; then the account is closed', {
  tag: '@long',
}, async ({ page, desk, browser, watch }) => {
  watch.allowStatus(400, 401)
  await signIn(page, desk.signIn('admin'), '/team')
  await page.getByLabel('Email', { exact: true }).fill(invited.email)
  await page.getByLabel('Role', { exact: true }).selectOption('viewer')
  await page.getByRole('button', { name: 'Create invitation' }).click()
  await expect(page.locator('[data-link]')).toBeInViewport()
  const link = (await page.locator('[data-link]').textContent()) ?? ''
  expect(link).toMatch(/\/set-password#[\w-]{43}$/u)
  const row = page.locator(`[data-member="${invited.email}"]`)
  await expect(row).toContainText('Invited')
  expect(await findViolations(page)).toEqual([])

  const guest = await browser.newContext()
  const theirs = await guest.newPage()
  const asked: string[] = []
  theirs.on('request', (request) => asked.push(request.url()))
  await theirs.goto(link)
  await expect(theirs.getByLabel('Email')).toHaveValue(invited.email)
  expect(theirs.url()).toBe(`${desk.url}/set-password`)
  expect(asked.filter((url) => url.includes(link.split('#')[1] ?? '?')).filter((url) => !url.includes('#'))).toEqual([])
  expect(await findViolations(theirs)).toEqual([])
  await theirs.getByLabel('New password').fill('password')
  await theirs.getByRole('button', { name: 'Set password' }).click()
  await expect(theirs.getByText(/too common/u)).toBeVisible()
  await expect(theirs.getByLabel('New password')).toBeFocused()
  await theirs.getByLabel('New password').fill(invited.password)
  await theirs.getByRole('button', { name: 'Set password' }).click()
  await theirs.getByRole('link', { name: 'Go to sign in' }).click()
  await fillSignIn(theirs, invited)
  await expect(theirs).not.toHaveURL(/\/sign-in/u)
  await theirs.goto(`${desk.url}/team`)
  await expect(theirs.getByText('Your role doesn’t allow this')).toBeVisible()
  const again = await guest.newPage()
  await again.goto(link)
  await expect(again.getByText('This link is no longer valid.')).toBeVisible()
  await expect(again.getByRole('link', { name: 'Go to sign in' })).toBeVisible()

  await page.reload()
  const end = page.getByRole('button', { name: `End sign-ins of ${invited.email}` })
  await expect(end).toHaveAccessibleDescription('')
  const place = await end.boundingBox()
  await end.click()
  await expect(end).toHaveAccessibleDescription('Nobody is signed in with this account now.')
  expect((await callApi(guest.request, `${desk.url}/api/service/Payments`)).status()).toBe(401)
  // Nothing has moved under the pointer, so a second click creates no link.
  expect(await end.boundingBox()).toEqual(place)
  await end.click({ force: true })
  await expect(page.locator('[data-link]')).toHaveCount(0)

  await theirs.goto(`${desk.url}/payments`)
  await fillSignIn(theirs, invited)
  await expect(theirs).not.toHaveURL(/\/sign-in/u)
  await page.getByRole('button', { name: `Disable ${invited.email}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disable account' }).click()
  await expect(row).toContainText('Disabled')
  expect((await callApi(guest.request, `${desk.url}/api/service/Payments`)).status()).toBe(401)
  await page.getByRole('button', { name: `Remove ${invited.email} from this team` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove from this team' }).click()
  await expect(row).toBeHidden()
  await guest.close()
})

test('a change of the team asks for the password again, and goes on when it was given', async ({
  page,
  desk,
  watch,
}) => {
  watch.allowStatus(403)
  const who = desk.signIn('admin')
  await signIn(page, who, '/team')
  // The desk's own reply when the password was entered more than five minutes ago, once.
  const json = { type: 'https://debitdesk.example/problems/step-up', title: 'x', status: 403, proof: 'password' }
  await page.route(
    '**/api/desk/team/**',
    (route) => route.fulfill({ status: 403, contentType: 'application/problem+json', json }),
    { times: 1 },
  )
  const { email } = desk.signIn('viewer')
  await page.getByLabel(`Role of ${email}`).selectOption('support')
  const change = page.getByRole('alertdialog')
  await expect(change).toContainText(`Change ${email} from Viewer to Support?`)
  await change.getByRole('button', { name: 'Change role' }).click()
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await question.getByLabel('Password').fill('not the password')
  await page.keyboard.press('Enter')
  await expect(question.getByRole('alert')).toHaveText('Incorrect password.')
  expect(await findViolations(page)).toEqual([])
  await question.getByLabel('Password').fill(who.password)
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(change).toBeHidden()
  await expect(page.getByLabel(`Role of ${email}`)).toHaveValue('support')
  await page.reload()
  await expect(page.getByLabel(`Role of ${email}`)).toHaveValue('support')
  await page.getByLabel(`Role of ${email}`).selectOption('viewer')
  await change.getByRole('button', { name: 'Keep role' }).click()
  await expect(page.getByLabel(`Role of ${email}`)).toHaveValue('support')
  await page.getByLabel(`Role of ${email}`).selectOption('viewer')
  await change.getByRole('button', { name: 'Change role' }).click()
  await expect(change).toHaveCount(0)
  await expect(page.getByLabel(`Role of ${email}`)).toHaveValue('viewer')
  await page.goto('/activity?kind=user')
  await expect(page.getByRole('main')).toContainText('Support → Viewer')
})

test('one’s own sign-ins are listed, and the others ended', { tag: '@long' }, async ({ page, desk, browser }) => {
  // A separate user, because other journeys are signed in as the desk's users.
  const who = { email: 'two.browsers@example.com', password: 'a heron above the weir' }
  await signIn(page, desk.signIn('admin'), '/team')
  await page.getByLabel('Email', { exact: true }).fill(who.email)
  await page.getByLabel('Role', { exact: true }).selectOption('viewer')
  await page.getByRole('button', { name: 'Create invitation' }).click()
  const link = (await page.locator('[data-link]').textContent()) ?? ''
  await page.context().clearCookies()
  await page.goto(link)
  await page.getByLabel('New password').fill(who.password)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('link', { name: 'Go to sign in' }).click()
  await fillSignIn(page, who)
  await expect(page).not.toHaveURL(/\/sign-in/u)
  const other = await browser.newContext()
  const theirs = await other.newPage()
  await theirs.goto(`${desk.url}/payments`)
  await fillSignIn(theirs, who)
  await expect(theirs).not.toHaveURL(/\/sign-in/u)

  await page.getByRole('link', { name: who.email }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Your account' })).toBeVisible()
  await expect(page.getByText(/Chrome \d+/u).first()).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'End all others' }).click()
  await expect(page.getByRole('button', { name: 'End all others' })).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Where you’re signed in' })).toBeFocused()
  expect((await callApi(other.request, `${desk.url}/api/service/Payments`)).status()).toBe(401)
  expect((await callApi(page.context().request, `${desk.url}/api/service/Payments`)).status()).toBe(200)
  await other.close()
})
