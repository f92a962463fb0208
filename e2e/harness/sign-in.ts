import { expect, type Page } from '@playwright/test'
import type { SignIn } from './start-desk'
import { waitForScript } from './page-script'

/** Fills in the sign-in form that is shown. */
export async function fillSignIn(page: Page, { email, password }: SignIn): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Opens `path` signed out, signs in on the way and ends up there. */
export async function signIn(page: Page, who: SignIn, path = '/payments'): Promise<void> {
  await page.goto(path)
  await expect(page).toHaveURL(/\/sign-in\?/u)
  await fillSignIn(page, who)
  await expect(page).not.toHaveURL(/\/sign-in/u)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await waitForScript(page)
}
