import { setTimeout as pause } from 'node:timers/promises'
import { withPage } from './browser-page.mjs'

const TIMEOUT_MS = 120_000

const grow = (page, rows) => page.evaluate(([target, ms]) => window.bench.grow(target, ms), [rows, TIMEOUT_MS])
const countElements = (page) => page.evaluate(() => document.getElementsByTagName('*').length)
const slowDown = (devtools, rate) => devtools.send('Emulation.setCPUThrottlingRate', { rate })

async function readScriptTime(devtools) {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1_000
}

async function readHeap(devtools) {
  for (let turn = 0; turn < 3; turn += 1) await devtools.send('HeapProfiler.collectGarbage')
  return (await devtools.send('Runtime.getHeapUsage')).usedSize
}

async function clickRows({ page, devtools }, count = 10) {
  const boxes = page.locator('.dt-row input[type="checkbox"]')
  await page.locator('[data-scroller]').evaluate((element) => element.scrollTo({ top: element.scrollHeight * 0.4 }))
  await pause(800)
  const places = await boxes.evaluateAll((all) =>
    all
      .map((box) => box.getBoundingClientRect())
      .filter(({ top }) => top > 250 && top < 800)
      .map(({ left, top, width, height }) => [left + width / 2, top + height / 2]),
  )
  await slowDown(devtools, 4)
  for (const [x, y] of places.slice(0, count)) {
    await page.mouse.click(x, y)
    await pause(300)
  }
  await slowDown(devtools, 1)
  return page.evaluate(() => window.bench.clicks)
}

async function scrollSlowed({ page, devtools }, ms) {
  await slowDown(devtools, 4)
  const seen = await page.evaluate((length) => window.bench.scroll(length), ms)
  await slowDown(devtools, 1)
  return seen
}

async function scrollAndClick(opened) {
  const scrolled = await scrollSlowed(opened, 4_000)
  const flung = await scrollSlowed(opened, 1_000)
  const clicks = await clickRows(opened)
  return {
    lateScroll: scrolled.late,
    lateFling: flung.late,
    blankFling: flung.blank,
    click: clicks.toSorted((one, other) => one - other)[Math.floor(clicks.length / 2)],
  }
}

/** Milliseconds until the first rows are painted at each speed, and until row 101 is, by scrolling. */
export async function measureLoads(target) {
  const read = (options) => withPage({ ...target, ...options }, ({ firstRow }) => firstRow)
  const first1 = await read({})
  const first4 = await read({ cpu: 4 })
  const firstSlow = await read({ cpu: 4, slow: true })
  const row101 = await withPage({ ...target, cpu: 4 }, async ({ page }) => (await grow(page, 101)).at)
  return { first1, first4, firstSlow, row101 }
}

/** The list at 1,000 and at `rows` rows: speed, elements, frames while scrolling at 4x, click to paint at 4x. */
export function measureMiddle(target, rows) {
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
export const measureStill = (target) => withPage(target, scrollAndClick)

/**
 * Loading `rows` rows by scrolling: rows per second, the longest frame, heap per 1,000 rows in KB, duration in ms, the
 * pages fetched, and the script time of the last tenth compared with the first.
 */
export function measureWalk(target, rows) {
  return withPage(target, async ({ page, devtools }) => {
    await pause(1_000)
    const stages = []
    const script = [await readScriptTime(devtools)]
    for (const share of [0.1, 0.9, 1]) {
      stages.push(await grow(page, Math.round(rows * share)))
      script.push(await readScriptTime(devtools))
    }
    const took = stages.reduce((sum, stage) => sum + stage.took, 0)
    const reached = stages[2].rows
    const got = reached - stages[0].from
    const perRow = (stage, from, ms) => ms / Math.max(1, stage.rows - from)
    const first = perRow(stages[0], stages[0].from, script[1] - script[0])
    const last = perRow(stages[2], stages[1].rows, script[3] - script[2])
    return {
      walkRate: got / (took / 1_000),
      perPage: took / (got / 100),
      longest: Math.max(...stages.map((stage) => stage.longest)),
      scriptRatio: last / first,
      reached,
      heap: (await readHeap(devtools)) / 1_024 / (reached / 1_000),
      walkElements: await countElements(page),
    }
  })
}
