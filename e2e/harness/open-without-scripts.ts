import type { Page } from '@playwright/test'

/**
 * Opens a page whose scripts come only once what is answered is called. Its clock stands: what is pressed before counts
 * for ten seconds, and a busy machine may need longer for the scripts alone.
 */
export async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  await page.addInitScript(() => {
    const began = Date.now()
    Date.now = () => began
  })
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/_next/static/chunks/*.js', (route) => held.then(() => route.continue()))
  await page.goto(path, { waitUntil: 'commit' })
  return release
}
