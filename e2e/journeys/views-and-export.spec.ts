import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { parseCsv } from '@/lib/domain/csv'
import { findViolations } from '../support/accessibility'
import { callApi } from '../support/api'
import { expect, test } from '../support/journey'
import { testFakeUpstream } from '../support/own-desk'
import { chooseFilter, filterButton, ListPage } from '../support/page-objects'
import { signIn } from '../support/session'

test('A view is saved under a name, opened by a colleague, made the default, renamed and deleted', {
  tag: '@long',
}, async ({ page, desk, browser, watch }) => {
  watch.allowStatus(409)
  await signIn(page, desk.signIn('support'), '/payments?state=Settled&sort=-amount')
  await new ListPage(page, 'Payments').ready()
  const tool = page.getByRole('button', { name: 'Views', exact: true })
  await tool.click()
  const dialog = page.getByRole('dialog', { name: 'Views of payments' })
  const name = dialog.getByLabel('Save current view as')
  await name.fill('Largest settled')
  await dialog.getByLabel('For everyone at this merchant').check()
  await name.press('Enter')
  await expect(dialog.getByRole('link', { name: 'Largest settled' })).toBeVisible()
  await name.fill('The same')
  await dialog.getByLabel('For everyone at this merchant').check()
  await name.press('Enter')
  await expect(dialog.getByRole('link', { name: 'The same' })).toBeVisible()
  await name.fill('LARGEST settled')
  await dialog.getByLabel('For everyone at this merchant').check()
  await name.press('Enter')
  await expect(name).toHaveAccessibleDescription('Another view has this name.')
  await expect(name).toBeFocused()
  await expect(name).toHaveValue('LARGEST settled')
  expect(await findViolations(page)).toEqual([])

  const context = await browser.newContext({ baseURL: desk.url })
  const colleague = await context.newPage()
  await signIn(colleague, desk.signIn('viewer'), '/payments')
  await new ListPage(colleague, 'Payments').ready()
  await colleague.getByRole('button', { name: 'Views', exact: true }).click()
  await expect(colleague.getByRole('button', { name: 'Delete Largest settled' })).toHaveCount(0)
  await expect(colleague.getByLabel('For everyone at this merchant')).toHaveCount(0)
  await colleague.getByRole('link', { name: 'Largest settled' }).click()
  // The name of the view is beside the heading until the query changes.
  const shown = colleague.getByText('Largest settled', { exact: true })
  await expect(shown).toBeVisible()
  await expect(colleague).toHaveURL(/\/payments\?state=Settled&sort=-amount$/u)
  await expect(filterButton(colleague, 'State')).toHaveText('State: Settled')
  await chooseFilter(colleague, 'State', ['Rejected'])
  await expect(shown).toHaveCount(0)
  await context.close()

  await dialog.getByRole('button', { name: 'Make default: Largest settled' }).click()
  await expect(dialog.getByText('Default', { exact: true })).toBeVisible()
  await page.goto('/payments')
  await expect(page).toHaveURL(/\?state=Settled&sort=-amount$/u)
  await new ListPage(page, 'Payments').ready()
  // The list without filters has an address too.
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL(/\/payments\?sort=-amount$/u)
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await expect(page).toHaveURL(/\/payments\?view=all$/u)
  await page.reload()
  await expect(page).toHaveURL(/\/payments\?view=all$/u)
  await new ListPage(page, 'Payments').ready()
  await tool.click()
  await dialog.getByRole('button', { name: 'Remove as default: Largest settled' }).click()
  await expect(dialog.getByText('Default', { exact: true })).toHaveCount(0)

  await dialog.getByRole('button', { name: 'Rename Largest settled' }).click()
  const newName = dialog.getByLabel('New name for Largest settled')
  await expect(newName).toBeFocused()
  await newName.fill('Something else')
  await page.keyboard.press('Escape')
  await expect(dialog.getByRole('button', { name: 'Rename Largest settled' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(newName).toHaveValue('Largest settled')
  await newName.fill('The same')
  await page.keyboard.press('Enter')
  await expect(newName).toHaveAccessibleDescription('Another view has this name.')
  await expect(newName).toHaveValue('The same')
  await newName.fill('Settled, by size')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Rename Settled, by size' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Delete Settled, by size' }).press('Enter')
  await expect(dialog.getByRole('button', { name: 'Delete for everyone' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('link', { name: 'Settled, by size' })).toHaveCount(0)
  await expect(dialog.getByRole('link', { name: 'The same' })).toBeFocused()
  // Holding down the key that requested the deletion does not confirm it.
  let deletions = 0
  page.on('request', (request) => (deletions += request.method() === 'DELETE' ? 1 : 0))
  await dialog.getByRole('button', { name: 'Delete The same' }).focus()
  await page.keyboard.down('Enter')
  await expect(dialog.getByRole('button', { name: 'Delete for everyone' })).toBeFocused()
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await page.keyboard.press('Escape')
  await tool.click()
  await expect(dialog.getByRole('link', { name: 'The same' })).toBeVisible()
  expect(deletions).toBe(0)
})

async function download(page: Page, name: string): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()])
  return readFile(await file.path())
}

