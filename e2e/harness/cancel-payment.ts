import { expect, type Locator, type Page } from '@playwright/test'
import { waitForScript } from './page-script'

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
