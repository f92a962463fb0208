import { writeFileSync } from 'node:fs'
import { CommandFailure, runCommand } from './command-failure.mjs'
import { ensureInstalled } from './ensure-installed.mjs'
import { findChromium } from './find-chromium.mjs'
import { readSettings } from './read-settings.mjs'
import { keepSecrets } from './keep-secrets.mjs'
import { root } from './root.mjs'

/** Signs in as support at the desk that `npm start` runs and walks to a payment whose cancellation is confirmed. */
async function walk(page, address, password) {
  await page.goto(`${address}/payments`)
  await page.getByLabel('Email', { exact: true }).fill('support@debitdesk.example')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const pending = page.locator('[data-row-id][data-status="Pending"]')
  await pending
    .filter({ hasText: /nets-bs/u })
    .nth(1)
    .click()
  await page.getByRole('button', { name: 'Cancel payment', exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Reason').fill('The customer has paid by bank transfer')
  await dialog.getByRole('button', { name: 'Cancel payment', exact: true }).click()
  await page.locator('[data-outcome="cancelled"]').first().waitFor({ timeout: 60_000 })
  await dialog.waitFor({ state: 'hidden' })
}

await runCommand(async () => {
  await ensureInstalled()
  const settings = await readSettings()
  const address = `http://127.0.0.1:${settings.PORT}`
  if (!(await fetch(`${address}/api/health`).catch(() => null))) {
    throw new CommandFailure(`No desk answers at ${address}: run \`npm start\` beside this.`)
  }
  const { demoPasswords } = keepSecrets(settings.DATA_DIR)
  const { executablePath } = await findChromium()
  const { chromium } = await import('@playwright/test')
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ executablePath, args })
  const page = await browser.newPage({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Copenhagen',
  })
  await walk(page, address, demoPasswords.support)
  const devtools = await page.context().newCDPSession(page)
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 90 })
  writeFileSync(`${root}/docs/screenshot.webp`, Buffer.from(data, 'base64'))
  await browser.close()
})
