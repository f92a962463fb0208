import { readFile } from 'node:fs/promises'
import { request as requests } from '@playwright/test'
import { confirmCancellation, openCancelDialog, outcomeOf } from '../support/cancellation'
import { expect, test } from '../support/journey'
import { makeFolder, signInOf, startDesk } from '../support/desk'
import { takePendingPayment } from '../support/api'
import { signIn } from '../support/session'

test.describe.configure({ timeout: 180_000 })

async function answers(url: string): Promise<boolean> {
  const context = await requests.newContext()
  const answered = await context.get(`${url}/api/health`).then(
    () => true,
    () => false,
  )
  await context.dispose()
  return answered
}

test('data, sign-ins and sessions survive a restart, and SIGTERM and Ctrl-C end it with exit code 0', async ({
  browser,
}) => {
  const { folder, remove } = await makeFolder()
  const settings = { SEED_PAYMENTS: '100' }
  const first = await startDesk(folder, settings, { fromNothing: true })
  const context = await browser.newContext({ baseURL: first.url })
  const page = await context.newPage()
  await signIn(page, signInOf(first, 'support'))
  const payment = await takePendingPayment(context.request, first.url)
  await page.goto(`/payments/${payment.id}`)
  await confirmCancellation(await openCancelDialog(page), 'Before the restart')
  await expect(outcomeOf(page)).toHaveAttribute('data-outcome', 'cancelled', { timeout: 45_000 })
  await page.goto('about:blank')
  expect(await first.command.stop()).toBe(0)
  expect(await answers(first.url)).toBe(false)

  const second = await startDesk(folder, { ...settings, PORT: new URL(first.url).port })
  expect(second.command.output()).not.toContain('Building')
  expect(second.signIns).toEqual(first.signIns)
  await page.goto(`/payments/${payment.id}`)
  await expect(outcomeOf(page)).toHaveAttribute('data-outcome', 'cancelled')
  await context.close()
  second.command.send('SIGINT')
  expect(await second.command.exited).toBe(0)
  await remove()
})

test('when the command itself is killed, neither the desk nor the service lives on', { tag: '@long' }, async () => {
  const { folder, remove } = await makeFolder()
  const desk = await startDesk(folder, { SEED_PAYMENTS: '50' })
  const lock = await readFile(`${folder}/desk/debitdesk.lock`, 'utf8')
  const pid = Number.parseInt(lock, 10)
  desk.command.send('SIGKILL')
  await expect.poll(() => answers(desk.url), { timeout: 30_000 }).toBe(false)
  await expect
    .poll(
      () => {
        try {
          return process.kill(pid, 0)
        } catch {
          return false
        }
      },
      { timeout: 30_000 },
    )
    .toBe(false)
  const again = await startDesk(folder, { SEED_PAYMENTS: '50' })
  expect(await again.command.stop()).toBe(0)
  await remove()
})

test('a second start on the same data is refused with a line that names the other process', async ({ desk }) => {
  const message = await startDesk(desk.dataDir).then(
    () => 'it started',
    (reason: Error) => reason.message,
  )
  expect(message).toMatch(/in use by process \d+/u)
  expect(message).not.toMatch(/\n\s+at /u)
})
