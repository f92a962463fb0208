import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { parseCsv } from '../../lib/format/parse-csv'
import { findViolations } from '../harness/find-violations'
import { expect, test } from '../harness/journey'
import { ListPage } from '../harness/list-page'
import { signIn } from '../harness/sign-in'

async function download(page: Page, name: string): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()])
  return readFile(await file.path())
}

test('A filtered list is taken away as a file, with a statement that proves what it is', async ({ page, desk }) => {
  await signIn(page, desk.signIn('support'), '/payments?mode=test')
  await new ListPage(page, 'Payments').ready()
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Export payments' })
  await expect(dialog).toContainText('mode Test')
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Choose none' }).click()
  for (const column of ['Payment id', 'Amount', 'Live or test', 'Customer']) {
    await dialog.getByRole('checkbox', { name: column, exact: true }).check()
  }
  await dialog.getByRole('button', { name: 'Start export' }).click()
  await expect(dialog.locator('[data-export="complete"]')).toBeVisible({ timeout: 60_000 })

  const file = await download(page, 'Download CSV')
  const statement: Record<string, unknown> = JSON.parse((await download(page, 'Download statement')).toString('utf8'))
  const [head, ...rows] = parseCsv(file.toString('utf8')).rows
  expect(head?.cells).toEqual([
    'id',
    'amount_minor',
    'amount_exponent',
    'amount_decimal',
    'currency',
    'amount_as_sent',
    'test',
    'customer_name',
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
})
