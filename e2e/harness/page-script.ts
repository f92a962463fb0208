import { expect, type Page } from '@playwright/test'

/** Waits until React has taken the page over: what is pressed before is lost. */
export async function waitForScript(page: Page): Promise<void> {
  await expect(page.locator('html[data-ready]')).toBeAttached()
}

/** Opens a page whose scripts come only once what is answered is called. */
export async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/_next/static/chunks/*.js', (route) => held.then(() => route.continue()))
  await page.goto(path, { waitUntil: 'commit' })
  return release
}
