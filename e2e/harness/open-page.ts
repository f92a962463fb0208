import { expect, type Page } from '@playwright/test'

/** Waits until React has taken over the page that is shown: what is pressed before it has may be lost. */
export async function waitForScript(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-ready', '')
}

/** Loads a page, in which something is pressed next. */
export async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await waitForScript(page)
}
