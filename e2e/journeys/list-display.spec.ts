import { findViolations } from '../support/accessibility'
import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'
import { openWithoutScripts, signIn } from '../support/session'

const readHeads = (list: ListPage) =>
  list.scroller
    // Not by role, because the grid is inert behind an open dialog.
    .locator('[role=columnheader]')
    .evaluateAll((heads) => heads.flatMap((head) => (head.checkVisibility() ? (head.dataset.column ?? []) : [])))

test('columns are chosen, moved and sized by keyboard, and the server draws them from then on', async ({
  page,
  desk,
}) => {
  await signIn(page, desk.signIn('admin'), '/mandates')
  const list = new ListPage(page, 'Mandates')
  await list.ready()
  const tool = page.getByRole('button', { name: 'Display', exact: true })
  await tool.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Display of mandates' })
  await dialog.getByRole('checkbox', { name: 'Mandate id' }).press('Space')
  await dialog.getByRole('button', { name: 'Move Customer up' }).press('Enter')
  const saved = page.waitForResponse((response) => {
    const sent = response.request()
    return sent.method() === 'PUT' && Boolean(sent.postData()?.includes('scheme-200'))
  })
  await dialog.getByLabel('Width of Scheme').selectOption('200')
  await saved
  await expect.poll(() => readHeads(list)).toEqual(['handle', 'status', 'customer', 'scheme', 'number', 'id'])
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(tool).toBeFocused()

  const kept = page.waitForResponse((response) => response.url().endsWith('/mandates'))
  await page.reload()
  const html = await (await kept).text()
  expect([...html.matchAll(/data-column="(\w+)"/gu)].map(([, id]) => id)).toEqual(await readHeads(list))
  await tool.click()
  await dialog.getByRole('button', { name: 'Reset to default' }).click()
  await expect.poll(() => readHeads(list)).toEqual(['handle', 'status', 'scheme', 'customer', 'number'])
})

