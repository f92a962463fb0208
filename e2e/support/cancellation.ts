import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import { textsOn } from './language'
import { waitForScript } from './session'

/** Opens and returns the dialog from the open panel or page of a payment. */
export async function openCancelDialog(page: Page): Promise<Locator> {
  await waitForScript(page)
  const cancel = (await textsOn(page))('cancelButton_cancelPayment')
  await page.getByRole('button', { name: cancel, exact: true }).click()
  const dialog = page.getByRole('alertdialog', { name: cancel })
  await expect(dialog).toBeVisible()
  return dialog
}

export async function confirmCancellation(dialog: Locator, reason: string): Promise<void> {
  const text = await textsOn(dialog.page())
  await dialog.getByLabel(text('cancelling_reason')).fill(reason)
  await dialog.getByRole('button', { name: text('cancelButton_cancelPayment'), exact: true }).click()
}

/** The outcome on the page of a payment, behind an open dialog or in it. */
export function outcomeOf(page: Page): Locator {
  return page.locator('[data-outcome]').first()
}

/** A write that reached the service: the evidence of what was really sent. */
export type Write = {
  method: string
  path: string
  status: number
  idempotencyKey: string | null
  outcome: string
  body: string | null
}

/** The service's own log of writes, oldest first; a full one has become `requests.1.log`. */
export async function readWrites(dataDir: string): Promise<Write[]> {
  const files = ['requests.1.log', 'requests.log'].map((name) => `${dataDir}/service/${name}`)
  const contents = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
  return contents
    .join('')
    .split('\n')
    .filter(Boolean)
    .map((line): Write => JSON.parse(line))
}

/** The DELETE requests for a payment that reached the service. */
export async function readCancellations(dataDir: string, paymentId: string): Promise<Write[]> {
  const writes = await readWrites(dataDir)
  return writes.filter(({ method, path }) => method === 'DELETE' && path === `/Payments/${paymentId}`)
}
