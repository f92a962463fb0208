import type { Page } from '@playwright/test'
import type { SignIn } from '../support/desk'
import { expect, test } from '../support/journey'
import { textsOn } from '../support/language'
import { ListPage } from '../support/page-objects'
import { signIn, signInByCall, waitForScript } from '../support/session'

/* User settings that affect how a page is shown: WCAG 2.2 1.4.10, 1.4.12, 2.3.3, 2.5.8 (AX-04), and time zones (DC-06). */

const pages = ['/', '/payments', '/customers', '/customers/new', '/mandates', '/agreements', '/webhooks', '/merchant']

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  if (path === '/') await expect(page.locator('[data-overview="whole"]')).toBeVisible({ timeout: 60_000 })
}

/** Controls smaller than 24 by 24 pixels, except links within a sentence. A checkbox in a row counts as its cell. */
function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = [...document.querySelectorAll('button, a[href], input, select, textarea, summary')]
    return controls.flatMap((control) => {
      const target = control.closest('.dt-select') ?? control
      const { width, height } = target.getBoundingClientRect()
      const isInline = getComputedStyle(control).display === 'inline'
      const isHidden =
        width <= 1 ||
        control.matches('.sr-only:not(:focus)') ||
        !control.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      if (isInline || isHidden || (width >= 23.5 && height >= 23.5)) return []
      return [`${Math.round(width)} × ${Math.round(height)}: ${control.outerHTML.slice(0, 120)}`]
    })
  })
}

for (const width of [1280, 320]) {
  test(`every control is large enough to be hit, at ${width} px`, { tag: width === 320 ? [] : '@long' }, async ({
    page,
    desk,
  }) => {
    test.setTimeout(120_000)
    await page.setViewportSize({ width, height: 800 })
    await signIn(page, desk.signIn('admin'))
    for (const path of pages) {
      await open(page, path)
      expect(await findSmallTargets(page), path).toEqual([])
    }
  })
}

test('text that somebody has spaced out is neither cut nor laid over other text', { tag: '@long' }, async ({
  page,
  desk,
}) => {
  test.setTimeout(120_000)
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, desk.signIn('admin'))
  for (const path of pages) {
    await open(page, path)
    const cut = await page.evaluate(() => {
      const spacing = new CSSStyleSheet()
      spacing.replaceSync(
        '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
      )
      document.adoptedStyleSheets = [spacing]
      const words = [...document.querySelectorAll('h1, h2, h3, label, button, main a, dt, legend, th')]
      return words.flatMap((element) => {
        const { overflowX } = getComputedStyle(element)
        const isCut = overflowX !== 'visible' && overflowX !== 'auto' && element.scrollWidth > element.clientWidth + 1
        return isCut && element.checkVisibility() && element.clientWidth > 1 ? [element.outerHTML.slice(0, 120)] : []
      })
    })
    expect(cut, path).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390)
  }
})

test('nothing moves for those who want no motion', async ({ page, desk }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signIn(page, desk.signIn('support'))
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await list.rows.first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect, playState }) => playState === 'running' && Number(effect?.getComputedTiming().endTime) > 50)
      .map(({ effect }) => (effect instanceof KeyframeEffect ? (effect.target?.outerHTML.slice(0, 120) ?? '') : '')),
  )
  expect(moving).toEqual([])
})

test('in forced colours states keep their words and what has the focus is seen', async ({ page, desk }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await signIn(page, desk.signIn('support'))
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await expect(list.rows.first()).toContainText(/Pending|Scheduled|Settled|Rejected|Chargeback|Cancelled/u)
  const badge = list.rows.first().locator('.badge').first()
  expect(await badge.evaluate((one) => getComputedStyle(one).borderTopStyle)).toBe('solid')
  await page.keyboard.press('Tab')
  const focused = await page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body)
    return { outlineStyle, width: Number.parseFloat(outlineWidth) }
  })
  expect(focused.outlineStyle).not.toBe('none')
  expect(focused.width).toBeGreaterThanOrEqual(2)
})

/** Day, month and year of a date in any locale; English and Danish have month names. */
function readDay(text: string): number[] {
  const [day, ...others] = (text.match(/\d+/gu) ?? []).map(Number)
  if (others.length > 1 || day === undefined) return [day ?? 0, ...others]
  const months = ['en', 'da'].map((language) =>
    Array.from({ length: 12 }, (_, month) =>
      new Intl.DateTimeFormat(language, { month: 'short' })
        .format(Date.UTC(2026, month, 15))
        .slice(0, 3)
        .toLowerCase(),
    ),
  )
  const word = /[a-z]{3}/u.exec(text.toLowerCase())?.[0] ?? ''
  return [day, Math.max(...months.map((names) => names.indexOf(word))) + 1, ...others]
}

