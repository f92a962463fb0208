import { expect, test } from '../harness/journey'
import { signIn } from '../harness/sign-in'

declare global {
  interface Window {
    firstFrame?: number
  }
}

test('a list asks for its scripts once its first frame is drawn, and works', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/merchant')
  await page.addInitScript(() => {
    requestAnimationFrame(() => {
      window.firstFrame = performance.now()
    })
  })
  for (const path of ['/payments', '/customers']) {
    await page.goto(path)
    // The browser drops what is typed before it has drawn anything of the page.
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
    await page.keyboard.press('Control+K')
    await expect(page.getByRole('combobox', { name: 'Find pages, actions and records' })).toBeFocused()
    const { first, scripts } = await page.evaluate(() => ({
      first: window.firstFrame ?? Number.POSITIVE_INFINITY,
      scripts: performance
        .getEntriesByType('resource')
        // One of them is fetched ahead, at the lowest priority: React writes a link for it. It runs after the frame too.
        .filter((entry) => entry instanceof PerformanceResourceTiming && entry.initiatorType === 'script')
        .map(({ startTime }) => startTime),
    }))
    expect(scripts.length).toBeGreaterThan(5)
    expect(Math.min(...scripts)).toBeGreaterThanOrEqual(first)
  }
})

test('a tab that nobody looks at, and that draws no frame, is ready all the same', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/merchant')
  await page.addInitScript(() => {
    Object.defineProperty(document, 'hidden', { get: () => true })
    window.requestAnimationFrame = () => 0
  })
  await page.goto('/payments', { waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveAttribute('data-find-state', 'ready')
})
