import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import { waitForScript } from './session'

/** Opens the dialog from the panel or page of a payment that is shown, and answers it. */
export async function openCancelDialog(page: Page): Promise<Locator> {
  await waitForScript(page)
  await page.getByRole('button', { name: 'Cancel payment', exact: true }).click()
  const dialog = page.getByRole('alertdialog', { name: /^Cancel payment/u })
  await expect(dialog).toBeVisible()
  return dialog
}

/** Fills in the reason and confirms. */
export async function confirmCancellation(dialog: Locator, reason: string): Promise<void> {
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: 'Cancel payment', exact: true }).click()
}

/** The place on the page of a payment where its outcome stands: behind a dialog that is still open, or in it. */
export function outcomeOf(page: Page): Locator {
  return page.locator('[data-outcome]').first()
}

/** One write as the service saw it; the judge of what was really sent. */
export type Write = {
  method: string
  path: string
  status: number
  idempotencyKey: string | null
  outcome: string
  body: string | null
}

/** The service's own log of writes, oldest first. */
export async function readWrites(dataDir: string): Promise<Write[]> {
  const content = await readFile(`${dataDir}/service/requests.log`, 'utf8').catch(() => '')
  return content
    .split('\n')
    .filter(Boolean)
    .map((line): Write => JSON.parse(line))
}

/** The DELETE requests that reached the service for one payment. */
export async function readCancellations(dataDir: string, paymentId: string): Promise<Write[]> {
  const writes = await readWrites(dataDir)
  return writes.filter(({ method, path }) => method === 'DELETE' && path === `/Payments/${paymentId}`)
}
