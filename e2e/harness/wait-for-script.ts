import { expect, type Page } from '@playwright/test'

/** Waits until React has taken the page over: what is pressed before is lost. */
export async function waitForScript(page: Page): Promise<void> {
  await expect(page.locator('html[data-ready]')).toBeAttached()
}
