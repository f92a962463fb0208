import { watchRows } from './watch-rows.mjs'

/** Lighthouse's slow 4G, in bytes a second and milliseconds. */
const slowNetwork = { offline: false, latency: 562.5, downloadThroughput: 188_743, uploadThroughput: 86_400 }

/** A browser of its own for each reading: its cache and its compiled scripts are cold. */
export async function launch(executablePath) {
  const { chromium } = await import('@playwright/test')
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath, args: [...args, '--disable-gpu', '--enable-precise-memory-info'] })
}

/** Signs in at the desk once; answers what later browsers start from. */
export async function signIn(executablePath, desk, { email, password }) {
  const browser = await launch(executablePath)
  try {
    const page = await browser.newPage()
    await page.goto(`${desk}/sign-in`)
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
    return await page.context().storageState()
  } finally {
    await browser.close()
  }
}

/**
 * Opens `url` in a cold browser, slowed as asked, and hands `read` the page, its devtools and the milliseconds until its
 * first row was painted; closes the browser whatever comes.
 */
export async function withPage({ executablePath, storageState, url, cpu = 1, slow = false }, read) {
  const browser = await launch(executablePath)
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, storageState })
    const page = await context.newPage()
    await page.addInitScript(watchRows)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Performance.enable')
    // Fonts and the drawing process are up before the clock runs.
    await page.goto('data:text/html,<p>warm</p>')
    if (slow) await devtools.send('Network.emulateNetworkConditions', slowNetwork)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpu })
    await page.goto(url, { waitUntil: 'commit' })
    const firstRow = await page.evaluate(() => window.bench.firstRow)
    return await read({ page, devtools, firstRow })
  } finally {
    await browser.close()
  }
}
