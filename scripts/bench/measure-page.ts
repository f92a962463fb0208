import { setTimeout as pause } from 'node:timers/promises'
import type { CDPSession, Page } from '@playwright/test'
import { type Opened, type Target, withPage } from './browser-page'
import { median } from './measure-gateway'

const TIMEOUT_MS = 120_000

const grow = (page: Page, rows: number) =>
  page.evaluate(({ target, ms }) => window.bench.grow(target, ms), { target: rows, ms: TIMEOUT_MS })
const countElements = (page: Page) => page.evaluate(() => document.getElementsByTagName('*').length)
const slowDown = (devtools: CDPSession, rate: number) => devtools.send('Emulation.setCPUThrottlingRate', { rate })

async function readScriptTime(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1_000
}

async function readHeap(devtools: CDPSession): Promise<number> {
  for (let turn = 0; turn < 3; turn += 1) await devtools.send('HeapProfiler.collectGarbage')
  return (await devtools.send('Runtime.getHeapUsage')).usedSize
}

async function clickRows({ page, devtools }: Opened, count = 10): Promise<number[]> {
  const boxes = page.locator('.dt-row input[type="checkbox"]')
  await page.locator('[data-scroller]').evaluate((element) => element.scrollTo({ top: element.scrollHeight * 0.4 }))
  await pause(800)
  const places = await boxes.evaluateAll((all) =>
    all
      .map((box) => box.getBoundingClientRect())
      .filter(({ top }) => top > 250 && top < 800)
      .map(({ left, top, width, height }) => ({ x: left + width / 2, y: top + height / 2 })),
  )
  await slowDown(devtools, 4)
  for (const { x, y } of places.slice(0, count)) {
    await page.mouse.click(x, y)
    await pause(300)
  }
  await slowDown(devtools, 1)
  return page.evaluate(() => window.bench.clicks)
}

async function scrollSlowed({ page, devtools }: Opened, ms: number) {
  await slowDown(devtools, 4)
  const seen = await page.evaluate((length) => window.bench.scroll(length), ms)
  await slowDown(devtools, 1)
  return seen
}

async function scrollAndClick(opened: Opened) {
  const scrolled = await scrollSlowed(opened, 4_000)
  const flung = await scrollSlowed(opened, 1_000)
  const clicks = await clickRows(opened)
  return {
    lateScroll: scrolled.late,
    lateFling: flung.late,
    blankFling: flung.blank,
    click: median(clicks),
  }
}

/** Milliseconds until the first rows are painted at each speed, and until row 101 is, by scrolling. */
export async function measureLoads(target: Target) {
  const read = (options: Pick<Target, 'cpu' | 'slow'>) =>
    withPage({ ...target, ...options }, ({ firstRow }) => firstRow)
  const first1 = await read({})
  const first4 = await read({ cpu: 4 })
  const firstSlow = await read({ cpu: 4, slow: true })
  const row101 = await withPage({ ...target, cpu: 4 }, async ({ page }) => (await grow(page, 101)).at)
  return { first1, first4, firstSlow, row101 }
}

/** The list at 1,000 and at `rows` rows: speed, elements, frames while scrolling at 4x, click to paint at 4x. */
export function measureMiddle(target: Target, rows: number) {
  return withPage(target, async (opened) => {
    const { page } = opened
    await pause(1_000)
    const one = await grow(page, Math.min(1_000, rows))
    const elements1 = await countElements(page)
    const all = await grow(page, rows)
    const rate = (all.rows - one.from) / ((one.took + all.took) / 1_000)
    return { rate, elements1, elements: await countElements(page), ...(await scrollAndClick(opened)) }
  })
}

/** Scrolling, flinging and clicking on a page whose rows are all loaded. */
export const measureStill = (target: Target) => withPage(target, scrollAndClick)

/**
 * Loading `rows` rows by scrolling: rows per second, the longest frame, heap per 1,000 rows in KB, duration in ms, the
 * pages fetched, and the script time of the last tenth compared with the first.
 */
export function measureWalk(target: Target, rows: number) {
  return withPage(target, async ({ page, devtools }) => {
    await pause(1_000)
    /** Loads up to `share` of the rows. Returns also the script time for each new row, in milliseconds. */
    const load = async (share: number) => {
      const before = await readScriptTime(devtools)
      const stage = await grow(page, Math.round(rows * share))
      const script = (await readScriptTime(devtools)) - before
      return { ...stage, perRow: script / Math.max(1, stage.rows - stage.from) }
    }
    const [first, middle, last] = [await load(0.1), await load(0.9), await load(1)]
    const took = first.took + middle.took + last.took
    const reached = last.rows
    const got = reached - first.from
    return {
      walkRate: got / (took / 1_000),
      perPage: took / (got / 100),
      longest: Math.max(first.longest, middle.longest, last.longest),
      scriptRatio: last.perRow / first.perRow,
      reached,
      heap: (await readHeap(devtools)) / 1_024 / (reached / 1_000),
      walkElements: await countElements(page),
    }
  })
}
