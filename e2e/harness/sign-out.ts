import type { Page } from '@playwright/test'
import { waitForScript } from './page-script'

/** Signs out by the button or menu item of that name (a menu is opened first) and waits until that page is left. */
export async function signOut(page: Page): Promise<void> {
  await waitForScript(page)
  const before = page.url()
  const direct = page.getByRole('button', { name: 'Sign out', exact: true })
  if (!(await direct.isVisible())) await page.getByRole('button', { name: /account/iu }).click()
  await direct
    .or(page.getByRole('menuitem', { name: 'Sign out', exact: true }))
    .first()
    .click()
  await page.waitForURL((url) => url.href !== before)
}
