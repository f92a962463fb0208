import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'
import type { Chromium } from '../support/playwright'

export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

type Growth = {
  from: number
  rows: number
  /** Milliseconds since the page was opened. */
  at: number
  took: number
  longest: number
}

/** What a page's observer offers to the measurements, as `window.bench`. */
type PageBench = {
  /** Milliseconds since the page was opened. */
  firstRow: Promise<number>
  grow: (target: number, timeoutMs: number) => Promise<Growth>
  scroll: (length: number) => Promise<{ late: number; blank: number }>
  clicks: number[]
}

declare global {
  interface Window {
    bench: PageBench
  }
}

/**
 * Injected into each page before its own scripts, so it must be self-contained. `window.bench` observes the rendered rows
 * by the attributes that the desk and the plain page share.
 */
function watchRows(): void {
  const rows = () => [...document.querySelectorAll('.dt-row[data-row-id]:not([data-row-id=""])')]
  const scroller = () => {
    const element = document.querySelector('[data-scroller]')
    if (!element) throw new Error('The page has no list.')
    return element
  }
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  // A message is handled after the current frame was painted.
  const painted = async () => {
    await frame()
    const { port1, port2 } = new MessageChannel()
    return new Promise<number>((resolve) => {
      port1.addEventListener('message', () => resolve(performance.now()), { once: true })
      port1.start()
      port2.postMessage(0)
    })
  }
  const last = () => Math.max(0, ...rows().map((row) => Number(row.getAttribute('aria-rowindex')) - 1))

  /** Runs `step` before each frame until it returns true. Returns the length of each frame in milliseconds. */
  const eachFrame = async (step: (now: number) => boolean) => {
    const lengths: number[] = []
    let before = await frame()
    while (!step(before)) {
      const now = await frame()
      lengths.push(now - before)
      before = now
    }
    return lengths
  }

  const firstRow = (async () => {
    while (!rows().some((row) => row.getBoundingClientRect().height > 0)) await frame()
    return painted()
  })()

  /** Scrolls to the end, frame by frame, until `target` rows were loaded or `timeoutMs` has passed. */
  const grow = async (target: number, timeoutMs: number) => {
    const began = performance.now()
    const from = last()
    const lengths = await eachFrame(() => {
      scroller().scrollTop = scroller().scrollHeight
      return last() >= target || performance.now() - began > timeoutMs
    })
    const at = performance.now()
    return { from, rows: last(), at, took: at - began, longest: Math.max(0, ...lengths) }
  }

  const isBlank = (box: DOMRect) =>
    [0.2, 0.5, 0.9].filter((share) => {
      const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height * share)
      return !hit?.closest('.dt-row[data-row-id]:not([data-row-id=""])')
    }).length

  /** Scrolls 20 screens in `length` ms from the middle. Returns the shares of frames over 25 ms and of points without a row. */
  const scroll = async (length: number) => {
    const element = scroller()
    const box = element.getBoundingClientRect()
    element.scrollTop = element.scrollHeight * 0.4
    await new Promise((resolve) => setTimeout(resolve, 800))
    const from = element.scrollTop
    const began = await frame()
    const looks: number[] = []
    const lengths = await eachFrame((now) => {
      if (now > began) void painted().then(() => looks.push(isBlank(box)))
      element.scrollTop = from + 20 * element.clientHeight * Math.min(1, (now - began) / length)
      return now - began >= length
    })
    await painted()
    const share = (count: number, of: number) => (of === 0 ? 0 : (count / of) * 100)
    const blank = looks.reduce((sum, count) => sum + count, 0)
    return {
      late: share(lengths.filter((ms) => ms > 25).length, lengths.length),
      blank: share(blank, looks.length * 3),
    }
  }

  const clicks: number[] = []
  addEventListener('click', (event) => void painted().then((at) => clicks.push(at - event.timeStamp)), true)
  window.bench = { firstRow, grow, scroll, clicks }
}

/** Lighthouse's slow 4G, in bytes per second and milliseconds. */
const slowNetwork = { offline: false, latency: 562.5, downloadThroughput: 188_743, uploadThroughput: 86_400 }

/** A new browser for each measurement, with cold caches. */
export async function launch({ executablePath }: Chromium): Promise<Browser> {
  const { chromium } = await import('@playwright/test')
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath, args: [...args, '--disable-gpu', '--enable-precise-memory-info'] })
}

/** Signs in to the desk once. Returns the storage state for later browsers. */
export async function signIn(
  chromium: Chromium,
  desk: string,
  { email, password }: { email: string; password: string },
): Promise<StorageState> {
  const browser = await launch(chromium)
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

/** The page to measure, and what with; `cpu` is how many times slower the processor is. */
export type Target = Chromium & { storageState?: StorageState; url: string; cpu?: number; slow?: boolean }

/** `firstRow`: milliseconds until the first row was painted. */
export type Opened = { page: Page; devtools: CDPSession; firstRow: number }

/**
 * Opens `url` in a new browser, throttled by `cpu` and `slow`, and calls `read` with the page, its devtools and the
 * milliseconds until its first row was painted. Always closes the browser.
 */
export async function withPage<Reading>(
  { storageState, url, cpu = 1, slow = false, ...chromium }: Target,
  read: (opened: Opened) => Promise<Reading> | Reading,
): Promise<Reading> {
  const browser = await launch(chromium)
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, storageState })
    const page = await context.newPage()
    await page.addInitScript(watchRows)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Performance.enable')
    // Loads fonts and starts the GPU process before the measurement.
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
