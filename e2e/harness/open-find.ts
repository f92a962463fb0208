import { expect, type Locator, type Page } from '@playwright/test'

/** Waits until the page's script answers by itself; what is pressed before counts for ten seconds alone. */
export async function waitForScript(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-find-state', 'ready')
}

/** Opens Find by its keys. Answers its field, which has the focus. */
export async function openFind(page: Page, keys = 'Control+K'): Promise<Locator> {
  await waitForScript(page)
  await page.keyboard.press(keys)
  const field = page.getByRole('combobox', { name: 'Find pages, actions and records' })
  await expect(field).toBeFocused()
  return field
}
