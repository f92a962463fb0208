import { readFile } from 'node:fs/promises'
import type { APIRequestContext, Page } from '@playwright/test'
import { callApi, type ListedPayment, readPayments } from '../support/api'
import { findViolations } from '../support/accessibility'
import { expect } from '../support/journey'
import { testOwnDesk } from '../support/own-desk'
import { ListPage } from '../support/page-objects'
import { readWrites } from '../support/cancellation'
import { signIn, signOut } from '../support/session'

/** A desk of its own, because these tests cancel whole lists. */
const test = testOwnDesk(async () => ({ SEED_PAYMENTS: '1200' }))
test.describe.configure({ mode: 'serial' })

const pendingOnly = { filter: "status eq 'Pending'" }
const taken = new Set<string>()

async function takePending(context: APIRequestContext, url: string, count: number): Promise<ListedPayment[]> {
  const pages = await readPayments(context, url, pendingOnly)
  const free = pages.filter(({ id }) => !taken.has(id)).slice(0, count)
  if (free.length < count) throw new Error('too few pending payments are left')
  for (const { id } of free) taken.add(id)
  return free
}

const main = (page: Page) => page.getByRole('main')
const bulkState = (page: Page) => page.locator('[data-bulk]')

async function paste(page: Page, lines: readonly string[]): Promise<void> {
  await page.goto('/payments/bulk')
  await page.getByLabel('Ids, handles or references', { exact: true }).fill(lines.join('\r\n'))
  await page.getByRole('button', { name: 'Check the list', exact: true }).click()
  // The previous page lists other bulks with their states too.
  await expect(page).toHaveURL(/\/bulk\/[\da-f-]{36}/u)
  await expect(bulkState(page)).toHaveAttribute('data-bulk', 'ready')
}

async function confirm(page: Page, count: number, reason = 'Ordered twice'): Promise<void> {
  const name = `Cancel ${count} ${count === 1 ? 'payment' : 'payments'}`
  await page.getByLabel('Reason', { exact: true }).fill(reason)
  await page.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('alertdialog', { name: `${name}?` })
  await expect(dialog).toContainText('DKK')
  await dialog.getByRole('button', { name, exact: true }).click()
  await expect(dialog).toBeHidden()
}

test('select, check, confirm, watch, and take the result away', async ({ page, desk }) => {
  await signIn(page, desk.signIn('support'), '/payments?state=Pending')
  const list = new ListPage(page, 'Payments')
  await list.ready()
  let ids: string[] = []
  const box = (index: number) => list.row(ids[index] ?? '').getByRole('checkbox')
  const bar = page.getByRole('region', { name: 'Selection', exact: true })
  // While the filter is being probed, the list may be reloaded without payments cancelled meanwhile.
  await expect(async () => {
    if (await bar.isVisible()) await bar.getByRole('button', { name: 'Clear selection', exact: true }).click()
    ids = (await list.visibleIds()).slice(0, 6)
    await box(0).click({ timeout: 3_000 })
    await box(5).click({ modifiers: ['Shift'], timeout: 3_000 })
    await expect(bar).toContainText('6 payments selected', { timeout: 3_000 })
  }).toPass()
  // A range over selected rows deselects nothing, and the checkbox shows it.
  await box(3).click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('6 payments selected')
  await expect(box(3)).toBeChecked()
  for (const id of ids) taken.add(id)
  await bar.getByRole('button', { name: 'Cancel selected', exact: true }).click()
  await expect(page).toHaveURL(/\/payments\/bulk\/[0-9a-f-]{36}$/u)
  await expect(main(page)).toContainText('6 payments can be cancelled')
  await confirm(page, 6)
  await expect(bulkState(page)).toHaveAttribute('data-bulk', 'finished', { timeout: 60_000 })
  await expect(page.getByRole('progressbar', { name: 'Payments processed' })).toHaveJSProperty('value', 6)
  await expect(page.getByRole('table').locator('[data-outcome="cancelled"]')).toHaveCount(6)

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Result file', exact: true }).click()
  const result = await readFile(await (await download).path(), 'utf8')
  const lines = result.replace('\uFEFF', '').split('\r\n').filter(Boolean)
  expect(lines).toHaveLength(7)
  for (const id of ids)
    expect(lines.filter((line) => line.includes(`,${id},`) && line.includes(',Cancelled,'))).toHaveLength(1)
  const deletes = (await readWrites(desk.dataDir)).filter(({ method }) => method === 'DELETE')
  expect(deletes.map(({ path }) => path).toSorted()).toEqual(ids.map((id) => `/Payments/${id}`).toSorted())
  expect(deletes.every(({ idempotencyKey }) => result.includes(idempotencyKey ?? '?'))).toBe(true)

  await page.goto('/payments/bulk')
  await expect(main(page)).toContainText('6 of 6 payments cancelled')
})