test('A filtered list is taken away as a file, with a proof of what it is', async ({ page, desk }) => {
  await signIn(page, desk.signIn('support'), '/payments?mode=test')
  await new ListPage(page, 'Payments').ready()
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Export payments' })
  await expect(dialog).toContainText('mode Test')
  expect(await findViolations(page)).toEqual([])
  // The columns of the list are chosen, in its order.
  await expect(dialog.getByRole('checkbox', { name: 'Reference', exact: true })).toBeChecked()
  await expect(dialog.getByRole('checkbox', { name: 'Payment id', exact: true })).not.toBeChecked()
  await expect(dialog.getByLabel('Format', { exact: true })).toHaveValue('comma')
  await dialog.getByRole('button', { name: 'Select all' }).click()
  await dialog.getByRole('button', { name: 'Select none' }).click()
  for (const column of ['Payment id', 'Amount', 'Live or test', 'Customer']) {
    await dialog.getByRole('checkbox', { name: column, exact: true }).check()
  }
  await dialog.getByRole('button', { name: 'Start export' }).click()
  await expect(dialog.locator('[data-export="complete"]')).toBeVisible({ timeout: 60_000 })

  const file = await download(page, 'Download CSV')
  const statement: Record<string, unknown> = JSON.parse((await download(page, 'Download proof')).toString('utf8'))
  const [head, ...rows] = parseCsv(file.toString('utf8')).rows
  expect(head?.cells).toEqual([
    'customer_name',
    'amount_minor',
    'amount_exponent',
    'amount_decimal',
    'currency',
    'amount_as_sent',
    'test',
    'id',
  ])
  expect(rows.length).toBeGreaterThan(20)
  expect(new Set(rows.map(({ cells }) => cells[6]))).toEqual(new Set(['test']))
  expect(statement).toMatchObject({
    rows: rows.length,
    complete: true,
    sha256: createHash('sha256').update(file).digest('hex'),
    filters: { Mode: 'Test' },
  })
  const danish = rows.filter(({ cells }) => cells[4] === 'DKK')
  const minor = String(danish.reduce((sum, { cells }) => sum + BigInt(cells[1] ?? ''), 0n))
  expect(statement.sums).toContainEqual({ mode: 'test', currency: 'DKK', count: danish.length, minor, exponent: 2 })

  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Export', exact: true })).toBeFocused()

  // After closing, the file is available for a day.
  await page.keyboard.press('Enter')
  const earlier = dialog.getByRole('list', { name: 'Exports from the last day' }).getByRole('listitem').first()
  await expect(earlier).toContainText('complete')
  expect(await findViolations(page)).toEqual([])
  await earlier.getByRole('button', { name: 'Show' }).click()
  await expect(dialog).toContainText(String(statement.sha256))
  expect(await download(page, 'Download CSV')).toEqual(file)
})

const slow = testFakeUpstream()

slow(
  'An export that a person stops has its hash and its file, and goes on to the whole list',
  { tag: '@long' },
  async ({ page, foreign }) => {
    const pages = 8
    foreign.answer(({ after }) => {
      const at = Number(after ?? 0)
      const results = [{ id: `payment-${at}`, reference: `INV-${at}`, amount: 100, currency: 'DKK', status: 'Pending' }]
      const hasMore = at + 1 < pages
      return { delay: 700, body: { results, hasMore, nextOffset: hasMore ? String(at + 1) : null } }
    })
    await signIn(page, foreign.admin)
    await new ListPage(page, 'Payments').ready()
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Export payments' })
    await dialog.getByRole('button', { name: 'Start export' }).click()
    await expect(dialog.locator('[data-export="running"]')).toContainText(/[1-9] so far/u)
    await dialog.getByRole('button', { name: 'Stop' }).click()
    await expect(dialog.locator('[data-export="stopped"]')).toBeVisible()
    const sum = dialog.locator('code')
    await expect(sum).toHaveText(/^[0-9a-f]{64}$/u)
    const part = await download(page, 'Download CSV')
    expect(createHash('sha256').update(part).digest('hex')).toBe(await sum.innerText())
    await dialog.getByRole('button', { name: 'Resume' }).click()
    await expect(dialog.locator('[data-export="complete"]')).toBeVisible({ timeout: 60_000 })
    const whole = await download(page, 'Download CSV')
    expect(whole.subarray(0, part.length)).toEqual(part)
    expect(parseCsv(whole.toString('utf8')).rows).toHaveLength(pages + 1)
  },
)

test('an export is scheduled, shows when it comes next, and is deleted', { tag: '@long' }, async ({
  page,
  desk,
  context,
}) => {
  await signIn(page, desk.signIn('support'), '/payments?state=Settled&payment=last-month')
  await new ListPage(page, 'Payments').ready()
  const tool = page.getByRole('button', { name: 'Export', exact: true })
  await tool.click()
  const dialog = page.getByRole('dialog', { name: 'Export payments' })
  await dialog.getByLabel('Repeat').selectOption('Every month')
  await dialog.getByLabel('Day of the month').selectOption('1')
  await dialog.getByLabel('Time', { exact: true }).selectOption('06:00')
  await expect(dialog).toContainText('Time in Europe/Copenhagen')
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Schedule export' }).click()
  const schedules = dialog.getByRole('list', { name: 'Scheduled exports' })
  await expect(schedules).toContainText('On day 1 of every month at 06:00')
  await expect(schedules).toContainText('collection date Last month')
  await expect(schedules).toContainText(/Next 1 \w{3,4} \d{4}, 06:00/u)
  const { schedules: stored } = await (await callApi(context.request, `${desk.url}/api/desk/exports/schedules`)).json()
  expect(stored).toMatchObject([{ list: 'listPayments', times: { rhythm: 'monthly', day: 1, hour: 6 }, problem: null }])
  const deleteSchedule = dialog.getByRole('button', {
    name: 'Delete scheduled export: On day 1 of every month at 06:00',
  })
  await deleteSchedule.click()
  await expect(schedules).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await expect(schedules).toContainText('collection date Last month')
  await deleteSchedule.click()
  await expect(schedules).toHaveCount(0)
})
