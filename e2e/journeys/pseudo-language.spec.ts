import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { makeFolder, signInOf, startDesk } from '../support/desk'
import { expect, test } from '../support/journey'
import { waitForScript } from '../support/session'

const run = promisify(execFile)

/** It compiles the messages that all desks share anew, so it runs alone. A build of its own, whose messages also have a language with accents that is 40 % longer than English. */
const environment = { PSEUDO_LOCALE: '1', DIST_DIR: '.next-pseudo' }

test.beforeAll(async () => {
  test.setTimeout(600_000)
  const { PATH, HOME } = process.env
  await run(process.execPath, ['scripts/run.mjs', 'build'], {
    env: { PATH, HOME, ...environment, NODE_ENV: 'production' },
  })
})

test.afterAll(async () => {
  const { PATH, HOME } = process.env
  await run(process.execPath, ['scripts/messages.mjs'], { env: { PATH, HOME, NODE_ENV: 'production' } })
})

const pages = [
  '/',
  '/payments',
  '/payments/bulk',
  '/attention',
  '/payments/closing',
  '/customers',
  '/customers/new',
  '/customers/import',
  '/mandates',
  '/agreements',
  '/agreements/new',
  '/webhooks',
  '/merchant',
  '/merchant/doctor',
  '/merchants',
  '/activity',
  '/team',
  '/account',
]

test('every page holds words 40 % longer, on a desk and on a phone, and no text outside of the messages', {
  tag: ['@long', '@alone'],
}, async ({ browser }) => {
  test.setTimeout(600_000)
  const { folder, remove } = await makeFolder()
  const desk = await startDesk(folder, { SEED_PAYMENTS: '200', ...environment })
  const context = await browser.newContext({ baseURL: desk.url, locale: 'eo' })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await waitForScript(page)
  await expect(page.locator('html')).toHaveAttribute('lang', 'eo')
  const { email, password } = signInOf(desk, 'admin')
  await page.locator('#email').fill(email)
  await page.locator('#password').fill(password)
  await page.locator('button[type=submit]').click()
  await expect(page).not.toHaveURL(/\/sign-in/u)
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport)
    for (const path of pages) {
      await page.goto(path)
      await waitForScript(page)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const { wide, screen, plain } = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth,
        screen: document.documentElement.clientWidth,
        // Headings, labels, buttons and column headers are the desk's own texts, so each has an accent or its marks.
        plain: [...document.querySelectorAll('h1, h2, h3, label, legend, button, [role=columnheader], th[scope=col]')]
          .filter((element) => element.checkVisibility())
          .map((element) => (element.textContent ?? '').trim())
          .filter((text) => /\p{L}{3}/u.test(text) && !/[áéíóúýçñÁÉÍÓÚ~]/u.test(text)),
      }))
      expect(wide, `${path} at ${viewport.width}`).toBeLessThanOrEqual(screen)
      expect(plain, path).toEqual([])
    }
  }
  await context.close()
  await desk.command.stop()
  await remove()
})