test('a width that was dragged is kept, with the columns that a narrow window leaves out, and a cancelled drag is none', async ({
  page,
  desk,
}) => {
  await page.setViewportSize({ width: 1000, height: 800 })
  await signIn(page, desk.signIn('admin'), '/customers')
  const list = new ListPage(page, 'Customers')
  await list.ready()
  const head = list.grid.getByRole('columnheader').nth(1)
  const drag = async () => {
    const box = await head.boundingBox()
    if (!box) throw new Error('the header is in sight')
    const y = box.y + box.height / 2
    await page.mouse.move(box.x + box.width - 3, y)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width + 60, y, { steps: 4 })
    return box.width
  }
  const readWidth = async () => (await head.boundingBox())?.width
  const before = await drag()
  expect(await readWidth()).toBeGreaterThan(before + 40)
  await page.evaluate(() => dispatchEvent(new PointerEvent('pointercancel')))
  await page.mouse.up()
  expect(await readWidth()).toBe(before)

  const narrow = await readHeads(list)
  await page.setViewportSize({ width: 1600, height: 800 })
  await expect.poll(() => readHeads(list)).not.toEqual(narrow)
  const all = await readHeads(list)
  await page.setViewportSize({ width: 1000, height: 800 })
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
  await drag()
  await page.mouse.up()
  await saved
  await expect.poll(() => readHeads(list)).toEqual(narrow)
  await page.reload()
  await list.ready()
  expect(await readWidth()).toBeGreaterThan(before + 40)
  await page.setViewportSize({ width: 1600, height: 800 })
  await expect.poll(() => readHeads(list)).toEqual(all)
  await page.getByRole('button', { name: 'Display', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset to default' }).click()
})

test('the columns of an address are its own, stay at hand sideways, and are what a view and an export begin with', async ({
  page,
  desk,
}) => {
  await signIn(page, desk.signIn('viewer'), '/payments?columns=amount-200.handle.id.zork')
  const list = new ListPage(page, 'Payments')
  await list.ready()
  expect(await readHeads(list)).toEqual(['amount', 'handle', 'id'])
  await page.getByRole('button', { name: 'Display', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('These columns belong to the open view')).toBeVisible()
  for (const name of ['Created', 'Modified', 'Collection date', 'Description'])
    await dialog.getByRole('checkbox', { name, exact: true }).click()
  await expect(page).toHaveURL(/columns=amount-200\.handle\.id\.createdAt\.modifiedAt\.paymentDate\.description/u)
  await page.keyboard.press('Escape')

  const amount = list.grid.getByRole('columnheader', { name: 'Amount' })
  await expect(async () => {
    await list.scroller.evaluate((element) => element.scrollTo(element.scrollWidth, 0))
    const edge = (await list.scroller.boundingBox())?.x ?? Number.NaN
    expect(Math.abs(((await amount.boundingBox())?.x ?? 0) - edge)).toBeLessThan(2)
  }).toPass({ timeout: 15_000 })
  await list.scroller.evaluate((element) => element.scrollTo(0, 0))

  const box = await amount.boundingBox()
  if (!box) throw new Error('the header is in sight')
  await page.mouse.move(box.x + box.width - 3, box.y + box.height / 2)
  await page.mouse.down()
  // The code for dragging is loaded on first use.
  await expect(async () => {
    await page.mouse.move(box.x + box.width + 60, box.y + box.height / 2)
    await page.mouse.move(box.x + box.width + 61, box.y + box.height / 2)
    expect((await amount.boundingBox())?.width).toBeGreaterThan(box.width + 40)
  }).toPass()
  await page.mouse.up()
  await expect(page).toHaveURL(/columns=amount-26\d\./u)

  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const boxes = page.getByRole('dialog').getByRole('checkbox')
  await expect(boxes.first()).toBeChecked()
  const labels = page.getByRole('dialog').locator('label:has(:checked)')
  await expect(labels).toHaveText([
    'Amount',
    'Handle',
    'Payment id',
    'Created',
    'Modified',
    'Collection date',
    'Description',
  ])
})

test('rows stand closer where that was chosen, from the first HTML on', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'))
  const list = new ListPage(page, 'Payments')
  await list.ready()
  const readHeight = async () => (await list.scroller.locator('[data-row-id]').first().boundingBox())?.height
  expect(await readHeight()).toBe(44)
  await list.scroller.evaluate((element) => element.scrollTo({ top: 44 * 60 }))
  const readFirst = () =>
    list.scroller.evaluate((element) => {
      const { bottom } = element.querySelector('[data-head]')?.getBoundingClientRect() ?? new DOMRect()
      const row = document.elementFromPoint(element.getBoundingClientRect().x + 200, bottom + 8)?.closest('[role=row]')
      return row?.getAttribute('aria-rowindex')
    })
  await expect.poll(readFirst).toBe('62')
  await page.getByRole('button', { name: 'Display', exact: true }).click()
  await page.getByRole('radio', { name: 'Compact' }).check()
  await expect.poll(readHeight).toBe(32)
  await page.keyboard.press('Escape')
  await expect.poll(readFirst).toBe('62')
  const reply = page.waitForResponse((response) => response.url().endsWith('/payments'))
  await page.reload()
  expect(await (await reply).text()).toMatch(/<html[^>]* data-density="compact"/u)
  await list.ready()
  await list.grid.focus()
  await page.keyboard.press('End')
  await expect(list.grid.locator(':focus')).toBeInViewport()
  await expect(list.grid.locator(':focus')).toHaveAttribute('aria-rowindex', /^[1-9]\d\d/u)
})

test('every cell of a row fills its height and stands under its header, at every width', { tag: '@long' }, async ({
  page,
  desk,
}) => {
  await signIn(page, desk.signIn('admin'))
  for (const [path, name] of [
    ['/payments', 'Payments'],
    ['/customers', 'Customers'],
    ['/mandates', 'Mandates'],
  ] as const) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(path)
    await new ListPage(page, name).ready()
    for (const width of [800, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 })
      const misplaced = await page.locator('[data-scroller]').evaluate((grid) => {
        const inSight = (row: Element) => [...row.children].filter((cell) => getComputedStyle(cell).display !== 'none')
        const heads = inSight(grid.querySelector('.dt-header-row') ?? grid).map((head) => head.getBoundingClientRect())
        return [...grid.querySelectorAll('.dt-row')].slice(0, 3).flatMap((row) => {
          const { top, height } = row.getBoundingClientRect()
          const cells = inSight(row)
          const wrong = cells.filter((cell, at) => {
            const own = cell.getBoundingClientRect()
            const head = heads[at]
            const isUnder = head && Math.abs(own.left - head.left) < 1 && Math.abs(own.right - head.right) < 1
            return !isUnder || own.top < top - 1 || own.height < height - 2 || own.height > height + 1
          })
          return cells.length === heads.length ? wrong.map(({ outerHTML }) => outerHTML.slice(0, 120)) : [row.outerHTML]
        })
      })
      expect(misplaced, `${path} at ${width} px`).toEqual([])
    }
  }
})

test('the chosen theme is there before anything is painted', async ({ page, desk }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await signIn(page, desk.signIn('viewer'))
  // A page that has just started to load has no document element yet.
  const readScheme = () =>
    page.evaluate(() => document.querySelector('html') && getComputedStyle(document.documentElement).colorScheme)
  expect(await readScheme()).toBe('light dark')
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeEnabled()
  await page.getByTitle('Dark', { exact: true }).click()
  await expect.poll(readScheme).toBe('dark')

  const release = await openWithoutScripts(page, '/mandates')
  await expect.poll(readScheme).toBe('dark')
  release()
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  await page.getByTitle('Match system', { exact: true }).click()
  await expect.poll(readScheme).toBe('light dark')
})
