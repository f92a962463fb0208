import { findViolations } from '../support/accessibility'
import { callApi, readPayments } from '../support/api'
import { expect, test } from '../support/journey'
import { signIn } from '../support/session'

test('a note on a payment becomes a colleague’s task, which stands under Needs attention until it is done', async ({
  page,
  desk,
  context,
  browser,
}) => {
  await signIn(page, desk.signIn('support'), '/payments')
  const [payment] = await readPayments(context.request, desk.url, { filter: "status eq 'Rejected'" })
  const admin = desk.signIn('admin')
  await page.goto(`/payments/${payment?.id}`)
  const notes = page.locator('[data-notes]')
  await notes.getByLabel('New note', { exact: true }).fill('Call the customer about this')
  await page.reload()
  await expect(notes.getByLabel('New note', { exact: true })).toHaveValue('Call the customer about this')
  await notes.getByLabel('Assign to').selectOption(admin.email)
  await notes.getByLabel('Due', { exact: true }).fill('2026-01-02')
  await notes.getByRole('button', { name: 'Add note' }).click()
  const note = notes.locator('[data-note="task"]')
  await expect(note).toContainText('Call the customer about this')
  await expect(note).toContainText(`Assigned to ${admin.email}, overdue since 2 Jan 2026`)
  await expect(notes.getByLabel('New note', { exact: true })).toHaveValue('')

  const other = await (await browser.newContext({ baseURL: desk.url })).newPage()
  await signIn(other, admin, '/attention')
  const task = other.getByRole('list', { name: 'Assigned to me' }).locator('[data-note="task"]')
  await expect(task).toContainText('Call the customer about this')
  expect(await findViolations(other)).toEqual([])
  await task.getByRole('button', { name: 'Mark as done' }).click()
  await expect(other.getByText('Nothing is assigned to you.')).toBeVisible()
  await other.getByRole('link', { name: 'All rejected' }).click()
  await expect(other).toHaveURL(/state=Rejected/u)
  await other.context().close()

  await page.reload()
  const done = notes.locator('[data-note="done"]')
  await expect(done).toContainText(`Done by ${admin.email}`)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByRole('button', { name: 'Show all activity' }).click()
  await expect(timeline).toContainText('Note added')
  await done.getByRole('button', { name: 'Delete note' }).click()
  await done.getByRole('button', { name: 'Yes, delete note', exact: true }).click()
  await expect(notes).toContainText('No notes yet.')
})

test('a viewer reads notes and writes none', async ({ page, desk, context }) => {
  await signIn(page, desk.signIn('viewer'), '/payments')
  const [payment] = await readPayments(context.request, desk.url, { filter: "status eq 'Settled'" })
  await page.goto(`/payments/${payment?.id}`)
  await expect(page.locator('[data-notes]')).toContainText('No notes yet.')
  await expect(page.getByRole('button', { name: 'Add note' })).toHaveCount(0)
  const body = { kind: 'payment', objectId: 'x', objectName: '', text: 'x', assigneeId: null, dueDay: null }
  const answer = await callApi(context.request, `${desk.url}/api/desk/notes`, { method: 'POST', body })
  expect(answer.status()).toBe(403)
})