test.describe('in another zone and language', () => {
  for (const [timezoneId, locale] of [
    ['Pacific/Kiritimati', 'da-DK'],
    ['America/St_Johns', 'ar-EG'],
    ['Asia/Kolkata', 'en-IN'],
  ] as const) {
    test(`days stay the scheme’s and moments name their zone: ${timezoneId}, ${locale}`, {
      tag: locale === 'en-IN' ? [] : '@long',
    }, async ({ browser, desk, watch }) => {
      const here = await browser.newPage({ baseURL: desk.url })
      const there = await browser.newPage({ baseURL: desk.url, timezoneId, locale })
      const faults: string[] = []
      there.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text())
      })
      const readDays = async (page: Page) => {
        await signIn(page, desk.signIn('viewer'), '/payments?mode=live')
        const list = new ListPage(page, (await textsOn(page))('payments_payments'))
        await list.ready()
        const id = await list.idOf(list.rows.first())
        await page.goto(`/payments/${id}`)
        await page.locator('[data-technical] > summary').click()
        const text = (name: string) => page.locator(`[data-field="${name}"] dd`).first().innerText()
        // The server's HTML has timestamps in UTC; hydration changes them to the reader's zone.
        await expect(page.locator('[data-field="createdAt"] time').first()).not.toContainText('UTC')
        const days = [readDay(await text('scheduleDate')), readDay(await text('paymentDate'))]
        return { days, moment: await text('createdAt') }
      }
      const [mine, theirs] = [await readDays(here), await readDays(there)]
      expect(mine.days.flat()).toHaveLength(6)
      expect(theirs.days).toEqual(mine.days)
      expect(theirs.moment).not.toBe(mine.moment)
      expect(theirs.moment).toMatch(/(?:GMT|UTC)[+−-]?\d*|[A-Z]{3,4}$/u)
      expect([...faults, ...watch.faults]).toEqual([])
      await here.close()
      await there.close()
    })
  }
})

test('no bar of a phone lies over what has the focus (WCAG 2.2 2.4.11)', async ({ page, desk }) => {
  await page.setViewportSize({ width: 390, height: 560 })
  await signIn(page, desk.signIn('admin'))
  await page.goto('/customers/new')
  await waitForScript(page)
  /** The smallest distance in pixels of the focused field and its label from the bars above and below. */
  const readRoom = () =>
    page.evaluate(() => {
      const field = document.activeElement
      const label = field instanceof HTMLInputElement ? (field.labels?.[0] ?? field) : field
      const bars = [document.querySelector('header'), document.querySelector('nav')].map((bar) =>
        bar?.getBoundingClientRect(),
      )
      const above = (label?.getBoundingClientRect().top ?? 0) - (bars[0]?.bottom ?? 0)
      return Math.min(above, (bars[1]?.top ?? 0) - (field?.getBoundingClientRect().bottom ?? 0))
    })
  const fields = page.getByRole('main').getByRole('textbox')
  await fields.first().focus()
  const count = await fields.count()
  for (let at = 1; at < count; at += 1) {
    await page.keyboard.press('Tab')
    await expect(fields.nth(at)).toBeFocused()
    expect(await readRoom(), `field ${at}`).toBeGreaterThanOrEqual(0)
  }
  await page.getByRole('button', { name: 'Create customer' }).click()
  await expect(fields.first()).toBeFocused()
  expect(await readRoom(), 'the field with the problem').toBeGreaterThanOrEqual(0)
})

/**
 * Days, amounts and counts for each reader: as the language of the texts writes them, which is English where there is no
 * translation. Server and browser must agree, or hydration would log an error.
 */
const readers = [
  ['de-DE', /^\d{1,2} [A-Z][a-z]{2,3} \d{4}$/u, /^-?\d{1,3}(,\d{3})*\.\d{2}/u, ','],
  ['da-DK', /^\d{1,2}\. \p{Ll}{3,4}\.? \d{4}$/u, /^-?\d{1,3}(\.\d{3})*,\d{2}/u, '.'],
  ['en-US', /^[A-Z][a-z]{2} \d{1,2}, \d{4}$/u, /^-?\d{1,3}(,\d{3})*\.\d{2}/u, ','],
] as const

