import { readFile } from 'node:fs/promises'
import { callApi } from '../support/api'
import { confirmCancellation, openCancelDialog, outcomeOf } from '../support/cancellation'
import { findViolations } from '../support/accessibility'
import { expect, test } from '../support/journey'
import { ListPage } from '../support/page-objects'
import { signIn } from '../support/session'

test('What was done to a payment stands beside it and in the log, with who, why and what the service answered', async ({
  page,
  desk,
}) => {
  const { email } = desk.signIn('support')
  await signIn(page, desk.signIn('support'), '/payments?state=Pending')
  const list = new ListPage(page, 'Payments')
  await list.ready()
  const row = list.rowsOf('Pending').nth(7)
  const id = await list.idOf(row)
  await row.click()
  await confirmCancellation(await openCancelDialog(page), 'Asked for by <b>telephone</b>')
  await expect(outcomeOf(page)).toHaveAttribute('data-outcome', 'cancelled', { timeout: 30_000 })

  const slice = page.getByRole('region', { name: 'Timeline' })
  await slice.getByRole('button', { name: 'Show all activity' }).click()
  await expect(slice.locator('[data-action="cancellation.cancelled"]')).toBeVisible()
  const asked = slice.locator('[data-action="cancellation.intended"]')
  await expect(asked).toContainText('Asked for by <b>telephone</b>')
  await expect(asked).toContainText(email)
  await expect(slice.locator('[data-action="cancellation.accepted"]')).toContainText('The provider accepted it')

  await page.goto('/activity?kind=payment&action=cancellation.accepted')
  const entry = page
    .getByRole('listitem')
    .filter({ has: page.getByTitle(id) })
    .first()
  await entry.locator('summary').press('Enter')
  await expect(entry).toContainText('traceId')
  expect(await findViolations(page)).toEqual([])
  await entry.getByRole('link', { name: 'Open payment' }).click()
  await expect(page).toHaveURL(new RegExp(`/payments/${id}`, 'u'))
})

test('The log is filtered by its address, by keyboard too, and taken away as a file', async ({ page, desk }) => {
  await signIn(page, desk.signIn('admin'), '/activity')
  // The attribute is not in the server's HTML, so the page is hydrated now.
  await expect(page.locator('[data-walk]')).toHaveAttribute('data-walk', /more|complete/u)
  await page.getByLabel('Person').fill(desk.signIn('admin').email)
  await expect(page).toHaveURL(/person=admin/u)
  await page.getByLabel('Action').selectOption('session.started')
  await expect(page).toHaveURL(/action=session.started/u)
  const rows = page.getByRole('list', { name: 'Activity' }).locator('[data-row-id]')
  await expect(rows.first()).toContainText('Signed in')
  for (const row of await rows.all()) await expect(row).toContainText(desk.signIn('admin').email)
  await page.goBack()
  await expect(page.getByLabel('Action')).toHaveValue('')

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  const text = await readFile(await download.path(), 'utf8')
  expect(text).toContain('sequence,time_utc,person')
  expect(text).toContain('export.activity')

  await page.goto('/activity?from=2026-02-31')
  await expect(page.getByLabel('From', { exact: true })).toHaveAccessibleDescription('2026-02-31 (not understood)')
  await expect(rows).toHaveCount(0)
})

test('Back from a search of the log that was typed faster than it was answered leads to the log without it', {
  tag: '@long',
}, async ({ page, desk }) => {
  await signIn(page, desk.signIn('admin'), '/merchant')
  await page.goto('/activity')
  await expect(page.locator('[data-walk]')).toHaveAttribute('data-walk', /more|complete/u)
  await page.route(/\/activity\?person=/u, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await route.continue()
  })
  const asked = page.waitForRequest(/person=a(&|$)/u)
  await page.getByLabel('Person').press('a')
  await asked
  await page.getByLabel('Person').press('d')
  await expect(page).toHaveURL(/person=ad(&|$)/u)
  await page.goBack()
  await expect(page).toHaveURL(/\/activity$/u)
  await expect(page.getByLabel('Person')).toHaveValue('')
})

test('A refusal is told with an id that stands in one line of the log and in one row of the activity (OB-03)', {
  tag: '@long',
}, async ({ page, desk }) => {
  test.setTimeout(240_000)
  await signIn(page, desk.signIn('viewer'), '/activity')
  const entries = page.getByRole('list', { name: 'Activity' }).getByRole('listitem')
  const told = new Map<string, string>()
  let shown = ''
  // The same refusal of a person is logged once a minute, and other journeys on this desk cause it too.
  await expect(async () => {
    const address = `${desk.url}/api/service/Payments/${crypto.randomUUID()}`
    const response = await callApi(page.request, address, { method: 'DELETE', body: { text: 'Not mine to cancel' } })
    expect(response.status()).toBe(403)
    const { instance }: { instance: string } = await response.json()
    told.set(instance, response.headers().traceparent?.slice(3, 35) ?? 'no trace')
    await page.goto('/activity?action=access.denied')
    await expect(entries.first()).toBeVisible()
    // All entries, because other journeys are refused meanwhile too.
    await entries.locator('details').evaluateAll((all) => {
      for (const details of all) details.toggleAttribute('open', true)
    })
    await expect(entries.last()).toContainText('traceId')
    await entries.locator('[data-technical]').evaluateAll((all) => {
      for (const details of all) details.toggleAttribute('open', true)
    })
    shown = (await entries.allInnerTexts()).find((text) => [...told.keys()].some((id) => text.includes(id))) ?? ''
    expect(shown).not.toBe('')
  }).toPass({ intervals: [1_000, 20_000], timeout: 200_000 })
  const [instance = '', traceId = ''] = [...told].find(([id]) => shown.includes(id)) ?? []
  expect(shown).toContain(traceId)
  const log = await readFile(`${desk.dataDir}/logs/desk.log`, 'utf8')
  expect(log.split('\n').filter((line) => line.includes(instance))).toHaveLength(1)

  await page.goto('/activity?kind=session')
  const others = page.getByRole('listitem').filter({ hasText: 'admin@' })
  await expect(page.getByRole('listitem').filter({ hasText: 'viewer@' }).first()).toBeVisible()
  await expect(others).toHaveCount(0)
})