test('a pasted list: what cannot be cancelled is told and left out, each row may have its own reason', async ({
  page,
  desk,
  context,
}) => {
  await signIn(page, desk.signIn('support'))
  const [one, other] = await takePending(context.request, desk.url, 2)
  const [settled] = await readPayments(context.request, desk.url, { filter: "status eq 'Settled'", limit: '1' })
  const stranger = 'b0a7c8de-0000-4000-8000-000000000001'
  await paste(page, [
    'id;reason',
    `${one?.id};First reason`,
    '',
    `${other?.handle};`,
    `${one?.id};`,
    `${settled?.id};`,
    `${stranger};`,
  ])
  await expect(main(page)).toContainText('2 payments can be cancelled')
  for (const word of ['Too late', 'No payment found', 'Duplicate']) {
    await expect(page.getByRole('button', { name: new RegExp(`^${word} ?1$`, 'u') })).toBeVisible()
  }
  expect(await findViolations(page), 'the list before it is confirmed').toEqual([])
  const name = 'Cancel 2 payments'
  await expect(page.getByRole('button', { name, exact: true })).toHaveAttribute('aria-disabled', 'true')
  await page.getByLabel('Reason for row 2', { exact: true }).fill('Second reason')
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click()
  await expect(bulkState(page)).toHaveAttribute('data-bulk', 'finished', { timeout: 60_000 })
  const texts = (await readWrites(desk.dataDir))
    .filter(({ path }) => [one?.id, other?.id].some((id) => path.includes(id ?? '?')))
    .map(({ body }) => JSON.parse(body ?? '{}'))
  expect(new Set(texts.map(({ text }) => text))).toEqual(new Set(['First reason', 'Second reason']))
  expect(await findViolations(page), 'the result').toEqual([])
})

test('a file that is no list is told from one, whatever is in it', async ({ page, desk }) => {
  await signIn(page, desk.signIn('support'), '/payments/bulk')
  const file = page.getByLabel('File', { exact: true })
  const check = page.getByRole('button', { name: 'Check the list', exact: true })
  await file.setInputFiles({ name: 'huge.csv', mimeType: 'text/csv', buffer: Buffer.alloc(7_000_000, 'a\n') })
  await expect(main(page).getByRole('alert')).toContainText('too large (6 MB at most)')
  await expect(page.getByLabel('Ids, handles or references', { exact: true })).toHaveValue('')
  await file.setInputFiles({ name: 'long.csv', mimeType: 'text/csv', buffer: Buffer.from('a\n'.repeat(10_001)) })
  await expect(main(page).getByRole('alert')).toHaveCount(0)
  await expect(main(page)).toContainText('10,001 lines')
  await expect(check).toHaveAttribute('aria-disabled', 'true')
})

test('all that match, with the keyboard alone', async ({ page, desk, context }) => {
  await signIn(page, desk.signIn('support'), '/payments?state=Pending')
  const list = new ListPage(page, 'Payments')
  await list.ready()
  await list.grid.focus()
  await list.rows.first().focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowUp')
  const bar = page.getByRole('region', { name: 'Selection', exact: true })
  await expect(bar).toContainText('2 payments selected')
  let total = 0
  let after: string | undefined
  do {
    const query = new URLSearchParams({ filter: "status eq 'Pending'", limit: '100', ...(after && { after }) })
    const answer = await callApi(context.request, `${desk.url}/api/service/Payments?${query.toString()}`)
    const body: { results: unknown[]; continuation: { kind: string; after?: string } } = await answer.json()
    total += body.results.length
    after = body.continuation.after
  } while (after)
  const written = new Intl.NumberFormat('en-GB').format(total)
  await bar.getByRole('button', { name: /^Select all (?:[\d,]+ )?matching$/u }).focus()
  await page.keyboard.press('Enter')
  await expect(bar).toContainText(`${written} payments selected`, { timeout: 30_000 })
  // Escape in the list drops the selection, and brings it back when that was a mistake.
  await list.rows.first().focus()
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(bar).toContainText(`${written} payments selected`)
  await bar.getByRole('button', { name: 'Cancel selected', exact: true }).click()
  await expect(bulkState(page)).toHaveAttribute('data-bulk', 'ready', { timeout: 60_000 })
  await expect(main(page)).toContainText(`${written} payments can be cancelled`)
  await expect(page.locator('[data-count="all"]')).toHaveText(written)
})

