import { type Browser, chromium, type Page } from '@playwright/test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { writeWalk } from './support/accessibility-tree'
import { CommandError, root } from './support/command.mjs'
import { findChromium } from './support/playwright'
import { loadOrCreateSecrets, readSettings } from './support/settings'

const folder = `${root}/docs/pictures`
const themes = ['light', 'dark'] as const

type Theme = (typeof themes)[number]

async function picture(page: Page, name: string, theme: Theme): Promise<void> {
  // Long enough for transitions to end.
  await page.waitForTimeout(600)
  const devtools = await page.context().newCDPSession(page)
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 72 })
  writeFileSync(`${folder}/${name}-${theme}.webp`, Buffer.from(data, 'base64'))
}

async function openDesk(
  browser: Browser,
  { address, password }: { address: string; password: string },
  theme: Theme,
  viewport: { width: number; height: number },
): Promise<Page> {
  const context = await browser.newContext({
    viewport,
    colorScheme: theme,
    locale: 'en-GB',
    timezoneId: 'Europe/Copenhagen',
    hasTouch: viewport.width < 500,
  })
  const page = await context.newPage()
  await page.goto(`${address}/payments`)
  await page.getByLabel('Email', { exact: true }).fill('support@debitdesk.example')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.locator('[data-row-id]').first().waitFor()
  return page
}

const pendingOf = (page: Page) => page.locator('[data-row-id][data-status="Pending"]')

async function askToCancel(page: Page, at: number) {
  await pendingOf(page).nth(at).click()
  await page.getByRole('button', { name: 'Cancel payment', exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Reason').fill('The customer has paid by bank transfer')
  return dialog
}

/** Takes the four pictures of the tour on a desktop screen. Returns the address of the cancelled payment, which the dark tour shows too. */
async function tour(page: Page, address: string, theme: Theme, cancelled: string | null): Promise<string> {
  const find = page.getByRole('combobox', { name: 'Find pages, actions and records' })
  // The shortcut works once the page is hydrated.
  while (!(await find.isVisible())) {
    await page.keyboard.press('Control+K')
    await page.waitForTimeout(1_000)
  }
  await find.fill('ida holm')
  await page.getByRole('option').first().waitFor()
  await page.waitForTimeout(1_500)
  await picture(page, 'find', theme)
  await page.keyboard.press('Escape')
  const dialog = await askToCancel(page, 2)
  await picture(page, 'cancel', theme)
  let shown = cancelled
  if (shown === null) {
    await dialog.getByRole('button', { name: 'Cancel payment', exact: true }).click()
    await page.locator('[data-outcome="cancelled"]').first().waitFor({ timeout: 60_000 })
    await dialog.waitFor({ state: 'hidden' })
    shown = page.url()
  } else {
    await page.goto(shown)
    await page.getByRole('dialog').waitFor()
  }
  await picture(page, 'payments', theme)
  await page.goto(`${address}/`)
  await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' })
  await page.waitForTimeout(4_000)
  await picture(page, 'overview', theme)
  return shown
}

// `npm run screenshots`: the pictures of the README and the tour, and the accessibility walk, of the desk that runs beside it.
const settings = readSettings()
const address = `http://127.0.0.1:${settings.PORT}`
if (!(await fetch(`${address}/api/health`).catch(() => null))) {
  throw new CommandError(`No desk answers at ${address}: run \`npm start\` beside this.`)
}
const { demoPasswords } = loadOrCreateSecrets(settings.DATA_DIR)
const { executablePath } = await findChromium()
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const browser = await chromium.launch({ executablePath, args })
mkdirSync(folder, { recursive: true })
const desk = { address, password: demoPasswords.support }
let cancelled: string | null = null
// Opening the customers' list once probes its capabilities, which the search uses too.
const first = await openDesk(browser, desk, 'light', { width: 1280, height: 800 })
await first.goto(`${address}/customers`)
await first.waitForTimeout(6_000)
for (const theme of themes) {
  const wide = await openDesk(browser, desk, theme, { width: 1280, height: 800 })
  cancelled = await tour(wide, address, theme, cancelled)
  const phone = await openDesk(browser, desk, theme, { width: 390, height: 780 })
  await picture(phone, 'phone', theme)
  await askToCancel(phone, 1)
  await picture(phone, 'phone-cancel', theme)
}
for (const [locale, file] of [
  ['en-GB', 'accessibility-walk.md'],
  ['da-DK', 'accessibility-walk.da.md'],
] as const) {
  writeFileSync(`${root}/docs/reports/${file}`, await writeWalk(browser, desk, locale))
}
await browser.close()
