import { findViolations } from '../support/accessibility'
import { expect } from '../support/journey'
import { testFakeUpstream } from '../support/own-desk'
import { signIn } from '../support/session'

const test = testFakeUpstream()

const ann = {
  id: '7b0c6f0e-6f5b-4f57-9a53-3f3b7f4f0001',
  handle: 'cu-0001',
  name: 'Ann Example',
  number: '1001',
  createdAt: '2026-11-25T09:00:00Z',
}

test('lines in doubt wait for a person, who chooses, sends again and leaves out with the keyboard', {
  tag: '@long',
}, async ({ page, foreign, watch }) => {
  // The desk looks for existing customers, in vain.
  watch.allowStatus(502)
  // The desk checks twice, half a minute apart.
  test.setTimeout(240_000)
  let creations = 0
  let isWell = false
  foreign.answerElse((method, path) => {
    if (path !== '/Customers') return null
    if (method === 'POST') {
      creations += 1
      return isWell ? { status: 201, body: { id: `new-${creations}` } } : { status: 500 }
    }
    // The list cannot be read before the first line is sent, so nothing proves that Ann was not there before.
    return creations === 0 ? { status: 500 } : { body: { results: [ann], hasMore: false, nextOffset: null } }
  })
  await signIn(page, foreign.admin, '/customers/import')
  const text = 'Name,Number\nAnn Example,1001\nBo Example,1002\nCy Example,1003\n'
  const file = { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  await page.getByLabel('CSV file', { exact: true }).setInputFiles(file)
  await expect(page.getByText('We couldn’t check whether these customers already exist.')).toBeVisible()
  await page.getByRole('button', { name: 'Create 3 customers', exact: true }).click()
  const status = page.locator('[data-import]')
  await expect(status).toContainText(
    'Done, except for lines with unknown outcome. 0 of 3 created, 3 awaiting a decision',
    {
      timeout: 120_000,
    },
  )
  expect(creations).toBe(3)
  const doubts = page.getByRole('region', { name: 'Lines with unknown outcome' })
  await expect(doubts.getByRole('listitem').filter({ hasText: 'Line 2: Ann Example' }).first()).toContainText(
    'It may be one of these customers, but nothing proves which.',
  )
  await expect(doubts).toContainText('We read the customer list to its end twice, and it doesn’t show the customer.')
  expect(await findViolations(page)).toEqual([])
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: test.info().outputPath(`in-doubt-${colorScheme}.png`), fullPage: true })
    expect(await findViolations(page)).toEqual([])
  }
  await page.setViewportSize({ width: 375, height: 800 })
  await page.screenshot({ path: test.info().outputPath('in-doubt-phone.png'), fullPage: true })
  await page.setViewportSize({ width: 1440, height: 900 })

  await doubts.getByRole('button', { name: 'It’s this customer: Ann Example for line 2' }).press('Enter')
  await expect(status).toContainText('1 of 3 created, 1 of them without a reply, 2 awaiting a decision')
  await expect(status).toBeFocused()
  isWell = true
  await doubts.getByRole('button', { name: 'Send again: line 3' }).press('Enter')
  await expect(status).toContainText('2 of 3 created')
  expect(creations).toBe(4)
  await doubts.getByRole('button', { name: 'Skip: line 4' }).press('Enter')
  await expect(status).toContainText('Done. 2 of 3 created, 1 of them without a reply, 1 skipped')
  await expect(doubts).toHaveCount(0)
  await expect(page.getByRole('main')).toContainText(`Line 4, skipped: by ${foreign.admin.email}`)
  expect(await findViolations(page)).toEqual([])

  await page.goto('/activity')
  await expect(page.getByRole('main')).toContainText('Import line sent again')
  expect(creations).toBe(4)
})