test('paused, gone on, signed out meanwhile, and stopped', { tag: '@long' }, async ({ page, desk, context, watch }) => {
  // The previous list may poll its cancellations once more while the session ends.
  watch.allowStatus(401)
  await signIn(page, desk.signIn('support'))
  const payments = await takePending(context.request, desk.url, 60)
  await paste(
    page,
    payments.map(({ id }) => id),
  )
  await confirm(page, 60)
  const address = page.url()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(bulkState(page)).toHaveAttribute('data-bulk', 'paused')
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  await expect(bulkState(page)).toHaveAttribute('data-bulk', /running|finished/u)
  await page.goto('/payments')
  await signOut(page)
  await signIn(page, desk.signIn('admin'), new URL(address).pathname)
  await expect(bulkState(page)).toHaveAttribute('data-bulk', 'finished', { timeout: 90_000 })
  await expect(main(page)).toContainText('60 of 60 processed')

  const more = await takePending(context.request, desk.url, 30)
  await paste(
    page,
    more.map(({ id }) => id),
  )
  await confirm(page, 30)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page
    .getByRole('alertdialog', { name: 'Stop this bulk cancellation?' })
    .getByRole('button', { name: 'Stop', exact: true })
    .click()
  await expect(bulkState(page)).toHaveAttribute('data-bulk', /stopped|finished/u)
})

test('a viewer sees what became of it and has nothing to tick or to start', async ({ page, desk }) => {
  await signIn(page, desk.signIn('viewer'), '/payments')
  await new ListPage(page, 'Payments').ready()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Bulk cancellation' })).toHaveCount(0)
  await page.goto('/payments/bulk')
  await expect(page.getByRole('button', { name: 'Check the list' })).toHaveCount(0)
  await page.getByRole('main').getByRole('listitem').getByRole('link').last().click()
  await expect(page.getByRole('progressbar')).toBeVisible()
  await expect(page.getByRole('button', { name: /Pause|Stop|again/u })).toHaveCount(0)
})

test('a draft keeps its reasons over a reload, leaves rows out, fills down, and is discarded', async ({
  page,
  desk,
  context,
  watch,
}) => {
  // The discarded draft's address.
  watch.allowStatus(404)
  await signIn(page, desk.signIn('support'))
  const payments = await takePending(context.request, desk.url, 4)
  const stream = page.waitForResponse((response) => response.url().endsWith('/api/desk/events'))
  await paste(
    page,
    payments.map(({ id }) => id),
  )
  await expect(bulkState(page)).toHaveAttribute('data-bulk', 'ready', { timeout: 30_000 })
  await stream
  const other = await context.newPage()
  await other.goto(page.url())
  const leaveOut = (tab: Page, row: number) => tab.getByRole('button', { name: `Leave out row ${row}`, exact: true })
  const takeIn = (tab: Page, row: number) => tab.getByRole('button', { name: `Take row ${row} back in`, exact: true })
  await leaveOut(page, 2).click()
  // Both tabs are told of it, and read the rows again.
  await expect(takeIn(other, 2)).toBeVisible()
  await expect(main(other)).toContainText('3 payments can be cancelled')
  await leaveOut(other, 3).click()
  await expect(takeIn(page, 3)).toBeVisible()
  await expect(main(page)).toContainText('2 payments can be cancelled')
  await takeIn(page, 3).click()
  await expect(leaveOut(other, 3)).toBeVisible()
  await expect(main(page)).toContainText('3 payments can be cancelled')
  await expect(takeIn(page, 2)).toBeVisible()

  await page.getByLabel('A reason for each row').check()
  const reasonOf = (row: number) => page.getByLabel(`Reason for row ${row}`, { exact: true })
  await reasonOf(1).fill('Paid twice')
  await reasonOf(1).press('Enter')
  await expect(reasonOf(3)).toBeFocused()
  await page.reload()
  await expect(bulkState(page)).toHaveAttribute('data-bulk', 'ready')
  await page.getByLabel('A reason for each row').check()
  await expect(reasonOf(1)).toHaveValue('Paid twice')
  await page.getByRole('button', { name: 'Fill empty reasons with the first one' }).click()
  await expect(reasonOf(4)).toHaveValue('Paid twice')
  await reasonOf(3).evaluate((field) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', 'Moved away\nWrong amount\n')
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(reasonOf(3)).toHaveValue('Moved away')
  await expect(reasonOf(4)).toHaveValue('Wrong amount')

  const address = page.url()
  await page.getByRole('button', { name: 'Discard draft', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard draft', exact: true }).click()
  await expect(page).toHaveURL(/\/payments\/bulk$/u)
  await expect(main(other)).toContainText('This draft was discarded')
  await expect(main(other).getByRole('alert')).toHaveCount(0)
  await page.goto(address)
  await expect(main(page)).toContainText('Bulk cancellation not found')
})