for (const [locale, day, amount, mark] of readers) {
  test.describe(`a reader of ${locale}`, () => {
    test.use({ locale })

    test('finds days, amounts and counts written as usual', async ({ page, desk, context }) => {
      await signInByCall(context.request, desk.url, desk.signIn('support'))
      await page.goto('/payments')
      await expect(page.locator('[data-row-id]').first()).toBeVisible()
      const readDays = () => page.locator('[data-row-id] time').allInnerTexts()
      const days = (await readDays()).map((text) => text.trim())
      expect(days.length).toBeGreaterThan(0)
      for (const text of days) expect(text).toMatch(day)
      const amounts = await page.locator('[data-row-id] [role="gridcell"]:has(.dt-currency)').allInnerTexts()
      const known = amounts.filter((text) => /DKK|EUR|SEK/u.test(text))
      expect(known.length).toBeGreaterThan(0)
      for (const text of known) expect(text.trim()).toMatch(amount)

      await page.goto('/')
      await expect(page.locator('[data-overview="whole"]')).toBeVisible({ timeout: 60_000 })
      await expect(page.locator('[data-overview="whole"]')).toContainText(new RegExp(`\\d[${mark}]\\d{3} `, 'u'))
    })
  })
}

async function openPayments(page: Page, who: SignIn, size: { width: number; height: number }): Promise<ListPage> {
  await page.setViewportSize(size)
  await signIn(page, who, '/payments')
  const list = new ListPage(page, 'Payments')
  await list.ready()
  return list
}

test('on a phone, what stands above the rows makes way on the way down and returns on the way up', async ({
  page,
  desk,
}) => {
  await openPayments(page, desk.signIn('support'), { width: 390, height: 844 })
  const search = page.getByRole('searchbox')
  await page.mouse.move(200, 600)
  await expect(async () => {
    await page.mouse.wheel(0, 400)
    await expect(search).not.toBeInViewport({ timeout: 1000 })
  }).toPass()
  await page.mouse.wheel(0, -150)
  await expect(search).toBeInViewport()
  await page.mouse.wheel(0, 150)
  await expect(search).not.toBeInViewport()
  await search.focus()
  await expect(search).toBeInViewport()
})

test('at 200 % zoom two whole cards of a list are in sight below its head, also with a selection', async ({
  page,
  desk,
}) => {
  const list = await openPayments(page, desk.signIn('support'), { width: 640, height: 360 })
  /** Whole cards that nothing lies over, once the page is scrolled to the list. */
  const countWhole = () =>
    list.scroller.evaluate((scroller) => {
      scroller.scrollIntoView({ block: 'start' })
      const shows = (row: Element) => {
        const { top, bottom } = row.getBoundingClientRect()
        return [top + 2, bottom - 2].every((y) => document.elementFromPoint(200, y)?.closest('[data-row-id]') === row)
      }
      return [...scroller.querySelectorAll('[data-row-id]')].filter(shows).length
    })
  expect(await countWhole()).toBeGreaterThanOrEqual(2)
  await list.rows.first().getByRole('checkbox').check()
  await expect(page.getByRole('region', { name: 'Selection' })).toBeAttached()
  expect(await countWhole()).toBeGreaterThanOrEqual(2)
})

test('at 200 % zoom the row that the keys move to is in sight, and Tab goes through the bar as it is seen', async ({
  page,
  desk,
}) => {
  const list = await openPayments(page, desk.signIn('support'), { width: 640, height: 360 })
  const focused = page.locator(':focus')
  /** Where on the page what has the focus stands. */
  const readPlace = () =>
    focused.evaluate((one) => {
      const { top, bottom, left } = one.getBoundingClientRect()
      return { top: top + scrollY, bottom: bottom + scrollY, left }
    })
  await page.getByRole('banner').getByRole('link').first().focus()
  let last = await readPlace()
  while ((await page.getByRole('banner').locator(':focus').count()) > 0) {
    const next = await readPlace()
    const isOnLine = next.bottom > last.top && next.top < last.bottom
    expect(isOnLine ? next.left >= last.left : next.top >= last.bottom, JSON.stringify([last, next])).toBe(true)
    last = next
    await page.keyboard.press('Tab')
  }
  await page.getByRole('button', { name: 'Export', exact: true }).focus()
  await page.keyboard.press('Tab')
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'PageDown', 'End', 'ArrowUp', 'Home']) {
    await page.keyboard.press(key)
    await expect(focused).toHaveAttribute('data-row-id', /./u)
    await expect(focused).toBeInViewport({ ratio: 1 })
  }
  await page.keyboard.press('ArrowUp')
  await expect(list.grid.locator('[data-head] :focus')).toBeInViewport({ ratio: 1 })
})

test('at 1024 × 768 all places of the navigation are in sight', async ({ page, desk }) => {
  await page.setViewportSize({ width: 1024, height: 768 })
  await signIn(page, desk.signIn('admin'), '/payments')
  const places = page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link')
  await expect(places.first()).toBeVisible()
  for (const place of await places.all()) await expect(place).toBeInViewport({ ratio: 1 })
})
