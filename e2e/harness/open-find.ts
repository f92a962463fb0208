import { expect, type Locator, type Page } from '@playwright/test'
import { waitForScript } from './page-script'

/** Opens Find by its keys. Answers its field, which has the focus. */
export async function openFind(page: Page, keys = 'Control+K'): Promise<Locator> {
  await waitForScript(page)
  await page.keyboard.press(keys)
  const field = page.getByRole('combobox', { name: 'Find pages, actions and records' })
  await expect(field).toBeFocused()
  return field
}
