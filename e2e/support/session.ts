import { randomUUID } from 'node:crypto'
import {
  type APIRequestContext,
  type BrowserContext,
  expect,
  type Page,
  type PlaywrightWorkerArgs,
} from '@playwright/test'
import { callApi } from './api'
import type { Role, SignIn } from './desk'
import { textOf, textsOn } from './language'

/** Waits until the page is hydrated; earlier clicks and keys would be lost. */
export async function waitForScript(page: Page): Promise<void> {
  await expect(page.locator('html[data-ready]')).toBeAttached()
}

/** Opens a page whose scripts load only once the returned function is called. */
export async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/_next/static/chunks/*.js', (route) => held.then(() => route.continue()))
  await page.goto(path, { waitUntil: 'commit' })
  return release
}

/** Answers that there is no stream of changes, so that pages poll. One that is open would never be idle. */
export const refuseStreams = (context: BrowserContext): Promise<unknown> =>
  context.route('**/api/desk/events', (route) => route.fulfill({ status: 204 }))

export async function fillSignIn(page: Page, { email, password }: SignIn): Promise<void> {
  const text = await textsOn(page)
  await page.getByLabel(text('signingIn_email'), { exact: true }).fill(email)
  await page.getByLabel(text('signingIn_password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: text('signingIn_signIn'), exact: true }).click()
}

/** Opens `path` signed out, signs in, and is led back to `path`. */
export async function signInByForm(page: Page, who: SignIn, path = '/payments'): Promise<void> {
  await page.goto(path)
  await expect(page).toHaveURL(/\/sign-in\?/u)
  await fillSignIn(page, who)
  await expect(page).not.toHaveURL(/\/sign-in/u)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await waitForScript(page)
}

/** Signs out by the button or menu item (opening its menu first) and waits until the page is left. */
export async function signOut(page: Page): Promise<void> {
  await waitForScript(page)
  // What the server still reads for the page would be refused.
  await page.waitForLoadState()
  const before = page.url()
  const direct = page.getByRole('button', { name: textOf('shellControls_signOut'), exact: true })
  if (!(await direct.isVisible()))
    await page.getByRole('button', { name: textOf('shell_account'), exact: true }).click()
  await direct
    .or(page.getByRole('menuitem', { name: textOf('shellControls_signOut'), exact: true }))
    .first()
    .click()
  await page.waitForURL((url) => url.href !== before)
}

type Library = PlaywrightWorkerArgs['playwright']

/** Ends the session of a page on the server only, as an admin or a timeout would. */
export async function endSession(page: Page, playwright: Library): Promise<void> {
  const { origin } = new URL(page.url())
  const copy = await playwright.request.newContext({ storageState: await page.context().storageState() })
  const { csrfToken } = await (await copy.get(`${origin}/api/auth/csrf`)).json()
  const answer = await copy.post(`${origin}/api/auth/signout`, { form: { csrfToken, json: 'true' } })
  expect(answer.ok()).toBe(true)
  await copy.dispose()
}

/** Signs in by API calls: afterwards `context` has the cookies of a signed-in browser. */
export async function signInByCall(
  context: APIRequestContext,
  desk: string,
  { email, password }: SignIn,
): Promise<void> {
  const { csrfToken } = await (await context.get(`${desk}/api/auth/csrf`)).json()
  const form = { csrfToken, email, password, json: 'true' }
  const reply = await context.post(`${desk}/api/auth/callback/credentials`, { form })
  expect(reply.ok()).toBe(true)
}

/** Opens `path` signed in, by API calls: two pages less than by the form. */
export async function signIn(page: Page, who: SignIn, path = '/payments'): Promise<void> {
  await signInByCall(page.context().request, '', who)
  await page.goto(path)
  await expect(page).not.toHaveURL(/\/sign-in/u)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await waitForScript(page)
}

/** Adds a member with a role and a password of their own to a desk's team. */
export async function addMember(
  playwright: Library,
  desk: string,
  { admin, role }: { admin: SignIn; role: string },
): Promise<SignIn> {
  const context = await playwright.request.newContext()
  await signInByCall(context, desk, admin)
  const email = `${role}-${randomUUID().slice(0, 8)}@shop.example`
  const invited = await callApi(context, `${desk}/api/desk/team`, { method: 'POST', body: { email, role } })
  expect(invited.status()).toBe(201)
  const secret = String((await invited.json()).link.address)
    .split(/[#/]/u)
    .at(-1)
  const password = randomUUID()
  const set = await callApi(context, `${desk}/api/password-link`, { method: 'PUT', body: { secret, password } })
  expect(set.ok()).toBe(true)
  await context.dispose()
  return { email, password }
}

type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>

/** Well below the five minutes after which the desk asks for the password again. */
const SESSION_REUSE_MS = 90_000
const sessions = new Map<string, { cookies: Cookies; since: number }>()

/**
 * Opens `path` signed in as a role. Signs in once; later journeys of this worker reuse that session for a
 * while. The page may not be hydrated yet. Not for journeys about signing in or ones that end a session.
 */
export async function openSignedIn(
  page: Page,
  desk: { url: string; signIn: (role: Role) => SignIn },
  { role, path = '/payments' }: { role: Role; path?: string },
): Promise<void> {
  const key = `${role} ${desk.url}`
  const known = sessions.get(key)
  if (known && Date.now() - known.since < SESSION_REUSE_MS) {
    await page.context().addCookies(known.cookies)
    await page.goto(path)
    // If the session was ended meanwhile, the form is shown.
    if (!new URL(page.url()).pathname.startsWith('/sign-in'))
      return expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.context().clearCookies()
  }
  const since = Date.now()
  await signIn(page, desk.signIn(role), path)
  sessions.set(key, { cookies: await page.context().cookies(), since })
}
